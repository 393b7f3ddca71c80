// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "data/read_texts.h"
#include "test_files.h"

namespace xylem {

inline void expect_equal(const Corpus& a, const Corpus& b) {
  EXPECT_EQ(a.texts, b.texts);
  EXPECT_EQ(a.labels.offsets, b.labels.offsets);
  EXPECT_EQ(a.labels.ids, b.labels.ids);
  EXPECT_EQ(a.label_names, b.label_names);
  EXPECT_EQ(a.label_ids, b.label_ids);
  EXPECT_EQ(a.document_ids, b.document_ids);
}

// A corpus as text: "id=[a|b] text;" and so on.
inline std::string text_of(const Corpus& corpus) {
  std::string text;
  for (std::size_t row = 0; row < corpus.size(); ++row) {
    if (corpus.document_ids.size() > 0) text.append(corpus.document_ids[row]) += '=';
    text += '[';
    const char* bar = "";
    for (const Label label : corpus.labels[row]) {
      text.append(bar).append(corpus.label_names[label]);
      bar = "|";
    }
    text.append("] ").append(corpus.texts[row]) += ';';
  }
  return text;
}

class CorpusFiles : public TestFiles {
 protected:
  CorpusResult read(const std::string& bytes, const std::string& format = "auto",
                    std::optional<char> separator = {}) const {
    ReadOptions options;
    options.format = format;
    options.label_separator = separator;
    return read_corpus(write(bytes), options);
  }
  std::string rows(const std::string& bytes, const std::string& format = "auto",
                   std::optional<char> separator = {}) const {
    return text_of(read(bytes, format, separator).corpus);
  }
  // What is wrong with a file, without its name.
  std::string error(const std::string& bytes, const std::string& format = "auto") const {
    const std::string message = error_of(ErrorKind::kData, [&] { read(bytes, format); });
    return message.substr(message.find(':') + 1);
  }
};

}  // namespace xylem
