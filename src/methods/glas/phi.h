// SPDX-License-Identifier: Apache-2.0
// φ, which takes a sparse row to a vector of length 1: features, perhaps a hidden layer, a vector.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "algorithms/fixed_layer.h"
#include "algorithms/layers.h"
#include "algorithms/packed_vectors.h"
#include "algorithms/sparse_batch.h"
#include "core/array.h"
#include "core/dense.h"
#include "core/options.h"
#include "model_file/reader.h"
#include "model_file/writer.h"

namespace xylem::glas {

enum class EmbeddingKind { kRelu, kLinear };
inline auto choice_names(EmbeddingKind) {
  return std::array<std::string_view, 2>{"relu", "linear"};
}

struct PhiOptions {
  int dim = 512;
  int hidden = 0;
  EmbeddingKind embedding = EmbeddingKind::kLinear;
  bool weight_norm = false;

  void fields(auto&& field) {
    field("dim", dim, "dimensions of the vectors of rows and labels", Range{1, 4096});
    field("hidden", hidden, "width of a layer before them; 0: there is none", Range{0, 65536});
    field("embedding", embedding, "what is made of a layer's sums: those below 0 are cut off, or nothing");
    field("weight_norm", weight_norm,
          "the weights of the sums of the first layer have one length, which is learned, and each sum its direction");
  }
};

// The weights of φ as they are in use. `units` is turned around: a row for each dimension; empty without a hidden
// layer.
struct PhiWeights {
  Matrix table, bias, units, units_bias;

  bool is_finite() const;
  void save(std::string& bytes) const;
  void load(std::string_view& bytes);  // into weights of the same shape
};

// φ as it learns.
class TrainablePhi {
 public:
  TrainablePhi(std::size_t n_features, const PhiOptions& options, const OptimiserOptions& optimiser, std::uint64_t seed,
               const Run& run = {});

  void begin_epoch(double rate, std::size_t steps);
  // A step: forward(), then backward() with the loss's gradient by its output, which is changed.
  void forward(const SparseBatch& batch, Matrix& output);
  void backward(const SparseBatch& batch, const Matrix& output, Matrix& delta);
  void finish_epoch();

  PhiWeights weights() const;
  void save(std::string& bytes) const;
  void load(std::string_view& bytes);
  static std::uint64_t bytes(std::size_t n_features, const PhiOptions& options, const OptimiserOptions& optimiser);

 private:
  bool has_hidden() const { return options_.hidden > 0; }
  // What a column of the table is multiplied with, so that it has the layer's length.
  Eigen::RowVectorXf column_scales() const;
  void activate(Matrix& values) const;
  void activate_backward(const Matrix& output, Matrix& delta) const;
  void update_table(const SparseBatch& batch, Matrix& delta);

  PhiOptions options_;
  SparseLayer input_;
  DenseLayer second_;
  Parameters length_;           // weight_norm: the logarithm of the length
  Eigen::RowVectorXd squares_;  // weight_norm: of the lengths of the table's columns
  // Of the step:
  Matrix sums_, hidden_, hidden_delta_;
  std::vector<float> lengths_;
};

struct PhiScratch {
  Matrix hidden;
};

// φ that has learned. Immutable.
class Phi {
 public:
  Phi(const PhiWeights& weights, EmbeddingKind embedding, Precision precision);
  Phi(const ModelReader& in, const std::string& prefix, std::size_t n_features, const PhiOptions& options);
  void save(ModelWriter& out, const std::string& prefix) const;

  std::size_t dim() const { return has_hidden() ? units_.outputs() : table_.dim(); }
  // What a row gets does not depend on the others. One thread.
  void embed(SparseRows rows, PhiScratch& scratch, Matrix& out) const;
  // What each number of the row adds to the product of φ(row) and `direction`: its value times the product's gradient
  // by it. One for each of the row's ids.
  std::vector<double> contributions(SparseRow row, const float* direction, PhiScratch& scratch) const;

  static std::uint64_t bytes(std::size_t n_features, const PhiOptions& options, Precision precision);

 private:
  bool has_hidden() const { return units_.outputs() > 0; }
  // Before the rows are scaled to length 1; `hidden` is the layer before, if there is one.
  void sums(SparseRows rows, Matrix& hidden, Matrix& out) const;

  EmbeddingKind embedding_;
  PackedVectors table_;
  Array<float> bias_;
  FixedLayer units_;  // from the hidden layer, if there is one
};

}  // namespace xylem::glas
