// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "algorithms/neighbour_index.h"
#include "core/dense.h"
#include "core/top_k.h"
#include "methods/neighbours/own_cosines.h"
#include "xylem/method.h"

namespace xylem::neighbours {

// Votes of neighbours that know of each other: kernel ridge regression on the nearest rows alone. With K the scores of
// the neighbours with each other and s those with the row, each to some power, the votes are (K + ridge)⁻¹ s. So many
// neighbours that are alike count as one, and those that tell of something else in the row are heard; the larger the
// ridge, the nearer all this comes to votes of s alone.
class KernelVotes {
 public:
  // The neighbours of a row, best first, as the index finds them and, for a blend above 0, as rows of features: `rows`
  // has metric(), features(id) and inverse_length(id).
  template <class Rows>
  void assign(std::span<const Scored> neighbours, const NeighbourIndex& index, const Rows& rows, double blend) {
    blend_ = blend;
    if (blend < 1) {
      index.copy_vectors(neighbours, vectors_);
      multiply_embedded();
    }
    if (blend == 0) return;
    rows_.clear();
    for (const Scored& neighbour : neighbours) {
      rows_.push_back({rows.features(neighbour.id), rows.inverse_length(neighbour.id)});
    }
    multiply_own(rows.metric());
  }
  // Of the first of them, as many as have a score above 0.
  std::span<const float> votes(std::span<const Scored> first, double power, double ridge);

  // Bytes that n neighbours take.
  static std::uint64_t bytes(std::size_t n, std::size_t dim, const DataShape& shape);

 private:
  void multiply_embedded();
  void multiply_own(const OwnMetric& metric);

  double blend_ = 0;
  Matrix vectors_;
  Matrix embedded_, own_;  // cosines of all pairs; the second below the diagonal alone
  Matrix kernel_, factor_;
  std::vector<float> votes_;
  struct Own {
    SparseRow row;
    float inverse_length;
  };
  std::vector<Own> rows_;  // as rows of features
  // Of each feature, among all; 0 outside of assign(): how often it occurs, and then where the next one goes.
  std::vector<std::uint32_t> counts_;
  std::vector<Feature> features_;  // those that occur
  // Their occurrences, one feature after the other: which row, and the number there.
  std::vector<std::uint32_t> row_of_;
  std::vector<float> value_of_;
};

}  // namespace xylem::neighbours
