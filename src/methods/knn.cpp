// SPDX-License-Identifier: Apache-2.0
// Sparse cosine neighbours, the oldest method there is: the k training rows with the largest cosine to a row vote for
// their labels, each with its cosine. The score of a label is its share of the votes. The search is exact, over an
// inverted index: a query costs the number of training non-zeros that share a feature with it, training costs one pass
// over the data, the model is the training set turned around. k is chosen by nDCG@5 on validation rows unless given.
#include "methods/knn.h"

#include <algorithm>
#include <cassert>
#include <span>
#include <utility>
#include <vector>

#include "algorithms/explain.h"
#include "algorithms/inverted_index.h"
#include "algorithms/row_scaling.h"
#include "algorithms/validation.h"
#include "core/parallel.h"
#include "core/progress.h"
#include "methods/typed.h"

namespace xylem {
namespace {

constexpr std::size_t kCandidates[] = {1, 2, 3, 5, 7, 10, 15, 20, 30, 50, 70, 100, 150, 200};

constexpr std::size_t kFarNeighbours = 5;  // shown for a label that none of those that vote has

struct KnnScratch {
  std::vector<float> cosines;  // n_rows
  TopK neighbours;
  std::vector<float> votes;  // n_labels, all 0 between rows
  std::vector<Label> voted;
  TopK labels;
};

class KnnModel : public Model {
 public:
  KnnModel(InvertedIndex index, Array<std::uint64_t> label_offsets, Array<Label> labels, std::size_t n_labels,
           std::size_t k)
      : index_(std::move(index)),
        label_offsets_(std::move(label_offsets)),
        labels_(std::move(labels)),
        n_labels_(n_labels),
        k_(k) {}

  void predict(const RowBlock& block, std::size_t k, Scratch& scratch, TopLabels& out) const override {
    auto& buffers = scratch.as<KnnScratch>();
    for (std::size_t row = 0; row < block.size(); ++row) vote(search(block.rows[row], k_, buffers), k, buffers, out);
  }

  Explanation explain(const RowBlock& block, Label label, Scratch& scratch) const override {
    const SparseRow row = block.rows[0];
    Explanation result = place_label(*this, block, label, scratch);
    double all_votes = 0;
    std::size_t place = 0;
    for (const Scored& neighbour : search(row, index_.n_rows(), scratch.as<KnnScratch>())) {
      const bool votes = place++ < k_;
      if (!votes && (result.rank || result.neighbours.size() == kFarNeighbours)) break;
      if (votes) all_votes += static_cast<double>(neighbour.score);
      const auto labels = labels_of(neighbour.id);
      if (!std::ranges::binary_search(labels, label)) continue;
      result.neighbours.push_back(
          {neighbour.id, static_cast<double>(neighbour.score), votes, {labels.begin(), labels.end()}});
    }
    if (result.rank) {
      result.basis = "parts of the score, which is the share of the votes of the nearest training rows";
      add_evidence(row, all_votes, result);
    } else if (!result.neighbours.empty()) {
      result.basis = "parts of the mean cosine of the nearest training rows with this label, too far away to vote";
      add_evidence(row, static_cast<double>(result.neighbours.size()), result);
    } else {
      const bool learned = std::ranges::find(labels_, label) != labels_.end();
      result.basis = learned ? "no training row with this label has a feature in common with this row" : kNoTrainingRow;
    }
    return result;
  }

  // The same with more rows that vote.
  std::unique_ptr<Model> learn(const Dataset& rows, const CheckedOptions&, const Run&) const override {
    std::vector<std::uint64_t> offsets;
    offsets.reserve(label_offsets_.size() + rows.size());
    offsets.assign(label_offsets_.begin(), label_offsets_.end());
    for (std::size_t row = 0; row < rows.size(); ++row) offsets.push_back(offsets.back() + rows.labels[row].size());
    std::vector<Label> labels;
    labels.reserve(labels_.size() + rows.labels.ids.size());
    labels.assign(labels_.begin(), labels_.end());
    labels.insert(labels.end(), rows.labels.ids.begin(), rows.labels.ids.end());
    return std::make_unique<KnnModel>(InvertedIndex(rows.features.rows(), rows.features.n_columns, &index_),
                                      std::move(offsets), std::move(labels), rows.n_labels, k_);
  }

  void save(ModelWriter& out) const override {
    out.text("knn.k", std::to_string(k_));
    index_.save(out, "knn.index");
    out.array("knn.label_offsets", label_offsets_);
    out.array("knn.labels", labels_);
  }

  std::span<const Scored> search(SparseRow row, std::size_t n_neighbours, KnnScratch& buffers) const {
    index_.search(row, n_neighbours, buffers.cosines, buffers.neighbours);
    return buffers.neighbours.sorted();
  }

  // Appends the k labels with most votes.
  void vote(std::span<const Scored> neighbours, std::size_t k, KnnScratch& buffers, TopLabels& out) const {
    buffers.votes.resize(n_labels_);
    float all_votes = 0;
    for (const Scored& neighbour : neighbours) {
      all_votes += neighbour.score;
      for (const Label label : labels_of(neighbour.id)) {
        float& votes = buffers.votes[label];
        if (votes == 0) buffers.voted.push_back(label);
        votes += neighbour.score;
      }
    }
    buffers.labels.reset(k);
    for (const Label label : buffers.voted) {
      buffers.labels.offer(std::exchange(buffers.votes[label], 0.0f) / all_votes, label);
    }
    buffers.voted.clear();
    for (const Scored& best : buffers.labels.sorted()) out.push_back(best.id, best.score);
    out.end_row();
  }

 private:
  std::span<const Label> labels_of(std::size_t row) const {
    return labels_.span().subspan(label_offsets_[row], label_offsets_[row + 1] - label_offsets_[row]);
  }

  // What each feature brings to the cosines of the neighbours, divided by `whole`.
  void add_evidence(SparseRow row, double whole, Explanation& result) const {
    const double scale = unit_scale(row);
    for (std::size_t i = 0; i < row.size(); ++i) {
      double sum = 0;
      for (const Neighbour& neighbour : result.neighbours) {
        sum += static_cast<double>(index_.value(neighbour.row, row.ids[i]));
      }
      result.evidence.push_back({row.ids[i], static_cast<double>(row.values[i]) * scale * sum / whole});
    }
    order_evidence(result.evidence);
  }

  InvertedIndex index_;
  Array<std::uint64_t> label_offsets_;  // of each training row into labels_
  Array<Label> labels_;
  std::size_t n_labels_;
  std::size_t k_;
};

KnnModel make_model(const Dataset& data, std::size_t k) {
  return {InvertedIndex(data.features.rows(), data.features.n_columns), data.labels.offsets, data.labels.ids,
          data.n_labels, k};
}

// The candidate with the best figure, the smallest of equals. The neighbours are searched once, for the largest.
std::size_t choose_k(const Dataset& train, const Dataset& valid, const Run& run) {
  const KnnModel model = make_model(train, 0);
  const std::size_t most = std::min(std::ranges::max(kCandidates), std::max<std::size_t>(1, train.size()));
  std::vector<std::vector<Scored>> neighbours(valid.size());
  PerWorker<KnnScratch> scratch;
  ProgressCounter progress(run, "choose k", "rows", valid.size());
  parallel_for(valid.size(), 32, [&](std::size_t begin, std::size_t end) {
    for (std::size_t row = begin; row < end; ++row) {
      const auto found = model.search(valid.features[row], most, scratch.local());
      neighbours[row].assign(found.begin(), found.end());
    }
    progress.add(end - begin);
  });

  std::size_t best_k = 1;
  double best_figure = -1;
  for (const std::size_t k : kCandidates) {
    if (k > most) break;
    TopLabels predictions;
    for (const auto& found : neighbours) {
      model.vote(std::span(found).first(std::min(k, found.size())), kFigureDepth, scratch.local(), predictions);
    }
    const double figure = validation_figure(valid.labels, predictions);
    if (figure > best_figure) {
      best_figure = figure;
      best_k = k;
    }
  }
  return best_k;
}

bool chooses(const KnnOptions& options) {
  return options.k == 0;
}

MemoryPlan plan(const DataShape& shape, const KnnOptions&, std::size_t threads) {
  const std::uint64_t index = InvertedIndex::bytes(shape.nonzeros, shape.features);
  const std::uint64_t labels = shape.label_pairs * sizeof(Label) + (shape.rows + 1) * sizeof(std::uint64_t);
  const std::uint64_t placing = (shape.features + 1) * sizeof(std::uint64_t);
  const std::uint64_t searching = threads * (shape.rows + shape.labels) * sizeof(float);
  return {.training = index + labels + placing + searching, .model = index + labels};
}

Trained train(const TrainingData& data, const KnnOptions& options, const Run& run) {
  std::size_t k = static_cast<std::size_t>(options.k);
  assert(k > 0 || data.valid != nullptr);
  if (k == 0) k = choose_k(data.train, *data.valid, run);
  return {std::make_unique<KnnModel>(make_model(data.train, k)), {{"k", std::to_string(k)}}};
}

std::unique_ptr<Model> load(ModelReader& in, const ModelShape& shape) {
  InvertedIndex index(in, "knn.index", shape.features);
  const std::uint64_t pairs = in.array<Label>("knn.labels").size();
  auto label_offsets = in.offsets("knn.label_offsets", index.n_rows(), pairs);
  auto labels = in.ids("knn.labels", pairs, shape.labels);
  const std::size_t k = in.number("knn.k", kMostNeighbours);
  if (k == 0) in.damaged("damaged: knn.k is 0, expected at least 1");
  return std::make_unique<KnnModel>(std::move(index), std::move(label_offsets), std::move(labels), shape.labels, k);
}

}  // namespace

const Method knn = {
    .name = "knn",
    .summary = "the nearest training rows by cosine vote for their labels",
    .options = describe_options<KnnOptions>,
    .parse = typed<parse_options<KnnOptions>>,
    .chooses = typed<chooses>,
    .plan = typed<plan>,
    .train = typed<train>,
    .load = load,
    .learns = true,
};

}  // namespace xylem
