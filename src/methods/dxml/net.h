// SPDX-License-Identifier: Apache-2.0
// The network that takes a sparse row to its place among the label vectors: features, a hidden layer, a vector.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "algorithms/fixed_layer.h"
#include "algorithms/layers.h"
#include "algorithms/packed_vectors.h"
#include "core/array.h"
#include "core/dense.h"
#include "methods/neighbours/encoder.h"
#include "model_file/reader.h"
#include "model_file/writer.h"

namespace xylem::dxml {

enum class Activation { kRelu, kNone };
inline auto choice_names(Activation) {
  return std::array<std::string_view, 2>{"relu", "none"};
}

struct NetOptions {
  int hidden = 512;
  int dim = 200;
  Activation activation = Activation::kRelu;
  bool final_norm = true;
  double keep = 0.6;
  double dropout = 0.2;
  int batch = 128;

  void fields(auto&& field) {
    field("hidden", hidden, "width of the hidden layer", Range{1, 65536});
    field("dim", dim, "dimensions of the label vectors and of the embedded rows", Range{1, 4096});
    field("activation", activation, "of the hidden layer; none: the linear ablation");
    field("final_norm", final_norm, "embedded rows are scaled to length 1 while the network learns");
    field("keep", keep, "probability of keeping a feature of a row in training", Range{0.01, 1});
    field("dropout", dropout, "probability of dropping a dimension of an embedded row in training", Range{0, 0.99});
    field("batch", batch, "rows of a step", Range{1, 65536});
  }
};

struct NetShape {
  std::size_t features, hidden, dim;
};

// A network that has learned. Immutable.
class Net final : public neighbours::Encoder {
 public:
  Net(const SparseLayer& input, const DenseLayer& output, Activation activation);
  Net(const ModelReader& in, const std::string& prefix, const NetShape& shape, Activation activation);
  // For checkpoints.
  Net(std::string_view& bytes, const NetShape& shape, Activation activation);

  const NetShape& shape() const { return shape_; }
  std::size_t dim() const override { return shape_.dim; }
  void embed(SparseRows rows, Matrix& hidden, Matrix& out) const override;
  std::unique_ptr<Encoder> packed(Precision precision) const override;
  void save(ModelWriter& out, const std::string& prefix) const override;
  void save(std::string& bytes) const override;
  bool is_finite() const override;

 private:
  NetShape shape_;
  Activation activation_;
  PackedVectors table_;  // features × hidden
  Array<float> table_bias_;
  FixedLayer units_;  // from hidden to dim
};

// A network that learns. Row i's target is row i of `targets`. Both must outlive it.
class NetTrainer final : public neighbours::EncoderTrainer {
 public:
  NetTrainer(const SparseMatrix& rows, const Matrix& targets, const NetOptions& options,
             const OptimiserOptions& optimiser, std::uint64_t seed, const Run& run = {});

  // Goes on from a network of the same shape.
  void start_from(const neighbours::Encoder& net);
  double epoch(std::span<const std::uint32_t> order, std::size_t number, double rate,
               const std::function<void(std::size_t)>& on_rows) override;
  Net net() const { return {input_, output_, options_.activation}; }
  std::unique_ptr<neighbours::Encoder> encoder() const override { return std::make_unique<Net>(net()); }

  void save(std::string& bytes) const override;
  void load(std::string_view& bytes) override;
  std::unique_ptr<neighbours::Encoder> load_encoder(std::string_view& bytes) const override;

  static std::uint64_t bytes(const NetShape& shape, const OptimiserOptions& options);

 private:
  double step(std::span<const std::uint32_t> rows, std::uint64_t seed);
  std::uint64_t hash_of_targets() const;

  const SparseMatrix& rows_;
  const Matrix& targets_;
  NetOptions options_;
  std::uint64_t seed_;
  SparseLayer input_;
  DenseLayer output_;
  // Of a step:
  SparseBatch batch_;
  Matrix hidden_, embedded_, target_, delta_, hidden_delta_;
  std::vector<float> lengths_;
};

}  // namespace xylem::dxml
