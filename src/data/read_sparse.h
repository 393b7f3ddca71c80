// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>

#include "data/chunks.h"
#include "xylem/dataset.h"

namespace xylem {

// read_dataset of a file that is open already, in the caller's arena; options.format is "auto" or one of
// dataset_formats().
ReadResult read_sparse(LineBlocks& blocks, const ReadOptions& options, const Run& run, std::size_t chunk_bytes);
// read_dataset with other cuts, in the caller's arena.
ReadResult read_sparse(const std::string& path, const ReadOptions& options, const Run& run, const Cuts& cuts = {});

}  // namespace xylem
