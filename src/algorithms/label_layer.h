// SPDX-License-Identifier: Apache-2.0
// The wide output layer of a network: a vector for each label, and a bias where that is wanted. A step looks at all
// labels, or at a few of very many (label_sampler.h). Gradients are cut over labels, each of which has one owner.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "algorithms/optimiser.h"
#include "core/dense.h"
#include "core/random.h"
#include "xylem/run.h"
#include "xylem/sparse.h"

namespace xylem {

class LabelLayer {
 public:
  // Called for each label of a step, by its place among them, with the loss's gradient by the vector that was in use;
  // makes it that by the parameters. Different threads call for different labels.
  using Adjust = std::function<void(std::size_t place, float* gradient)>;

  LabelLayer() = default;
  // Vectors are normal with this deviation, biases 0.
  LabelLayer(std::size_t n_labels, std::size_t dim, double deviation, const OptimiserOptions& options, Random random,
             bool with_bias = true, const Run& run = {});

  // Each label starts at its log-odds: counts[label] of n_rows rows have it.
  void start_biases(std::span<const std::uint32_t> counts, std::size_t n_rows);
  void begin_epoch(double rate, std::size_t steps);
  // A step is: begin_step(), forward(), backward(). It looks at `labels`, which rise, and gets a copy of their vectors,
  // one after the other: these are in use, and may be changed before.
  void begin_step(std::span<const Label> labels, Matrix& in_use);
  // scores = input · in_useᵀ + bias.
  void forward(const Matrix& input, const Matrix& in_use, Matrix& scores) const;
  // `delta` is the loss's gradient by the scores. Updates the parameters.
  void backward(const Matrix& input, const Matrix& in_use, const Matrix& delta, Matrix& input_delta,
                const Adjust& adjust = {});
  void finish_epoch();

  Parameters vectors, bias;  // labels × dim, and labels × 1 or empty

 private:
  void update(std::size_t begin, Matrix& gradient, const Matrix& input, const Matrix& delta, const Adjust& adjust);

  std::vector<Label> labels_;  // of the step
};

// Rare labels are raised: a share of the logarithm of how much more frequent the most frequent label is. Labels without
// a row stay.
void take_frequencies_back(double share, std::span<const std::uint32_t> counts, std::span<float> bias);

}  // namespace xylem
