// SPDX-License-Identifier: Apache-2.0
// Which labels are neighbours, and how strongly.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "xylem/dataset.h"

namespace xylem::dxml {

// What makes two labels neighbours: a row that both have; the number of such rows; a step of a walk that goes from a
// label to one of its rows and on to another label of that row; a file.
enum class Edges { kUnweighted, kCount, kRowWalk, kFile };
inline auto choice_names(Edges) {
  return std::array<std::string_view, 4>{"unweighted", "count", "rowwalk", "file"};
}

// The graph of kUnweighted or kCount. Symmetric: row a, column b is the weight of the edge between the labels a and b.
// No label is its own neighbour.
SparseMatrix label_graph(const LabelLists& labels, std::size_t n_labels, Edges edges, const Run& run = {});

struct GraphFile {
  SparseMatrix graph;
  std::size_t n_lines = 0;    // with an edge
  std::size_t n_unknown = 0;  // of them, those with a label that the data do not have
};

// Lines `label<TAB>label` or `label<TAB>label<TAB>weight`; an edge leads both ways, and the weights of one that comes
// more than once add up. Labels go by the data's names, or where it has none by their numbers. Lines with unknown
// labels are left out. Throws kData, with the line, where there is something else, and where no label is known.
GraphFile read_label_graph(const std::string& path, const Dataset& data);

}  // namespace xylem::dxml
