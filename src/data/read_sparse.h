// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>

#include "xylem/dataset.h"

namespace xylem {

// How a file is cut up. The result does not depend on it, except for which of several bad lines an Error knows of.
struct Cuts {
  std::size_t block_bytes = std::size_t{16} << 20;  // in memory at once, twice: one is read while one is parsed
  std::size_t chunk_bytes = std::size_t{1} << 18;   // parsed by one thread; small enough to stay in its cache
};

// read_dataset with other cuts; runs in the caller's arena.
ReadResult read_sparse(const std::string& path, const ReadOptions& options, const Run& run, const Cuts& cuts = {});

}  // namespace xylem
