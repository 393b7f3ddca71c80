// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#include "xylem/dataset.h"

namespace xylem::dxml {

// What makes two labels neighbours: a row that both have, or the number of such rows as the weight.
enum class Edges { kUnweighted, kCount };
inline auto choice_names(Edges) {
  return std::array<std::string_view, 2>{"unweighted", "count"};
}

// Symmetric: row a, column b is the weight of the edge between the labels a and b. No label is its own neighbour.
SparseMatrix label_graph(const LabelLists& labels, std::size_t n_labels, Edges edges);

}  // namespace xylem::dxml
