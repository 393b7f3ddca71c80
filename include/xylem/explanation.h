// SPDX-License-Identifier: Apache-2.0
// Why a label got its score for a row.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "xylem/sparse.h"

namespace xylem {

// What a feature of the row adds; negative where it speaks against the label.
struct Contribution {
  Feature feature = 0;
  double value = 0;
  std::optional<double> attention = {};  // of methods that weigh words whatever the label: from 0 to 1
};

// A step down a tree of labels, to the child that has the label below it, or is the label.
struct PathStep {
  double bias = 0;
  double margin = 0;                   // of the child's classifier: the bias and the evidence together
  double score = 0;                    // what the margin is worth, from 0 to 1
  std::vector<Contribution> evidence;  // as in Explanation
  std::vector<Label> labels;           // all that are below the child, rising
};

struct TreePath {
  std::size_t tree = 0;
  double score = 0;             // the last step's times the others' to the power of path_weight
  bool reached = false;         // whether predict() comes to the label here; where it does not, the tree adds 0 for it
  std::vector<PathStep> steps;  // from the root on
};

// A training row that has the label.
struct Neighbour {
  std::size_t row = 0;  // among those that the model learned from, from 0 on
  double similarity = 0;
  bool votes = false;         // whether it is near enough to count for the score
  std::vector<Label> labels;  // all of its labels, rising
};

struct Explanation {
  Label label = 0;
  double score = 0;                    // that of predict(); where predict() misses the label, what it would get, or 0
  std::optional<std::size_t> rank;     // among the labels that predict() gives, from 1 on
  std::string basis;                   // what the evidence adds up to, for people; where there is none, why
  double bias = 0;                     // what there is without any feature
  std::vector<Contribution> evidence;  // largest magnitude first, of equal ones the lower feature; none that is 0
  std::vector<TreePath> paths;         // of methods with trees
  std::vector<Neighbour> neighbours;   // of methods that remember training rows, nearest first
};

}  // namespace xylem
