// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <functional>
#include <string>

#include "data/chunks.h"
#include "xylem/dataset.h"

namespace xylem {

// Gets the rows of a file as they are read, block by block. Rows that it leaves in `rows` stay there, and the next ones
// come behind them. `promised` is how many rows the file's header says there are in all; 0 if it has none.
using UseRows = std::function<void(Dataset& rows, std::size_t promised)>;

// Reads a file that is open already, in the caller's arena; options.format is "auto" or one of dataset_formats(). Only
// options.first_ids makes blocks: otherwise the last row may tell what the ids of the first one mean, and `use` gets
// all rows at once. The result has the rows that `use` left.
ReadResult read_sparse_blocks(LineBlocks& blocks, const ReadOptions& options, const Run& run, std::size_t chunk_bytes,
                              const UseRows& use);
// What can be known of such a file without keeping its rows.
struct SparseSummary {
  FirstIds first_ids;
  std::size_t rows = 0, features = 0, labels = 0;
  // Whether rows are wrong that looked right when they were read: the ids of a later one say that they count from 0.
  bool late_bad_lines = false;
  ReadReport report;
};
SparseSummary summarise_sparse(LineBlocks& blocks, const ReadOptions& options, const Run& run, std::size_t chunk_bytes);

// read_dataset of such a file.
ReadResult read_sparse(LineBlocks& blocks, const ReadOptions& options, const Run& run, std::size_t chunk_bytes);
// read_dataset with other cuts, in the caller's arena.
ReadResult read_sparse(const std::string& path, const ReadOptions& options, const Run& run, const Cuts& cuts = {});

}  // namespace xylem
