// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

#include "xylem/dataset.h"
#include "xylem/method.h"

namespace xylem {

// XXH3 of the content, whatever file it came from: of the hashes of its blocks (core/row_blocks.h), in their order.
// With a shape, its features and labels count as so many.
std::string data_hash(const Dataset& data);
std::string data_hash(const Dataset& data, const DataShape& shape);

// Of n rows from `first` on, wherever they stand in the data.
std::uint64_t block_hash(const Dataset& data, std::size_t first, std::size_t n);
std::string hash_of_blocks(std::span<const std::uint64_t> blocks, const DataShape& shape);

}  // namespace xylem
