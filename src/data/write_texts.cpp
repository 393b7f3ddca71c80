// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <string>

#include "core/fail.h"
#include "core/file.h"
#include "core/text.h"
#include "data/format.h"
#include "data/number_token.h"
#include "data/read_texts.h"
#include "xylem/corpus.h"

namespace xylem {
namespace {

// Why a format cannot hold this label; empty where it can.
std::string_view trouble_with_label(std::string_view label, std::string_view format, char separator) {
  if (label.empty()) return "an empty name";
  if (format == "jsonl") return {};
  if (label.find_first_of("\r\n") != std::string_view::npos) return "a line break";
  if (format == "fasttext") return label.find_first_of(" \t") != std::string_view::npos ? "a blank" : "";
  if (label.find(separator) != std::string_view::npos) return "the separator of labels";
  if (format == "tsv" && label.find('\t') != std::string_view::npos) return "a TAB";
  return is_blank(label.front()) || is_blank(label.back()) ? "a blank at its begin or end" : "";
}

void check_can_hold(const Corpus& corpus, std::string_view format, char separator) {
  for (std::size_t i = 0; i < corpus.label_names.size(); ++i) {
    const std::string_view name = corpus.label_names[i];
    const std::string_view trouble = trouble_with_label(name, format, separator);
    if (trouble.empty()) continue;
    fail(ErrorKind::kData, "label {} has {}, which {} cannot hold", quote(name), trouble, format);
  }
  if (format != "fasttext") return;
  for (std::size_t row = 0; row < corpus.size(); ++row) {
    const std::string_view text = corpus.texts[row];
    const std::size_t begin = std::min(text.find_first_not_of(" \t\r\n"), text.size());
    if (text.substr(begin).starts_with(kFasttextPrefix)) {
      fail(ErrorKind::kData, "text {} of row {} begins like a label, which fasttext cannot hold", quote(text), row + 1);
    }
  }
}

void append_on_one_line(std::string_view text, std::string& out) {
  for (const char c : text) out += c == '\n' || c == '\r' ? ' ' : c;
}

void append_json_string(std::string_view text, std::string& out) {
  static constexpr std::string_view kSpecial = "\"\\\b\f\n\r\t", kLetters = "\"\\bfnrt";
  out += '"';
  for (const char c : text) {
    const std::size_t special = kSpecial.find(c);
    if (special != std::string_view::npos) {
      out += '\\';
      out += kLetters[special];
    } else if (static_cast<unsigned char>(c) < 0x20) {
      out += fmt::format("\\u{:04x}", static_cast<unsigned>(c));
    } else {
      out += c;
    }
  }
  out += '"';
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

  void fasttext(std::size_t row, std::string& out) const {
    for (const Label label : corpus_.labels[row]) out.append(kFasttextPrefix).append(name(label)) += ' ';
    append_on_one_line(corpus_.texts[row], out);
    if (out.empty()) out += ' ';  // keeps a row with nothing from being taken for the end of the file
  }
  void tsv(std::size_t row, std::string& out) const {
    out += joined_labels(row) + '\t';
    append_on_one_line(corpus_.texts[row], out);
  }
  void jsonl(std::size_t row, std::string& out) const {
    out += '{';
    if (has_ids() && !corpus_.document_ids[row].empty()) {
      out += "\"id\": ";
      append_json_string(corpus_.document_ids[row], out);
      out += ", ";
    }
    out += "\"text\": ";
    append_json_string(corpus_.texts[row], out);
    out += ", \"labels\": [";
    const char* comma = "";
    for (const Label label : corpus_.labels[row]) {
      out += comma;
      append_json_string(name(label), out);
      comma = ", ";
    }
    out += "]}";
  }
  std::string csv_header() const { return has_ids() ? "id,text,labels\n" : "text,labels\n"; }
  void csv(std::size_t row, std::string& out) const {
    if (has_ids()) {
      append_csv_field(corpus_.document_ids[row], out);
      out += ',';
    }
    append_csv_field(corpus_.texts[row], out);
    out += ',';
    append_csv_field(joined_labels(row), out);
  }

 private:
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
  check_output_format(format, text_formats());
  check_label_separator(label_separator);
  check_can_hold(corpus, format, label_separator);
  const RowWriter writer(corpus, label_separator);
  const auto write_row = format == "fasttext" ? &RowWriter::fasttext
                         : format == "tsv"    ? &RowWriter::tsv
                         : format == "jsonl"  ? &RowWriter::jsonl
                                              : &RowWriter::csv;
  OutputFile file(path, replace ? IfExists::kReplace : IfExists::kFail);
  if (format == "csv") file.write(writer.csv_header());
  std::string line;
  for (std::size_t row = 0; row < corpus.size(); ++row) {
    line.clear();
    (writer.*write_row)(row, line);
    line += '\n';
    file.write(line);
  }
  file.commit();
}

}  // namespace xylem
