// SPDX-License-Identifier: Apache-2.0
// DXML (Zhang et al., ICMR 2018). Labels that share rows are neighbours in a graph, and random walks over it give every
// label a vector (label_vectors.h); a network with one hidden layer learns to take a row to the mean of its labels'
// vectors (net.h); the training rows that lie nearest to a new row there vote for their labels.
//
// We differ in that the walks are not walked but summed up in closed form by default, in Adam instead of SGD, in that
// features are dropped while the network learns, which matters most on small data, in votes by a power of the cosine
// instead of equal ones, and in that this cosine is blended with that of the rows' own features.
//
// Cost: an epoch multiplies each row's non-zeros with the hidden layer and that with the dimensions, three times over;
// a query does it once, and multiplies with all training rows, or those of the clusters that it looks into.
#include "methods/dxml/dxml.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <utility>

#include "core/fail.h"
#include "core/interruption.h"
#include "core/parallel.h"
#include "learn/explain.h"
#include "learn/neighbour_index.h"
#include "methods/dxml/choose.h"
#include "methods/dxml/label_vectors.h"
#include "methods/dxml/learner.h"
#include "methods/dxml/own_cosines.h"
#include "methods/dxml/stored_rows.h"
#include "methods/dxml/votes.h"
#include "model_file/saved_options.h"

namespace xylem {
namespace {

using namespace dxml;  // NOLINT: this file is the method

constexpr std::uint64_t kVectorStream = 0x76656374;
constexpr std::uint64_t kLearnerStream = 0x6c656172;
constexpr std::uint64_t kIndexStream = 0x696e6465;
constexpr std::size_t kRowsAtOnce = 64;
constexpr std::uint64_t kPlannedEdges = 40;  // for each label of a row: how many there are is not known before

struct DxmlScratch {
  Matrix hidden, embedded;
  NeighbourScratch neighbours;
  SpreadRow query;
  TopK best;
  std::vector<std::vector<Scored>> found;  // of each row at once, the neighbours in all learners' eyes
  Votes votes;
};

class DxmlModel : public Model {
 public:
  struct Learner {
    Net net;
    NeighbourIndex index;
  };
  DxmlModel(std::vector<Learner> learners, StoredRows rows, Array<float> label_vectors, const ModelShape& shape,
            const DxmlOptions& options)
      : learners_(std::move(learners)),
        rows_(std::move(rows)),
        label_vectors_(std::move(label_vectors)),
        shape_(shape),
        options_(options) {}

  void predict(SparseRows block, std::size_t k, Scratch& scratch, TopLabels& out) const override {
    auto& buffers = scratch.as<DxmlScratch>();
    buffers.votes.resize(shape_.labels);
    for (std::size_t begin = 0; begin < block.size(); begin += kRowsAtOnce) {
      const std::size_t n = std::min(kRowsAtOnce, block.size() - begin);
      find_neighbours(block.slice(begin, n), buffers);
      for (std::size_t i = 0; i < n; ++i) {
        for (const Scored& neighbour : buffers.found[i]) {
          buffers.votes.add(neighbour, options_.vote_power, rows_.labels(neighbour.id));
        }
        buffers.votes.finish(k, out);
      }
    }
  }

  Explanation explain(SparseRow row, Label label, Scratch& scratch) const override {
    Explanation result = Model::explain(row, label, scratch);
    auto& buffers = scratch.as<DxmlScratch>();
    const std::uint64_t offsets[] = {0, row.size()};
    find_neighbours({offsets, row.ids.data(), row.values.data()}, buffers);
    std::vector<Scored>& found = buffers.found.front();
    std::ranges::sort(found, better);
    for (const Scored& neighbour : found) {
      const auto labels = rows_.labels(neighbour.id);
      if (!std::ranges::binary_search(labels, label)) continue;
      result.neighbours.push_back({rows_.number(neighbour.id),
                                   static_cast<double>(neighbour.score),
                                   neighbour.score > 0,
                                   {labels.begin(), labels.end()}});
    }
    if (!result.rank && !rows_.has_label(label)) result.basis = kNeverLearned;
    return result;
  }

  LabelVectors label_vectors() const override {
    return {label_vectors_.span(), static_cast<std::size_t>(options_.net.dim)};
  }

  void save(ModelWriter& out) const override {
    save_options(out, "dxml.", options_);
    for (std::size_t i = 0; i < learners_.size(); ++i) {
      learners_[i].net.save(out, prefix(i) + "net");
      learners_[i].index.save(out, prefix(i) + "index");
    }
    rows_.save(out, "dxml.");
    out.array("dxml.label_vectors", label_vectors_, {shape_.labels, static_cast<std::uint64_t>(options_.net.dim)});
  }

  static std::string prefix(std::size_t learner) { return "dxml." + std::to_string(learner) + "."; }

 private:
  void find_neighbours(SparseRows rows, DxmlScratch& buffers) const {
    buffers.found.resize(std::max(buffers.found.size(), rows.size()));
    for (auto& found : buffers.found) found.clear();
    for (const Learner& learner : learners_) {
      learner.net.embed(rows, buffers.hidden, buffers.embedded);
      const auto k = static_cast<std::size_t>(options_.k);
      learner.index.search(buffers.embedded,
                           search_depth(k, static_cast<std::size_t>(options_.candidates), options_.blend, rows_.size()),
                           static_cast<std::size_t>(options_.probes), buffers.neighbours);
      for (std::size_t i = 0; i < rows.size(); ++i) {
        TopK& candidates = buffers.neighbours.best[i];
        if (options_.blend > 0) look_at_features(rows[i], k, candidates, buffers);
        const auto voters = (options_.blend > 0 ? buffers.best : candidates).sorted();
        buffers.found[i].insert(buffers.found[i].end(), voters.begin(), voters.end());
      }
    }
  }

  // The k best when the candidates' cosines are blended with those of the rows themselves.
  void look_at_features(SparseRow query, std::size_t k, TopK& candidates, DxmlScratch& buffers) const {
    buffers.query.assign(query, shape_.features);
    buffers.best.reset(k);
    for (const Scored& candidate : candidates.sorted()) {
      const float own = buffers.query.product(rows_.features(candidate.id));
      buffers.best.offer(blended(candidate.score, own, options_.blend), candidate.id);
    }
  }

  std::vector<Learner> learners_;
  StoredRows rows_;             // those of the training data that have labels, which the index finds
  Array<float> label_vectors_;  // labels × dim
  ModelShape shape_;
  DxmlOptions options_;  // with what was chosen
};

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

Matrix learn_label_vectors(const LabelWalks& walks, const DxmlOptions& options, const Run& run) {
  const auto dim = static_cast<std::size_t>(options.net.dim);
  Random random(run.seed, {kVectorStream});
  if (options.label_vectors == VectorKind::kNetmf) return netmf_vectors(walks, dim, options.window, random, run);
  return deepwalk_vectors(walks, dim, options.window, options.deepwalk, random.bits(), run);
}

// For the model: without the random vectors, which the network needs but which say nothing of their labels.
Array<float> known_vectors(const LabelWalks& walks, const Matrix& vectors) {
  std::vector<float> known(vectors.data(), vectors.data() + vectors.size());
  const auto dim = static_cast<std::size_t>(vectors.cols());
  for (std::size_t label = 0; label < walks.degrees().size(); ++label) {
    if (walks.degrees()[label] == 0) std::fill_n(known.data() + label * dim, dim, 0.0f);
  }
  return known;
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

DxmlOptions checked_options(const Settings& settings) {
  auto options = parse_options<DxmlOptions>(settings);
  const bool needs_file = options.edges == Edges::kFile;
  if (needs_file && options.label_graph.empty()) fail(ErrorKind::kUsage, "edges=file needs label_graph=FILE");
  if (!needs_file && !options.label_graph.empty()) {
    fail(ErrorKind::kUsage, "label_graph={} needs edges=file", options.label_graph);
  }
  if (options.label_graph == "-") fail(ErrorKind::kUsage, "label_graph=-: expected a file, which is read twice");
  if (options.blend < 0 && options.blend != -1) {
    fail(ErrorKind::kUsage, "blend={}: expected -1, or a number from 0 to 1", options.blend);
  }
  const Schedule schedule = options.net.optimiser.schedule;
  if (options.epochs == 0 && (schedule == Schedule::kLinear || schedule == Schedule::kCosine)) {
    fail(ErrorKind::kUsage, "schedule={} needs epochs=N, because it falls to 0 with the last of them",
         choice_names(schedule)[static_cast<std::size_t>(schedule)]);
  }
  return options;
}

bool chooses(const Settings& settings) {
  const auto options = checked_options(settings);
  return options.k == 0 || options.epochs == 0 || options.blend < 0;
}

// Beside what is obvious: four copies of the graph's leading vectors while these are found, the network as it learns
// and as it was at its best and is evaluated, the embedded rows as they are, by cell and packed. A graph
// from a file is not planned for.
MemoryPlan plan(const DataShape& shape, const Settings& settings, std::size_t threads) {
  const auto options = parse_options<DxmlOptions>(settings);
  const auto hidden = static_cast<std::uint64_t>(options.net.hidden), dim = static_cast<std::uint64_t>(options.net.dim);
  const auto learners = static_cast<std::uint64_t>(options.learners);
  const NetShape net{shape.features, hidden, dim};
  const std::uint64_t net_bytes = sizeof(float) * ((shape.features + 1) * hidden + (hidden + 1) * dim);
  const std::uint64_t index_bytes =
      NeighbourIndex::bytes(shape.rows, dim, {cluster_count(options, shape.rows), {}, options.precision});
  const std::uint64_t rows = StoredRows::bytes(shape, options.blend != 0);
  const std::uint64_t vectors = sizeof(float) * shape.labels * dim;
  const std::uint64_t saved_net = PackedVectors::bytes(shape.features, hidden, options.table_precision) +
                                  sizeof(float) * (hidden + (hidden + 1) * dim);
  const std::uint64_t model = learners * (saved_net + index_bytes) + rows + vectors + 4096;
  const std::uint64_t edges = std::min<std::uint64_t>(shape.labels * shape.labels, kPlannedEdges * shape.label_pairs);
  const std::uint64_t graph =
      20 * edges + 8 * shape.labels + 4 * sizeof(float) * shape.labels * (kGraphRank + dim + 32);
  const std::uint64_t depth = search_depth(static_cast<std::size_t>(std::max(options.k, 512)),
                                           static_cast<std::size_t>(options.candidates), options.blend, shape.rows);
  constexpr std::uint64_t kHeldOutNeighbours = 5000 * 5 * 120 * sizeof(Scored);  // by row, blend and rank (choose.h)
  const std::uint64_t batch = sizeof(float) * static_cast<std::uint64_t>(options.net.batch) * (2 * hidden + 3 * dim);
  const std::uint64_t learning =
      NetTrainer::bytes(net, options.net.optimiser) + 2 * net_bytes + batch +
      sizeof(float) * 5 * shape.rows * (dim + 8) +
      threads * sizeof(float) * (shape.labels + shape.features + kRowsAtOnce * (hidden + dim)) +
      threads * sizeof(Scored) * kRowsAtOnce * depth + kHeldOutNeighbours;
  return {.training = model + vectors + std::max(graph, learning), .model = model};
}

Trained train(const TrainingData& data, const Settings& settings, const Run& run) {
  fix_dense_blocking();
  auto options = checked_options(settings);
  std::vector<std::uint32_t> rows;
  for (std::uint32_t row = 0; row < data.train.size(); ++row) {
    if (!data.train.labels[row].empty()) rows.push_back(row);
  }
  run.check();
  auto walks = label_walks(data.train, options, run);
  const Matrix vectors = learn_label_vectors(*walks, options, run);
  Array<float> known = known_vectors(*walks, vectors);
  walks.reset();
  const Matrix targets = row_targets(data.train.labels, vectors, options.target);

  const LearnerData learner_data{data.train, data.valid, targets, rows};
  std::vector<DxmlModel::Learner> learners;
  std::string interrupted;
  const auto add_learner = [&] {
    const std::size_t number = learners.size();
    const std::uint64_t seed = Random(run.seed, {kLearnerStream, number}).bits();
    const std::string name = options.learners == 1 ? "train" : "train " + std::to_string(number + 1);
    Run of_learner = run;
    if (number > 0) of_learner.keep_unfinished = false;  // the others do better without it
    Learned learned = train_learner(learner_data, options, seed, name, of_learner);
    // What the first has chosen is for all.
    options.epochs = static_cast<int>(learned.epochs);
    options.k = static_cast<int>(learned.k);
    options.blend = learned.blend;
    const Run finishing = of_learner.to_the_end();
    if (options.clusters == 0 || options.probes == 0) {
      const CellChoice cells =
          choose_cells(learned.net, learner_data, options, Random(seed, {kIndexStream}), finishing);
      options.clusters = static_cast<int>(cells.clusters);
      options.probes = static_cast<int>(cells.probes);
    }
    if (options.table_precision != Precision::kFloat) learned.net = learned.net.packed(options.table_precision);
    if (learned.interrupted) interrupted = "epoch " + std::to_string(learned.epochs);
    const NeighbourIndex::Options index{static_cast<std::size_t>(options.clusters), Nearness::kCosine,
                                        options.precision};
    NeighbourIndex found(embed_rows(learned.net, data.train.features.rows(), rows, finishing), index,
                         Random(seed, {kIndexStream}), finishing);
    learners.push_back({std::move(learned.net), std::move(found)});
  };
  const auto wanted = static_cast<std::size_t>(options.learners);
  const auto add_learners = [&] {
    while (learners.size() < wanted && interrupted.empty()) {
      run.check();
      add_learner();
    }
  };
  stopped_early(run, add_learners, [&] { return !learners.empty(); });
  Settings chosen = {{"epochs", std::to_string(options.epochs)},
                     {"k", std::to_string(options.k)},
                     {"blend", fmt::format("{}", options.blend)},
                     {"clusters", std::to_string(options.clusters)},
                     {"probes", std::to_string(options.probes)}};
  if (learners.size() < wanted) {
    options.learners = static_cast<int>(learners.size());
    chosen["learners"] = std::to_string(options.learners);
    interrupted += fmt::format("{}{} of {} learners", interrupted.empty() ? "" : ", ", options.learners, wanted);
  }
  const ModelShape shape{data.train.features.n_columns, data.train.n_labels};
  return {std::make_unique<DxmlModel>(std::move(learners), StoredRows(data.train, rows, options.blend > 0),
                                      std::move(known), shape, options),
          std::move(chosen), interrupted};
}

std::unique_ptr<Model> load(ModelReader& in, const ModelShape& shape) {
  fix_dense_blocking();
  const auto options = load_options<DxmlOptions>(in, "dxml.");
  if (options.k == 0 || options.clusters == 0 || options.probes == 0) {
    in.damaged(fmt::format("damaged: dxml.k, dxml.clusters and dxml.probes are {}, {} and {}, expected at least 1",
                           options.k, options.clusters, options.probes));
  }
  if (options.blend < 0) in.damaged(fmt::format("damaged: dxml.blend is {}, expected at least 0", options.blend));
  StoredRows rows(in, "dxml.", shape);
  const NetShape net{shape.features, static_cast<std::size_t>(options.net.hidden),
                     static_cast<std::size_t>(options.net.dim)};
  std::vector<DxmlModel::Learner> learners;
  for (std::size_t i = 0; i < static_cast<std::size_t>(options.learners); ++i) {
    const std::string prefix = DxmlModel::prefix(i);
    learners.push_back({Net(in, prefix + "net", net, options.net.activation),
                        NeighbourIndex(in, prefix + "index", rows.size(), net.dim)});
  }
  return std::make_unique<DxmlModel>(std::move(learners), std::move(rows),
                                     in.finite("dxml.label_vectors", shape.labels * net.dim), shape, options);
}

}  // namespace

const Method dxml_method = {
    .name = "dxml",
    .summary = "a network takes rows to the vectors of their labels, where the nearest training rows vote",
    .options = describe_options<DxmlOptions>,
    .values = complete_settings<DxmlOptions>,
    .chooses = chooses,
    .plan = plan,
    .train = train,
    .load = load,
    .has_label_vectors = true,
};

}  // namespace xylem
