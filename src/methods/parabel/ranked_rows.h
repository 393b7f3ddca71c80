// SPDX-License-Identifier: Apache-2.0
// Training rows in the form in which nodes take their part: all of them, or those of a block or of a node.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "xylem/dataset.h"

namespace xylem::parabel {

// How many rows have each feature. Counts of blocks add up to those of all rows.
std::vector<std::uint32_t> feature_counts(const SparseMatrix& rows);

struct FeatureRanks {
  std::vector<Feature> feature_of;     // rank to feature, 0 for the feature with the most rows
  std::vector<std::uint32_t> rank_of;  // feature to rank; kNoRank for features without rows
};
FeatureRanks rank_features(std::span<const std::uint32_t> counts);

struct RankedRows {
  SparseMatrix rows;                   // feature ids are ranks, in the order of the features: they do not rise
  LabelLists label_rows;               // for every label the rows that have it, rising
  std::vector<std::uint32_t> numbers;  // of each row in the data
};
// The rows come in the order given, which names each once.
RankedRows rank_rows(const Dataset& data, std::vector<std::uint32_t> order, const FeatureRanks& ranks);

// The order of rows inside of nodes, random as the solver wants it: by a hash of the seed and the row's number. Parts
// of the rows are in the order that they have among all.
std::vector<std::uint32_t> solver_order(std::size_t n_rows, std::uint64_t seed);

}  // namespace xylem::parabel
