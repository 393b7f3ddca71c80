// SPDX-License-Identifier: Apache-2.0
// DXML (Zhang et al., ICMR 2018). Labels that share rows are neighbours in a graph, and random walks over it give every
// label a vector (label_vectors.h); a network with one hidden layer learns to take a row to the mean of its labels'
// vectors (net.h); the training rows that lie nearest to a new row there vote for their labels.
//
// We differ in that the walks are not walked but summed up in closed form by default, in Adam instead of SGD, in that
// features are dropped while the network learns, which matters most on small data, in votes by a power of the cosine
// instead of equal ones, in that this cosine is blended with that of the rows' own features, and in that neighbours may
// know of each other when they vote (kernel_votes.h).
//
// Cost: an epoch multiplies each row's non-zeros with the hidden layer and that with the dimensions, three times over;
// a query does it once, and multiplies with all training rows, or those of the clusters that it looks into.
#include "methods/dxml/dxml.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <utility>

#include "core/fail.h"
#include "core/parallel.h"
#include "methods/dxml/label_vectors.h"
#include "methods/neighbours/neighbour_method.h"

namespace xylem {
namespace {

using namespace dxml;        // NOLINT: this file is the method
using namespace neighbours;  // NOLINT: what it shares with others

constexpr const char* kPrefix = "dxml.";

constexpr std::uint64_t kVectorStream = 0x76656374;
constexpr std::uint64_t kPlannedEdges = 40;  // for each label of a row: how many there are is not known before

// Rows with thousands of labels would make more pairs than anyone has planned memory for.
void check_pairs(const Dataset& data) {
  constexpr std::uint64_t kHarmless = 50'000'000;
  std::uint64_t pairs = 0;
  for (std::size_t row = 0; row < data.size(); ++row) pairs += data.labels[row].size() * data.labels[row].size();
  pairs = std::min<std::uint64_t>(pairs, data.n_labels * data.n_labels);
  if (pairs > std::max(kHarmless, 2 * kPlannedEdges * data.labels.ids.size())) {
    fail(ErrorKind::kMemory,
         "the rows' labels make up to {} pairs, more than memory is planned for: edges=rowwalk needs none", pairs);
  }
}

std::unique_ptr<LabelWalks> label_walks(const Dataset& data, const DxmlOptions& options, const Run& run) {
  if (options.edges == Edges::kRowWalk) return walk_rows(data.labels, data.n_labels);
  if (options.edges != Edges::kFile) {
    check_pairs(data);
    return walk_graph(label_graph(data.labels, data.n_labels, options.edges, run));
  }
  GraphFile file = read_label_graph(options.label_graph, data);
  if (file.n_unknown > 0) {
    run.remark(fmt::format("{}: {} of {} edges are left out, because the data lack a label of theirs",
                           options.label_graph, file.n_unknown, file.n_lines));
  }
  return walk_graph(std::move(file.graph));
}

Matrix make_label_vectors(const LabelWalks& walks, const DxmlOptions& options, const Run& run) {
  const auto dim = static_cast<std::size_t>(options.net.dim);
  Random random(run.seed, {kVectorStream});
  if (options.label_vectors == VectorKind::kNetmf) return netmf_vectors(walks, dim, options.window, random, run);
  return deepwalk_vectors(walks, dim, options.window, options.deepwalk, random.bits(), run);
}

// For the model: the network needs the random vectors, but they say nothing of their labels.
void forget_random_vectors(const LabelWalks& walks, Matrix& vectors) {
  for (std::size_t label = 0; label < walks.degrees().size(); ++label) {
    if (walks.degrees()[label] == 0) vectors.row(static_cast<Eigen::Index>(label)).setZero();
  }
}

Matrix row_targets(const LabelLists& labels, const Matrix& vectors, DxmlTarget target) {
  Matrix targets = Matrix::Zero(static_cast<Eigen::Index>(labels.size()), vectors.cols());
  parallel_for(labels.size(), 256, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) {
      auto row = targets.row(static_cast<Eigen::Index>(i));
      for (const Label label : labels[i]) row += vectors.row(label);
      if (target == DxmlTarget::kUnit) {
        row.normalize();
      } else if (!labels[i].empty()) {
        row /= static_cast<float>(labels[i].size());
      }
    }
  });
  return targets;
}

class DxmlModel final : public NeighbourModelOf<DxmlOptions> {
 public:
  using NeighbourModelOf<DxmlOptions>::NeighbourModelOf;

  std::unique_ptr<Model> learn(const Dataset& rows, const CheckedOptions& settings, const Run& run) const override {
    Matrix targets;
    const auto go_on = [&](const Encoder& from, const Dataset& all, std::span<const float> label_vectors,
                           std::uint64_t seed) {
      const MatrixView vectors(label_vectors.data(), static_cast<Eigen::Index>(all.n_labels), options().net.dim);
      targets = row_targets(all.labels, vectors, options().target);
      auto trainer = std::make_unique<NetTrainer>(all.features, targets, options().net,
                                                  options().team.training.optimiser, seed, run);
      trainer->start_from(from);
      return trainer;
    };
    return learn_rows(kPrefix, *this, rows, settings, go_on, run);
  }
};

DxmlOptions parse(const Settings& settings) {
  auto options = parse_with_votes<DxmlOptions>(settings);
  const bool needs_file = options.edges == Edges::kFile;
  if (needs_file && options.label_graph.empty()) fail(ErrorKind::kUsage, "edges=file needs label_graph=FILE");
  if (!needs_file && !options.label_graph.empty()) {
    fail(ErrorKind::kUsage, "label_graph={} needs edges=file", options.label_graph);
  }
  if (options.label_graph == "-") fail(ErrorKind::kUsage, "label_graph=-: expected a file, which is read twice");
  return options;
}

// Beside what is obvious: four copies of the graph's leading vectors while these are found, the network as it learns
// and as it was at its best and is evaluated, the embedded rows as they are, by cell and packed. A graph
// from a file is not planned for.
MemoryPlan plan(const DataShape& shape, const DxmlOptions& options, std::size_t threads) {
  const auto hidden = static_cast<std::uint64_t>(options.net.hidden), dim = static_cast<std::uint64_t>(options.net.dim);
  const NetShape net{shape.features, hidden, dim};
  const std::uint64_t net_bytes = sizeof(float) * ((shape.features + 1) * hidden + (hidden + 1) * dim);
  const std::uint64_t vectors = sizeof(float) * shape.labels * dim;
  const std::uint64_t saved_net = PackedVectors::bytes(shape.features, hidden, options.team.table_precision) +
                                  sizeof(float) * (hidden + (hidden + 1) * dim);
  const std::uint64_t model = static_cast<std::uint64_t>(options.team.learners) * saved_net +
                              neighbour_bytes(shape, dim, options.team, options.votes, true);
  const std::uint64_t edges = std::min<std::uint64_t>(shape.labels * shape.labels, kPlannedEdges * shape.label_pairs);
  const std::uint64_t graph =
      20 * edges + 8 * shape.labels + 4 * sizeof(float) * shape.labels * (kGraphRank + dim + 32);
  const std::uint64_t batch = sizeof(float) * static_cast<std::uint64_t>(options.net.batch) * (2 * hidden + 3 * dim);
  const std::uint64_t learning = NetTrainer::bytes(net, options.team.training.optimiser) + 2 * net_bytes + batch +
                                 sizeof(float) * 5 * shape.rows * (dim + 8) +
                                 vote_bytes(shape, hidden + dim, options.votes, threads);
  const std::uint64_t weights = weight_bytes(shape, options.votes, threads);
  return {.training = model + vectors + std::max({graph, weights, learning}), .model = model};
}

Trained train(const TrainingData& data, const DxmlOptions& options, const Run& run) {
  const std::vector<std::uint32_t> rows = rows_with_labels(data.train);
  run.check();
  auto walks = label_walks(data.train, options, run);
  Matrix vectors = make_label_vectors(*walks, options, run);
  const Matrix targets = row_targets(data.train.labels, vectors, options.target);
  forget_random_vectors(*walks, vectors);
  walks.reset();
  const auto make_trainer = [&](std::uint64_t seed) {
    return std::make_unique<NetTrainer>(data.train.features, targets, options.net, options.team.training.optimiser,
                                        seed, run);
  };
  const MemberData member_data{data.train, data.valid, rows,
                               std::vector(vectors.data(), vectors.data() + vectors.size())};
  Team team = train_team(member_data, make_trainer, options.team, options.votes, run);
  return finish_training<DxmlModel>(kPrefix, std::move(team), data.train, rows, options);
}

std::unique_ptr<Model> load(ModelReader& in, const ModelShape& shape) {
  const auto options = load_options<DxmlOptions>(in, kPrefix);
  const NetShape net{shape.features, static_cast<std::size_t>(options.net.hidden),
                     static_cast<std::size_t>(options.net.dim)};
  const auto load_net = [&](const std::string& prefix) {
    return std::make_unique<Net>(in, prefix, net, options.net.activation);
  };
  return std::make_unique<DxmlModel>(
      kPrefix, load_parts(in, kPrefix, shape, options.team, options.votes, true, load_net), shape, options);
}

}  // namespace

const Method dxml_method = neighbour_method<DxmlOptions, parse, plan, train>(
    "dxml", "a network takes rows to the vectors of their labels, where the nearest training rows vote", load);

}  // namespace xylem
