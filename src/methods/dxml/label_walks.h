// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <vector>

#include "core/dense.h"
#include "core/random.h"
#include "xylem/dataset.h"
#include "xylem/run.h"

namespace xylem::dxml {

// Random walks from label to label. A step goes to a neighbour, with the edges' weights as the odds.
class LabelWalks {
 public:
  virtual ~LabelWalks() = default;

  // Of every label, the sum of its edges' weights; 0 where it has none.
  virtual const std::vector<float>& degrees() const = 0;
  // From a label that has edges.
  virtual Label step(Label from, Random& random) const = 0;
  // Those that the walks go over; null where no pairs are held.
  virtual const SparseMatrix* edges() const { return nullptr; }
  // out = weights · in, the weights being a symmetric matrix of labels × labels.
  virtual void multiply(const Matrix& in, Matrix& out, const Run& run) const = 0;
};

// out = left · right.
void multiply_sparse(const SparseMatrix& left, const Matrix& right, Matrix& out, const Run& run);

// Over the edges of a graph (label_graph.h).
std::unique_ptr<LabelWalks> walk_graph(SparseMatrix graph);
// From a label to any of its rows and on to any other label of that row. No pair of labels is held: rows may have many.
std::unique_ptr<LabelWalks> walk_rows(const LabelLists& labels, std::size_t n_labels);

}  // namespace xylem::dxml
