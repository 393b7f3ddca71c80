// SPDX-License-Identifier: Apache-2.0
// How much a feature counts in the cosine of two rows: weights learned such that the rows nearest to a training row
// have its labels (a diagonal metric, in the manner of neighbourhood components analysis; Goldberger et al., NIPS
// 2004).
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "xylem/dataset.h"
#include "xylem/method.h"
#include "xylem/run.h"

namespace xylem::neighbours {

// A gradient of which few numbers are not 0.
struct WeightGradient {
  std::vector<Feature> features;
  std::vector<float> values;
};

// Of all features, 0 between calls.
struct WeightBuffers {
  std::vector<float> row, sums;
};

// Others of the rows vote for the labels of one of them, each with its cosine to the power of 8; the loss is -log of
// the voters' mean agreement with the row's labels (the cosine of their label sets). `gradient` becomes its gradient by
// the logarithms of the weights. Where nobody agrees both are 0.
double agreement_loss(const Dataset& data, std::uint32_t row, std::span<const std::uint32_t> others,
                      std::span<const float> weights, WeightGradient& gradient, WeightBuffers& buffers);

// A weight for each feature, 1 where nothing was learned. Throws kInterrupted.
std::vector<float> fit_feature_weights(const Dataset& data, std::span<const std::uint32_t> rows, std::uint64_t seed,
                                       const Run& run);

// Bytes that learning them needs.
std::uint64_t feature_weight_bytes(const DataShape& shape, std::size_t threads);

}  // namespace xylem::neighbours
