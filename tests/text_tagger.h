// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "xylem/tagger.h"

namespace xylem::test {

// For texts. Labels: "bank" u:1 of three rows, "bank" u:2 of two rows, "boat" without an identifier of one row.
inline Tagger text_tagger(const char* method = "popular", Settings settings = {}) {
  Corpus corpus;
  for (const auto& [name, id] : {std::pair{"bank", "u:1"}, {"bank", "u:2"}, {"boat", ""}}) {
    corpus.label_names.push_back(name);
    corpus.label_ids.push_back(id);
  }
  const char* const texts[] = {"money and interest", "money",       "interest on money", "river",
                               "river shore",        "sail and oar"};
  for (const Label label : {0U, 0U, 0U, 1U, 1U, 2U}) {
    corpus.texts.push_back(texts[corpus.labels.size()]);
    corpus.labels.push_back(std::vector<Label>{label});
  }
  TrainOptions options;
  options.method = method;
  options.settings = std::move(settings);
  return Tagger::train(corpus, options, {});
}

// For sparse rows with numbers for labels, both counted from 1.
inline Tagger row_tagger() {
  Dataset data;
  for (const Label label : {0U, 0U, 1U}) {
    data.features.push_back({std::vector<Feature>{label}, std::vector<float>{1}});
    data.labels.push_back(std::vector<Label>{label});
  }
  data.features.n_columns = data.n_labels = 2;
  data.first_ids = {1, 1};
  TrainOptions options;
  options.method = "popular";
  return Tagger::train(std::move(data), options, {});
}

}  // namespace xylem::test
