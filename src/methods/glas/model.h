// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "core/array.h"
#include "learn/neighbour_index.h"
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

// Labels that came after training: known by rows, by names, or both. A name counts as one row.
struct AddedLabels {
  Array<std::uint32_t> labels;  // rising
  Array<float> sums;            // of the vectors of each one's rows
  Array<std::uint32_t> counts;  // of them; none is 0
};

struct ModelParts {
  Phi phi;
  float scale = 1;
  float typical_score = 0;  // the mean score of training rows' own labels: what added labels get for their rows
  LabelTable trained;
  AddedLabels added;
  TextList words;             // of label_text
  Array<float> word_vectors;  // n_words × dim
};

class GlasModel final : public Model {
 public:
  GlasModel(ModelParts parts, const ModelShape& shape, const GlasOptions& options);

  void predict(SparseRows block, std::size_t k, Scratch& scratch, TopLabels& out) const override;
  Explanation explain(SparseRow row, Label label, Scratch& scratch) const override;
  LabelVectors label_vectors() const override;
  void save(ModelWriter& out) const override;

  const ModelParts& parts() const { return parts_; }
  const ModelShape& shape() const { return shape_; }
  const GlasOptions& options() const { return options_; }

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
  mutable std::once_flag has_vectors_;
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
