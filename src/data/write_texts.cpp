// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <string>

#include "core/fail.h"
#include "core/file.h"
#include "core/text.h"
#include "data/format.h"
#include "data/json_text.h"
#include "data/label_rules.h"
#include "xylem/corpus.h"

namespace xylem {
namespace {

void check_can_hold(const TextList& label_names, const TextBlocks& texts, std::string_view format, char separator) {
  check_labels_fit(label_names, format, separator);
  if (format != "fasttext") return;
  std::size_t row = 0;
  texts.for_each([&](const TextList& block) {
    for (std::size_t i = 0; i < block.size(); ++i, ++row) {
      if (!has_fasttext_label(block[i])) continue;
      fail(ErrorKind::kData, "text {} of row {} has a word that is a label for fasttext", quote(block[i]), row + 1);
    }
  });
}

void append_on_one_line(std::string_view text, std::string& out) {
  for (const char c : text) out += c == '\n' || c == '\r' ? ' ' : c;
}

void append_csv_field(std::string_view text, std::string& out) {
  if (text.find_first_of(",\"\r\n") == std::string_view::npos) {
    out += text;
    return;
  }
  out += '"';
  for (const char c : text) out.append(c == '"' ? 2 : 1, c);
  out += '"';
}

class RowWriter {
 public:
  RowWriter(const Corpus& corpus, char separator) : corpus_(corpus), separator_(separator) {}

  void fasttext(std::size_t row, std::string_view text, std::string& out) const {
    for (const Label label : corpus_.labels[row]) out.append(kFasttextPrefix).append(name(label)) += ' ';
    append_on_one_line(text, out);
    if (out.empty()) out += ' ';  // keeps a row with nothing from being taken for the end of the file
  }
  void tsv(std::size_t row, std::string_view text, std::string& out) const {
    out += joined_labels(row) + '\t';
    append_on_one_line(text, out);
  }
  void jsonl(std::size_t row, std::string_view text, std::string& out) const {
    out += '{';
    if (has_ids() && !corpus_.document_ids[row].empty()) {
      out += "\"id\": ";
      out += corpus_.document_ids[row];
      out += ", ";
    }
    out += "\"text\": ";
    append_json_string(text, out);
    out += ", \"labels\": [";
    const char* comma = "";
    for (const Label label : corpus_.labels[row]) {
      out += comma;
      append_json_label(label, out);
      comma = ", ";
    }
    out += "]}";
  }
  std::string csv_header() const { return has_ids() ? "id,text,labels\n" : "text,labels\n"; }
  void csv(std::size_t row, std::string_view text, std::string& out) const {
    if (has_ids()) {
      append_csv_field(json_token_text(corpus_.document_ids[row]), out);
      out += ',';
    }
    append_csv_field(text, out);
    out += ',';
    append_csv_field(joined_labels(row), out);
  }

 private:
  void append_json_label(Label label, std::string& out) const {
    const TextList& ids = corpus_.label_ids;
    if (ids.size() == 0 || ids[label].empty()) return append_json_string(name(label), out);
    out += "{\"label\": ";
    append_json_string(name(label), out);
    out += ", \"id\": ";
    append_json_string(ids[label], out);
    out += '}';
  }
  bool has_ids() const { return corpus_.document_ids.size() > 0; }
  std::string_view name(Label label) const { return corpus_.label_names[label]; }
  std::string joined_labels(std::size_t row) const {
    std::string joined;
    for (const Label label : corpus_.labels[row]) {
      if (!joined.empty()) joined += separator_;
      joined += name(label);
    }
    return joined;
  }

  const Corpus& corpus_;
  char separator_;
};

}  // namespace

void write_corpus(const Corpus& corpus, std::string_view format, char label_separator, const std::string& path,
                  bool replace) {
  write_corpus(corpus, ListedTexts(corpus.texts), format, label_separator, path, replace);
}

void write_corpus(const Corpus& rows, const TextBlocks& texts, std::string_view format, char label_separator,
                  const std::string& path, bool replace) {
  check_output_format(format, text_formats());
  check_label_separator(label_separator);
  check_can_hold(rows.label_names, texts, format, label_separator);
  const RowWriter writer(rows, label_separator);
  const auto write_row = format == "fasttext" ? &RowWriter::fasttext
                         : format == "tsv"    ? &RowWriter::tsv
                         : format == "jsonl"  ? &RowWriter::jsonl
                                              : &RowWriter::csv;
  OutputFile file(path, replace ? IfExists::kReplace : IfExists::kFail);
  if (format == "csv") file.write(writer.csv_header());
  std::string line;
  std::size_t row = 0;
  texts.for_each([&](const TextList& block) {
    for (std::size_t i = 0; i < block.size(); ++i, ++row) {
      line.clear();
      (writer.*write_row)(row, block[i], line);
      line += '\n';
      file.write(line);
    }
  });
  file.commit();
}

}  // namespace xylem
