// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "core/dense.h"
#include "core/options.h"
#include "methods/glas/cooccurrence.h"
#include "xylem/sparse.h"

namespace xylem::glas {

enum class Regulariser { kNone, kGlas, kSpreadOut, kLaplacian, kGravity };
inline auto choice_names(Regulariser) {
  return std::array<std::string_view, 5>{"none", "glas", "spread-out", "laplacian", "gravity"};
}

struct RegulariserOptions {
  Regulariser regulariser = Regulariser::kNone;
  double lambda = 10;
  Cooccurrence cooccurrence = Cooccurrence::kArithmetic;

  void fields(auto&& field) {
    field("regulariser", regulariser,
          "what the products of label vectors are drawn to: how much the labels belong together, or 0; or those that "
          "belong together to each other; or the products of rows and labels to 0");
    field("lambda", lambda, "weight of the regulariser", Range{0, 1e6});
    field("cooccurrence", cooccurrence,
          "how much two labels belong together, by the rows that have the one, the other, both");
  }
};

// A label drawn for each of B rows, and how often it was.
struct DrawnLabels {
  std::vector<std::uint32_t> places;  // rising
  std::vector<float> counts;
};

// One of each row's labels, which are places among those of a step; rows without any give none.
DrawnLabels draw_labels(const LabelLists& positives, std::uint64_t seed);

// With V the drawn labels' vectors, a row for each of B, U how much they belong together, Φ the rows' vectors:
// glas: |VVᵀ - U|² / B²; spread-out: |VVᵀ|² / B²; laplacian: Σ_ab |v_a - v_b|² U_ab / B²; gravity: |ΦVᵀ|² / B².
// Vectors have length 1. Returns the value, without lambda; `gradient` gets a row for each of drawn.places, and the
// gradient by Φ, of gravity alone, is added to phi_delta, both with lambda.
double regularise(const RegulariserOptions& options, const Matrix& vectors, const DrawnLabels& drawn,
                  const Matrix& together, const Matrix& phi, Matrix& gradient, Matrix& phi_delta);

}  // namespace xylem::glas
