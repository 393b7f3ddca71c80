// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <string_view>

#include "algorithms/lane_solver.h"
#include "core/options.h"
#include "methods/parabel/label_tree.h"
#include "methods/parabel/search.h"
#include "xylem/method.h"

namespace xylem {

enum class ParabelPreset { kFast, kPaper, kAccurate };
inline auto choice_names(ParabelPreset) {
  return std::array<std::string_view, 3>{"fast", "paper", "accurate"};
}

// The rows that a node learns from: those with a label below it, or also those that the search sends to it by mistake.
enum class Negatives { kNode, kNodeAndPredicted };
inline auto choice_names(Negatives) {
  return std::array<std::string_view, 2>{"node", "node+predicted"};
}

struct ParabelOptions {
  ParabelPreset preset = ParabelPreset::kFast;
  int trees = 1;
  parabel::TreeOptions tree;
  LinearOptions linear{.passes = 0, .tolerance = 0.3};
  double prune = 0.1;
  Negatives negatives = Negatives::kNodeAndPredicted;
  int negatives_beam = 4;
  int max_node_rows = 0;
  double tail = 0.25;
  parabel::SearchOptions search;

  void fields(auto&& field) {
    field("preset", preset,
          "fast: the defaults here; paper: three binary trees, as in the paper; accurate: three wide trees");
    field("trees", trees, "trees trained independently and averaged", Range{1, 1000});
    tree.fields(field);
    linear.fields(field);
    field("prune", prune, "weights closer to 0 are dropped", Range{0, 10});
    field("negatives", negatives, "rows of a node: with a label below it, or also those sent there by mistake");
    field("negatives_beam", negatives_beam, "nodes of each level that a row is sent to with negatives=node+predicted",
          Range{1, 100000});
    field("max_node_rows", max_node_rows,
          "most rows that a node learns from, a random sample if it has more; fewer need less memory; 0: all",
          Range{0, 2e9}, Before{"0"});
    field("tail", tail, "a positive of a label costs propensity^-tail times as much", Range{0, 2});
    search.fields(field);
  }
};

extern const Method parabel_method;

}  // namespace xylem
