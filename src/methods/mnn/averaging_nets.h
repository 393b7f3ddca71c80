// SPDX-License-Identifier: Apache-2.0
// Two tables: a row's vector is the weighted sum of its features', a label set's the sum of its labels'. Their lengths
// do not matter, since only cosines are looked at, and so nothing is divided to make means of the sums.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "algorithms/layers.h"
#include "core/array.h"
#include "core/options.h"
#include "methods/neighbours/encoder.h"
#include "model_file/reader.h"
#include "xylem/dataset.h"

namespace xylem::mnn {

struct NetsOptions {
  int dim = 300;
  double keep = 0.7;
  int negatives = 5;
  double margin = 0.2;
  int batch = 128;

  void fields(auto&& field) {
    field("dim", dim, "dimensions of the vectors of features and labels", Range{1, 4096});
    field("keep", keep, "probability of keeping a feature of a row in training", Range{0.01, 1});
    field("negatives", negatives, "label sets of other rows, of which the nearest is pushed away", Range{0, 65536});
    field("margin", margin, "cosine from which on a wrong label set is pushed away", Range{0, 1});
    field("batch", batch, "rows of a step; negatives are drawn from them", Range{1, 65536});
  }
};

// The table of features, and the vectors of labels that were learned with it.
class AveragingNet final : public neighbours::Encoder {
 public:
  AveragingNet(PackedVectors table, Array<float> label_vectors);
  AveragingNet(const ModelReader& in, const std::string& prefix, std::size_t n_features, std::size_t dim);

  std::size_t dim() const override { return table_.dim(); }
  void embed(SparseRows rows, Matrix& hidden, Matrix& out) const override;
  Array<float> label_vectors() const override { return label_vectors_; }
  std::unique_ptr<Encoder> packed(Precision precision) const override;
  // Without the label vectors, which the model has.
  void save(ModelWriter& out, const std::string& prefix) const override;
  void save(std::string& bytes) const override;
  bool is_finite() const override;

 private:
  PackedVectors table_;
  Array<float> label_vectors_;  // 0 for labels that no row has; none where it was loaded
};

// `data` must outlive it.
class NetsTrainer final : public neighbours::EncoderTrainer {
 public:
  NetsTrainer(const Dataset& data, const NetsOptions& options, const OptimiserOptions& optimiser, std::uint64_t seed,
              const Run& run = {});

  // Goes on from a net of the same shape, and from the labels' vectors; those that are 0 start at random.
  void start_from(const neighbours::Encoder& net, std::span<const float> label_vectors);
  double epoch(std::span<const std::uint32_t> order, std::size_t number, double rate,
               const std::function<void(std::size_t)>& on_rows) override;
  std::unique_ptr<neighbours::Encoder> encoder() const override;

  void save(std::string& bytes) const override;
  void load(std::string_view& bytes) override;
  std::unique_ptr<neighbours::Encoder> load_encoder(std::string_view& bytes) const override;

  static std::uint64_t bytes(std::size_t n_features, std::size_t n_labels, std::size_t label_pairs, std::size_t dim,
                             const OptimiserOptions& options);

 private:
  double step(std::span<const std::uint32_t> rows, std::uint64_t seed);

  const Dataset& data_;
  NetsOptions options_;
  std::uint64_t seed_;
  SparseMatrix label_sets_;  // of all rows
  SparseLayer features_, labels_;
  // Of a step:
  SparseBatch rows_, sets_;
  Matrix row_vectors_, set_vectors_, row_deltas_, set_deltas_;
  std::vector<float> row_lengths_, set_lengths_;
};

}  // namespace xylem::mnn
