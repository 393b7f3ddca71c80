// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "algorithms/neighbour_index.h"
#include "core/array.h"
#include "methods/glas/glas.h"
#include "methods/glas/phi.h"
#include "xylem/model.h"

namespace xylem::glas {

inline constexpr const char* kPrefix = "glas.";

// Labels with a vector each, whose product with scale · (φ, 1) is their score: the last number is the bias, over scale.
struct LabelTable {
  Array<std::uint32_t> labels;  // rising
  NeighbourIndex index;         // by their numbers
};

// Labels that came after training: known by rows, by names, or both.
struct AddedLabels {
  Array<std::uint32_t> labels;  // rising
  Array<float> sums;            // of the vectors of each one's rows, and of its name
  Array<std::uint32_t> counts;  // of the rows
};

// What the biases of labels are made of that come without training.
struct UsualRows {
  float own_score = 0;    // the mean score that training rows have for their own labels
  float n_training = 1;   // how many training rows there are
  float of_label = 1;     // how many of them the median label has: what one without rows may have
  Array<float> embedded;  // φ of some of them, one after the other: at most kMost
  static constexpr std::size_t kMost = 500;

  Eigen::RowVectorXf mean(std::size_t dim) const;
  // The bias, over scale, with which a label with this vector and so many rows, whose mean product with it this is, is
  // as frequent among the usual rows as among the training rows, but scores no more for its own than is usual.
  float bias(const Eigen::RowVectorXf& vector, std::uint32_t n_rows, float mean_product, float scale) const;
};

struct ModelParts {
  Phi phi;
  float scale = 1;
  UsualRows usual;
  LabelTable trained;
  AddedLabels added;
  TextList words;             // of label_text
  Array<float> word_vectors;  // n_words × dim
};

class GlasModel final : public Model {
 public:
  GlasModel(ModelParts parts, const ModelShape& shape, const GlasOptions& options);

  void predict(const RowBlock& block, std::size_t k, Scratch& scratch, TopLabels& out) const override;
  Explanation explain(const RowBlock& block, Label label, Scratch& scratch) const override;
  LabelVectors label_vectors() const override;
  // φ and the labels that it was trained with stay as they are. The labels of these rows become the mean of their rows,
  // and with label_text of their names.
  std::unique_ptr<Model> learn(const Dataset& rows, const CheckedOptions&, const Run& run) const override;
  bool reads_label_names() const override { return options_.label_text; }
  void save(ModelWriter& out) const override;

  const ModelParts& parts() const { return parts_; }
  const ModelShape& shape() const { return shape_; }
  const GlasOptions& options() const { return options_; }

  // Whether the vectors of added labels are, which are made of what a file says.
  bool is_finite() const;
  // The label's vector with its bias, over scale, behind it; empty where it is not known.
  std::vector<float> vector_of(Label label) const;

 private:
  struct Buffers;

  std::size_t dim() const { return parts_.phi.dim(); }
  void queries(SparseRows rows, Buffers& buffers) const;
  // What people see: a probability where the loss makes it one.
  float shown(float score) const;

  ModelParts parts_;
  ModelShape shape_;
  GlasOptions options_;
  std::optional<LabelTable> added_;  // made of parts_.added
  mutable std::mutex vectors_mutex_;
  mutable std::vector<float> vectors_;  // of all labels, when somebody has asked for them
};

// What the vectors of labels are multiplied with, for rows whose φ is `embedded`.
void make_queries(const Matrix& embedded, float scale, Matrix& out);

// Of a table of so many labels, where the options leave it open.
std::size_t cell_count(const GlasOptions& options, std::size_t n_labels);

// `vectors` have length 1. Rows whose vector is 0 must not be among them.
LabelTable make_table(const std::vector<Label>& labels, const Matrix& vectors, const std::vector<float>& bias,
                      float scale, const GlasOptions& options, std::uint64_t seed, const Run& run);

std::unique_ptr<Model> load_model(ModelReader& in, const ModelShape& shape);

// Bytes of a model.
std::uint64_t model_bytes(const DataShape& shape, const GlasOptions& options);

}  // namespace xylem::glas
