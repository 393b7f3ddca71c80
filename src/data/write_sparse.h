// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <fmt/format.h>

#include <cstddef>
#include <span>
#include <string>
#include <string_view>

#include "core/file.h"
#include "xylem/dataset.h"

namespace xylem {

// Adds a row as a line of the sparse formats: `l1,l2 f:v f:v` and the end of the line.
void append_sparse_row(std::span<const Label> labels, SparseRow features, FirstIds first_ids, fmt::memory_buffer& out);

struct SparseSizes {
  std::size_t rows = 0;
  std::size_t features = 0;
  std::size_t labels = 0;
};

// A file of sparse rows that come one after the other. It appears when it is committed.
class SparseFile {
 public:
  // `format` is one of dataset_formats().
  SparseFile(std::string_view format, const SparseSizes& sizes, FirstIds first_ids, const std::string& path,
             IfExists if_exists);

  void write(std::span<const Label> labels, SparseRow features);
  void commit() { file_.commit(); }

 private:
  OutputFile file_;
  FirstIds first_ids_;
  fmt::memory_buffer line_;
};

}  // namespace xylem
