// SPDX-License-Identifier: Apache-2.0
// Where the predictions that `xylem eval` evaluates come from: a file, or a model.
#pragma once

#include <cstddef>
#include <optional>
#include <string>

#include "cli/eval_rows.h"
#include "cli/session.h"
#include "data/match_predictions.h"
#include "tagger/model_rows.h"
#include "tagger/wanted_labels.h"

namespace xylem::cli {

struct PredictionFile {
  std::string path = {};
  std::string format = "auto";
  std::string label_names = {};         // if the file has numbers for labels
  const char* label_names_option = "";  // that says so, for messages
};

MatchedPredictions predictions_in(const PredictionFile& file, const TestRows& rows, const InputOptions& input,
                                  Session& session);

// The k best labels, and with a threshold all that reach it.
WantedLabels evaluated_labels(const Tagger& tagger, std::size_t k, std::optional<double> threshold);

// A model to compare with. It takes the same kind of rows, and its labels are matched as those of a file.
class SecondModel {
 public:
  SecondModel(const std::string& path, std::size_t k, std::optional<double> threshold, Session& session);

  // Throws kUsage if the model takes other rows than these.
  void check_takes(const TestRows& rows) const;
  void tag(const ModelRows& block, Session& session);
  // Of all blocks.
  MatchedPredictions matched(const TestRows& rows, Session& session);

 private:
  std::string path_;
  Tagger tagger_;
  WantedLabels wanted_;
  TopLabels top_;
};

}  // namespace xylem::cli
