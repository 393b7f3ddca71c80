// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "xylem/model.h"

namespace xylem::test {

// A block of one row, for Model::explain.
class OneRow {
 public:
  explicit OneRow(SparseRow row) { rows_.push_back(row); }
  operator RowBlock() const { return {rows_.rows()}; }

 private:
  SparseMatrix rows_;
};

}  // namespace xylem::test
