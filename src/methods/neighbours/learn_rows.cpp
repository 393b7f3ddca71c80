// SPDX-License-Identifier: Apache-2.0
#include "methods/neighbours/learn_rows.h"

#include <utility>
#include <vector>

#include "core/fail.h"
#include "core/random.h"

namespace xylem::neighbours {
namespace {

using Eigen::Index;

constexpr std::uint64_t kLearnStream = 0x67726f77;

// Old vectors stay. One that is missing takes the direction of its rows' mean and the length that others have.
Array<float> add_label_vectors(const Array<float>& old, const Dataset& rows, const Matrix& embedded) {
  Matrix vectors = Matrix::Zero(static_cast<Index>(rows.n_labels), embedded.cols());
  std::copy(old.begin(), old.end(), vectors.data());
  const Eigen::VectorXf lengths = vectors.rowwise().norm();
  const auto n_known = static_cast<float>((lengths.array() > 0).count());
  const float usual = n_known > 0 ? lengths.sum() / n_known : 1;
  for (std::size_t row = 0; row < rows.size(); ++row) {
    for (const Label label : rows.labels[row]) {
      if (lengths[label] == 0) vectors.row(label) += embedded.row(static_cast<Index>(row));
    }
  }
  for (Index label = 0; label < vectors.rows(); ++label) {
    if (lengths[label] == 0) vectors.row(label) = usual * vectors.row(label).normalized();
  }
  return std::vector<float>(vectors.data(), vectors.data() + vectors.size());
}

}  // namespace

NeighbourModel::Parts add_rows(const NeighbourModel::Parts& parts, const Dataset& rows, const TeamOptions& team,
                               const VoteOptions& votes, const LearnRowsOptions& options, const GoOn& go_on,
                               const Run& run) {
  const bool trains_on = options.epochs > 0;
  if (trains_on && !parts.rows.has_features()) {
    fail(ErrorKind::kUsage,
         "epochs={}: a model with blend=0 does not hold the features of its rows, from which it would learn on",
         options.epochs);
  }
  NeighbourModel::Parts more{.members = {},
                             .shares_label_vectors = parts.shares_label_vectors,
                             .label_vectors = {},
                             .rows = parts.rows.with(rows)};
  Dataset all;
  if (trains_on) all = more.rows.dataset({rows.features.n_columns, rows.n_labels});
  // Whoever learns on needs a vector for every label that has a row, also for those of old rows alone.
  const Dataset& with_vectors = trains_on ? all : rows;
  std::vector<Matrix> embedded;
  for (std::size_t i = 0; i < parts.members.size(); ++i) {
    embedded.push_back(embed_rows(*parts.members[i].encoder, with_vectors.features.rows(), run));
    if (i < parts.label_vectors.size()) {
      more.label_vectors.push_back(add_label_vectors(parts.label_vectors[i], with_vectors, embedded[i]));
    }
  }
  if (!trains_on) {
    for (std::size_t i = 0; i < parts.members.size(); ++i) {
      more.members.push_back({parts.members[i].encoder, NeighbourIndex(parts.members[i].index, embedded[i], run)});
    }
    return more;
  }

  TeamOptions once = team;
  once.training.epochs = options.epochs;
  once.training.optimiser.rate = options.rate;
  const std::vector<std::uint32_t> order = rows_with_labels(all);
  for (std::size_t i = 0; i < parts.members.size(); ++i) {
    const std::uint64_t seed = Random(run.seed, {kLearnStream, i}).bits();
    Array<float>& label_vectors = more.label_vectors[parts.shares_label_vectors ? 0 : i];
    const auto trainer = go_on(*parts.members[i].encoder, all, label_vectors.span(), seed);
    TrainedMember trained = train_member({all, nullptr, order}, *trainer, once, votes, seed, "learn", run);
    if (!parts.shares_label_vectors) label_vectors = trained.encoder->label_vectors();
    if (team.table_precision != Precision::kFloat) trained.encoder = trained.encoder->packed(team.table_precision);
    const NeighbourIndex::Options cells{static_cast<std::size_t>(votes.clusters), Nearness::kCosine, votes.precision};
    NeighbourIndex index(embed_rows(*trained.encoder, all.features.rows(), run), cells, Random(seed, {}), run);
    more.members.push_back({std::move(trained.encoder), std::move(index)});
  }
  return more;
}

}  // namespace xylem::neighbours
