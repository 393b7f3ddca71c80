// SPDX-License-Identifier: Apache-2.0
#include "methods/dxml/label_walks.h"

#include <algorithm>
#include <utility>

#include "algorithms/weighted_sum.h"
#include "core/parallel.h"
#include "core/sparse_tools.h"

namespace xylem::dxml {
namespace {

using Eigen::Index;

class GraphWalks : public LabelWalks {
 public:
  explicit GraphWalks(SparseMatrix graph) : graph_(std::move(graph)), sums_(graph_.values) {
    for (std::size_t label = 0; label < graph_.size(); ++label) {
      float sum = 0;
      for (std::uint64_t i = graph_.offsets[label]; i < graph_.offsets[label + 1]; ++i) sums_[i] = sum += sums_[i];
      degrees_.push_back(sum);
    }
  }

  const std::vector<float>& degrees() const override { return degrees_; }
  const SparseMatrix* edges() const override { return &graph_; }

  Label step(Label from, Random& random) const override {
    const SparseRow row = graph_[from];
    const auto sums = std::span(sums_).subspan(graph_.offsets[from], row.size());
    const auto point = static_cast<float>(random.uniform()) * sums.back();
    const auto place = static_cast<std::size_t>(std::ranges::upper_bound(sums, point) - sums.begin());
    return row.ids[std::min(place, row.size() - 1)];  // the product may round up to the sum
  }

  void multiply(const Matrix& in, Matrix& out, const Run& run) const override { multiply_sparse(graph_, in, out, run); }

 private:
  SparseMatrix graph_;
  std::vector<float> sums_;  // of the weights in a row up to each
  std::vector<float> degrees_;
};

// The weight of two labels is the sum over the rows that have both of 1 / (number of labels - 1).
class RowWalks : public LabelWalks {
 public:
  RowWalks(const LabelLists& labels, std::size_t n_labels) : degrees_(n_labels, 0) {
    for (std::size_t row = 0; row < labels.size(); ++row) {
      if (labels[row].size() < 2) continue;  // leads nowhere
      labels_.push_back(labels[row]);
      for (const Label label : labels[row]) ++degrees_[label];
    }
    rows_ = rows_of_labels(labels_, n_labels);
  }

  const std::vector<float>& degrees() const override { return degrees_; }

  Label step(Label from, Random& random) const override {
    const auto rows = rows_[from];
    const auto labels = labels_[rows[random.below(rows.size())]];
    const auto place = static_cast<std::size_t>(std::ranges::lower_bound(labels, from) - labels.begin());
    const std::size_t other = random.below(labels.size() - 1);
    return labels[other + (other >= place ? 1 : 0)];
  }

  void multiply(const Matrix& in, Matrix& out, const Run& run) const override {
    out.setZero();
    parallel_for(static_cast<std::size_t>(in.cols()), 16, [&](std::size_t begin, std::size_t end) {
      const auto first = static_cast<Index>(begin), width = static_cast<Index>(end - begin);
      Eigen::RowVectorXf sum;
      for (std::size_t row = 0; row < labels_.size(); ++row) {
        run.check();
        const auto labels = labels_[row];
        const float share = 1 / static_cast<float>(labels.size() - 1);
        sum.setZero(width);
        for (const Label label : labels) sum += in.row(label).segment(first, width);
        for (const Label label : labels) {
          out.row(label).segment(first, width) += share * (sum - in.row(label).segment(first, width));
        }
      }
    });
  }

 private:
  LabelLists labels_;  // of the rows that have several
  LabelLists rows_;    // of each label, among these
  std::vector<float> degrees_;
};

}  // namespace

void multiply_sparse(const SparseMatrix& left, const Matrix& right, Matrix& out, const Run& run) {
  parallel_for(left.size(), 64, [&](std::size_t begin, std::size_t end) {
    run.check();
    for (std::size_t i = begin; i < end; ++i) {
      auto row = out.row(static_cast<Index>(i));
      row.setZero();
      add_weighted_rows(right.data(), static_cast<std::size_t>(right.cols()), left[i].ids, left[i].values, row.data());
    }
  });
}

std::unique_ptr<LabelWalks> walk_graph(SparseMatrix graph) {
  return std::make_unique<GraphWalks>(std::move(graph));
}

std::unique_ptr<LabelWalks> walk_rows(const LabelLists& labels, std::size_t n_labels) {
  return std::make_unique<RowWalks>(labels, n_labels);
}

}  // namespace xylem::dxml
