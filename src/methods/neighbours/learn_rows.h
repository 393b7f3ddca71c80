// SPDX-License-Identifier: Apache-2.0
// More rows, and labels that are new, for a model that has learned.
#pragma once

#include <functional>
#include <memory>
#include <span>

#include "core/options.h"
#include "methods/neighbours/neighbour_model.h"

namespace xylem::neighbours {

struct LearnRowsOptions {
  int epochs = 0;
  double rate = 0.0003;

  void fields(auto&& field) {
    field("epochs", epochs, "passes over all rows, old and new, by which the network learns on; 0: it stays as it is",
          Range{0, 100000});
    field("rate", rate, "length of its steps", Range{1e-9, 100});
  }
};

// An encoder that goes on learning, from these rows and label vectors (labels × dim).
using GoOn = std::function<std::unique_ptr<EncoderTrainer>(const Encoder& from, const Dataset& rows,
                                                           std::span<const float> label_vectors, std::uint64_t seed)>;

// `rows` all have labels, the model's first and new ones behind. They join the indexes in the cells that there are, and
// a label without a vector gets that of its rows' mean; then, if asked, the encoders learn on.
NeighbourModel::Parts add_rows(const NeighbourModel::Parts& parts, const Dataset& rows, const TeamOptions& team,
                               const VoteOptions& votes, const LearnRowsOptions& options, const GoOn& go_on,
                               const Run& run);

// The same for a whole model of a method, which is a NeighbourModelOf some options: its Model::learn.
template <class ModelType>
std::unique_ptr<Model> learn_rows(const std::string& prefix, const ModelType& model, const Dataset& rows,
                                  const CheckedOptions& settings, const GoOn& go_on, const Run& run) {
  const auto& options = model.options();
  return std::make_unique<ModelType>(
      prefix, add_rows(model.parts(), rows, options.team, options.votes, settings.as<LearnRowsOptions>(), go_on, run),
      ModelShape{rows.features.n_columns, rows.n_labels}, options);
}

}  // namespace xylem::neighbours
