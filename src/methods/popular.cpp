// SPDX-License-Identifier: Apache-2.0
// The most frequent labels, whatever the row says. No paper: this is the floor under every other method's figures, and
// what tests train when learning is not the point. Training counts; prediction copies the head of a list.
#include "methods/popular.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "algorithms/explain.h"
#include "methods/typed.h"
#include "model_file/reader.h"
#include "model_file/writer.h"

namespace xylem {
namespace {

class PopularModel : public Model {
 public:
  PopularModel(Array<Label> labels, Array<float> scores) : labels_(std::move(labels)), scores_(std::move(scores)) {}

  void predict(const RowBlock& block, std::size_t k, Scratch&, TopLabels& out) const override {
    for (std::size_t row = 0; row < block.size(); ++row) {
      for (std::size_t i = 0; i < std::min(k, labels_.size()); ++i) out.push_back(labels_[i], scores_[i]);
      out.end_row();
    }
  }

  Explanation explain(const RowBlock& row, Label label, Scratch& scratch) const override {
    Explanation result = place_label(*this, row, label, scratch);
    result.basis = result.rank ? fmt::format("{:.1f} % of the training rows have this label, and nothing else matters",
                                             100 * result.score)
                               : kNoTrainingRow;
    return result;
  }

  void save(ModelWriter& out) const override {
    out.array("popular.labels", labels_);
    out.array("popular.scores", scores_);
  }

 private:
  Array<Label> labels_;  // that occur, most frequent first
  Array<float> scores_;  // the share of training rows that carry them
};

MemoryPlan plan(const DataShape& shape, const PopularOptions&, std::size_t) {
  const std::uint64_t model = shape.labels * (sizeof(Label) + sizeof(float));
  return {.training = 2 * model, .model = model};
}

Trained train(const TrainingData& data, const PopularOptions&, const Run&) {
  const std::vector<std::uint32_t> counts = label_counts(data.train);
  std::vector<Label> order(counts.size());
  std::iota(order.begin(), order.end(), Label{0});
  std::ranges::stable_sort(order, [&](Label a, Label b) { return counts[a] > counts[b]; });
  while (!order.empty() && counts[order.back()] == 0) order.pop_back();
  std::vector<float> scores;
  for (const Label label : order) {
    scores.push_back(static_cast<float>(counts[label]) / static_cast<float>(data.train.size()));
  }
  return {std::make_unique<PopularModel>(std::move(order), std::move(scores)), {}};
}

std::unique_ptr<Model> load(ModelReader& in, const ModelShape& shape) {
  Array<Label> labels = in.ids("popular.labels", in.array<Label>("popular.labels").size(), shape.labels);
  Array<float> scores = in.finite("popular.scores", labels.size());
  return std::make_unique<PopularModel>(std::move(labels), std::move(scores));
}

}  // namespace

const Method popular = {
    .name = "popular",
    .summary = "the most frequent labels for every row: the floor",
    .options = describe_options<PopularOptions>,
    .parse = typed<parse_options<PopularOptions>>,
    .plan = typed<plan>,
    .train = typed<train>,
    .load = load,
};

}  // namespace xylem
