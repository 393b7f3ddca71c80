// SPDX-License-Identifier: Apache-2.0
#include "results/prediction_writer.h"

#include <fmt/format.h>

#include <iterator>

#include "data/format.h"
#include "data/label_rules.h"
#include "data/predictions.h"
#include "results/label_json.h"

namespace xylem {

PredictionWriter::PredictionWriter(std::string_view format, const Tagger& tagger) : format_(format), tagger_(tagger) {
  if (format == "fasttext") check_labels_fit(tagger.label_names(), format, ',');
}

std::string PredictionWriter::header(std::size_t n_rows) const {
  return format_ == "xmlrepo" ? xmlrepo_header(n_rows, tagger_.n_labels()) : "";
}

void PredictionWriter::append(const TopLabels& top, const TextList& document_ids, std::string& out) const {
  for (std::size_t row = 0; row < top.size(); ++row) {
    if (format_ == "xmlrepo") append_xmlrepo_row(top, row, tagger_.first_ids().label, out);
    if (format_ == "jsonl") append_jsonl(top, row, document_ids, out);
    if (format_ == "fasttext") append_fasttext(top, row, out);
  }
}

void PredictionWriter::append_jsonl(const TopLabels& top, std::size_t row, const TextList& document_ids,
                                    std::string& out) const {
  out += '{';
  if (document_ids.size() > 0 && !document_ids[row].empty()) {
    fmt::format_to(std::back_inserter(out), "\"id\":{},", document_ids[row]);
  }
  out += "\"labels\":";
  append_labels_json(tagger_, top, row, "score", out);
  out += "}\n";
}

void PredictionWriter::append_fasttext(const TopLabels& top, std::size_t row, std::string& out) const {
  for (std::size_t i = 0; i < top.row_labels(row).size(); ++i) {
    fmt::format_to(std::back_inserter(out), "{}{}{} {}", i == 0 ? "" : " ", kFasttextPrefix,
                   tagger_.label_name(top.row_labels(row)[i]), top.row_scores(row)[i]);
  }
  out += '\n';
}

}  // namespace xylem
