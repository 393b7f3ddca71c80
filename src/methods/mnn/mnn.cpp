// SPDX-License-Identifier: Apache-2.0
// MNN (Zhao et al., 2020). Features and labels have vectors in one space, learned so that a row, the weighted mean of
// its features' vectors, is near to its set of labels, the mean of theirs, and not near to the nearest of some other
// rows' sets (match_loss.h).
//
// The paper does not say how labels are predicted. The training rows that lie nearest to a new row vote for their
// labels, or the labels' own vectors are looked at, or both (label_share). The vote is of the cosine blended with that
// of the rows' own features, as in dxml. Negatives are the label sets of the same batch: as good as any, and their
// vectors are there already.
//
// Cost: an epoch multiplies each row's non-zeros with the dimensions, three times over; a query does it once, and
// multiplies with all training rows, or those of the clusters that it looks into.
#include "methods/mnn/mnn.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "methods/neighbours/neighbour_method.h"

namespace xylem {
namespace {

using namespace mnn;         // NOLINT: this file is the method
using namespace neighbours;  // NOLINT: what it shares with others

constexpr const char* kPrefix = "mnn.";

class MnnModel final : public NeighbourModelOf<MnnOptions> {
 public:
  using NeighbourModelOf<MnnOptions>::NeighbourModelOf;

  std::unique_ptr<Model> learn(const Dataset& rows, const CheckedOptions& settings, const Run& run) const override {
    const auto go_on = [&](const Encoder& from, const Dataset& all, std::span<const float> label_vectors,
                           std::uint64_t seed) {
      auto trainer = std::make_unique<NetsTrainer>(all, options().nets, options().team.training.optimiser, seed, run);
      trainer->start_from(from, label_vectors);
      return trainer;
    };
    return learn_rows(kPrefix, *this, rows, settings, go_on, run);
  }
};

// Beside what is obvious: the nets as they learn, as they were at their best and as they are evaluated, and the
// embedded rows as they are, by cell and packed.
MemoryPlan plan(const DataShape& shape, const MnnOptions& options, std::size_t threads) {
  const auto dim = static_cast<std::uint64_t>(options.nets.dim);
  const std::uint64_t saved_net = PackedVectors::bytes(shape.features, dim, options.team.table_precision);
  const std::uint64_t model = static_cast<std::uint64_t>(options.team.learners) * saved_net +
                              neighbour_bytes(shape, dim, options.team, options.votes, false);
  const std::uint64_t encoder = sizeof(float) * (shape.features + shape.labels) * dim;
  const std::uint64_t batch = sizeof(float) * 4 * static_cast<std::uint64_t>(options.nets.batch) * dim;
  const std::uint64_t learning =
      NetsTrainer::bytes(shape.features, shape.labels, shape.label_pairs, dim, options.team.training.optimiser) +
      2 * encoder + batch + sizeof(float) * 5 * shape.rows * (dim + 8) + vote_bytes(shape, dim, options.votes, threads);
  return {.training = model + std::max(learning, weight_bytes(shape, options.votes, threads)), .model = model};
}

Trained train(const TrainingData& data, const MnnOptions& options, const Run& run) {
  const std::vector<std::uint32_t> rows = rows_with_labels(data.train);
  const auto make_trainer = [&](std::uint64_t seed) {
    return std::make_unique<NetsTrainer>(data.train, options.nets, options.team.training.optimiser, seed, run);
  };
  Team team = train_team({data.train, data.valid, rows}, make_trainer, options.team, options.votes, run);
  return finish_training<MnnModel>(kPrefix, std::move(team), data.train, rows, options);
}

std::unique_ptr<Model> load(ModelReader& in, const ModelShape& shape) {
  const auto options = load_options<MnnOptions>(in, kPrefix);
  const auto load_net = [&](const std::string& prefix) {
    return std::make_unique<AveragingNet>(in, prefix, shape.features, static_cast<std::size_t>(options.nets.dim));
  };
  return std::make_unique<MnnModel>(
      kPrefix, load_parts(in, kPrefix, shape, options.team, options.votes, false, load_net), shape, options);
}

}  // namespace

const Method mnn_method = neighbour_method<MnnOptions, parse_with_votes<MnnOptions>, plan, train>(
    "mnn", "features and labels get vectors that match, and the nearest training rows vote", load);

}  // namespace xylem
