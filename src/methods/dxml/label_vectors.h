// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "core/dense.h"
#include "core/random.h"
#include "xylem/run.h"
#include "xylem/sparse.h"

namespace xylem::dxml {

inline constexpr std::size_t kGraphRank = 512;  // most eigenvectors that stand for the graph

// The closed form of DeepWalk (Qiu et al., WSDM 2018): a matrix that says how much more often than by chance two labels
// meet in the windows of random walks over the graph, its logarithm cut off at 0, and the leading eigenvectors of that.
// The walks are replaced by the graph's own leading eigenvectors; the matrix is never held as a whole. A row for each
// label, `dim` columns; labels without an edge get a random vector of length 1.
Matrix netmf_vectors(const SparseMatrix& graph, std::size_t dim, int window, Random random, const Run& run);

}  // namespace xylem::dxml
