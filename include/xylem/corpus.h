// SPDX-License-Identifier: Apache-2.0
// Texts with the names of their labels: what text formats hold, before a vectoriser turns it into a Dataset.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "xylem/dataset.h"
#include "xylem/run.h"
#include "xylem/sparse.h"

namespace xylem {

// Many texts in one piece of memory. UTF-8 without NUL bytes.
struct TextList {
  std::string bytes;
  std::vector<std::uint64_t> offsets{0};

  std::size_t size() const { return offsets.size() - 1; }
  std::string_view operator[](std::size_t i) const {
    return std::string_view(bytes).substr(offsets[i], offsets[i + 1] - offsets[i]);
  }
  void push_back(std::string_view text) {
    bytes.append(text);
    offsets.push_back(bytes.size());
  }
  void clear() {
    bytes.clear();
    offsets.assign(1, 0);
  }
  bool operator==(const TextList&) const = default;
};

struct Corpus {
  TextList texts;
  LabelLists labels;      // ids are places in label_names
  TextList label_names;   // in the order in which they first occur
  TextList document_ids;  // what the file calls its rows, empty for one without; none at all where no row has one

  std::size_t size() const { return texts.size(); }
};

struct CorpusResult {
  Corpus corpus;
  ReadReport report;
};

// "fasttext", "tsv", "jsonl" and "csv".
std::vector<std::string_view> text_formats();

// Reads a file of texts, plain, gzip or zstd; "-" is standard input. The result does not depend on run.threads.
// Throws Error: kData with `file:line: found ..., expected ...`, kIo, kMemory, kUsage for an option.
CorpusResult read_corpus(const std::string& path, const ReadOptions& options = {}, const Run& run = {});

// Writes `corpus` in a format of text_formats(). "-" is standard output; a file appears whole or not at all. What
// fasttext and tsv cannot hold of a text or a row is changed: line breaks become blanks, document ids are left out, and
// so are, for fasttext, blanks at the begin of a text. Throws kData where the format cannot hold a label (one with the
// separator in its name, say) or a text, before anything is written.
void write_corpus(const Corpus& corpus, std::string_view format, char label_separator, const std::string& path);

// Names for labels that are numbers in the data. Where no line has a TAB, each is the name of the next label. Where all
// have one, the name is what follows the first TAB, and what stands before it gives the label if it is a whole number
// in every line (`first_label` is what the file calls label 0); else it is ignored and each line names the next label.
// Labels without a line have an empty name. Throws kData, also where only some lines have a TAB, and kIo.
TextList read_label_names(const std::string& path, Label first_label = 0);

}  // namespace xylem
