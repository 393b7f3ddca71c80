// SPDX-License-Identifier: Apache-2.0
// The noise contrastive loss: a row shall be near to its own set of labels, and not too near to the nearest of some
// others.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/dense.h"
#include "xylem/sparse.h"

namespace xylem::mnn {

inline constexpr std::uint32_t kNoNegative = ~0u;

// Of each row of a batch, the nearest of n_negatives label sets, drawn from those of the batch; a set that equals its
// own is none. Row i of `sets` is that of row i, which has labels[i]; all vectors have length 1 or 0.
std::vector<std::uint32_t> hardest_negatives(const Matrix& rows, const Matrix& sets,
                                             std::span<const std::span<const Label>> labels, std::size_t n_negatives,
                                             std::uint64_t seed);

// With c the cosine of a row and a set: (1 - c)² / 4 for its own one, and c² for its negative where c is above the
// margin. Averaged over the rows. The deltas become its gradients by the vectors.
double match_loss(const Matrix& rows, const Matrix& sets, const std::vector<std::uint32_t>& negatives, double margin,
                  Matrix& rows_delta, Matrix& sets_delta);

}  // namespace xylem::mnn
