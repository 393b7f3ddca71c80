// SPDX-License-Identifier: Apache-2.0
// Clusters of sparse unit vectors by cosine: spherical k-means, two-way with fixed sizes, or plain.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "core/aligned.h"
#include "core/random.h"
#include "xylem/sparse.h"

namespace xylem {

// Memory to reuse. One that has split a set of vectors splits only vectors with as many columns.
struct SplitScratch {
  AlignedVector<float> sums;  // [column][side], all 0 between calls
};

// Reorders `members`, which name rows of `vectors`, so that the first `n_left` are one cluster and the rest the other:
// each round gives to the first mean the n_left members that lean most to it. Within a cluster members rise.
void split_in_two(const SparseMatrix& vectors, std::span<std::uint32_t> members, std::size_t n_left, Random random,
                  SplitScratch& scratch);

// Reorders `members` cluster by cluster and returns the sizes of the clusters, none of them 0: plain k-means with at
// most `n_clusters` means. Takes 4 bytes for each mean and each column that occurs in the members.
std::vector<std::size_t> split_freely(const SparseMatrix& vectors, std::span<std::uint32_t> members,
                                      std::size_t n_clusters, Random random);

}  // namespace xylem
