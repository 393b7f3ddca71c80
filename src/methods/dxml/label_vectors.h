// SPDX-License-Identifier: Apache-2.0
// Vectors for labels, from random walks over them: a row for each label, `dim` columns. Labels without an edge get a
// random vector of length 1.
#pragma once

#include <cstdint>

#include "core/dense.h"
#include "core/options.h"
#include "core/random.h"
#include "methods/dxml/label_walks.h"
#include "xylem/run.h"

namespace xylem::dxml {

inline constexpr std::size_t kGraphRank = 512;  // most eigenvectors that stand for the graph

// The closed form of DeepWalk (Qiu et al., WSDM 2018): a matrix that says how much more often than by chance two labels
// meet in the windows of random walks, its logarithm cut off at 0, and the leading eigenvectors of that. The walks are
// replaced by the leading eigenvectors of their steps; the matrix is never held as a whole.
Matrix netmf_vectors(const LabelWalks& walks, std::size_t dim, int window, Random random, const Run& run);

struct DeepWalkOptions {
  int walks = 10;
  int walk_length = 40;
  int negatives = 5;
  double rate = 0.02;

  void fields(auto&& field) {
    field("walks", walks, "from every label", Range{1, 100000});
    field("walk_length", walk_length, "labels of a walk", Range{2, 100000});
    field("negatives", negatives, "random labels against each that a walk meets", Range{1, 1000});
    field("rate", rate, "length of the steps of skip-gram", Range{1e-9, 100});
  }
};

// DeepWalk itself (Perozzi et al., KDD 2014): walks are walked, and skip-gram with negative sampling learns to tell the
// labels that meet within a window from random ones. In batches of fixed size, each against the vectors as they were
// before it, so that threads do not matter.
Matrix deepwalk_vectors(const LabelWalks& walks, std::size_t dim, int window, const DeepWalkOptions& options,
                        std::uint64_t seed, const Run& run);

// Gives the labels without an edge their vectors.
void fill_without_edges(const LabelWalks& walks, Matrix& vectors, Random random);

}  // namespace xylem::dxml
