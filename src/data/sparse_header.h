// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace xylem {

// More features or labels than this are refused: so many already need gigabytes for one number each.
constexpr std::uint64_t kMaxIds = std::uint64_t{1} << 31;

// The numbers of a first line that consists of `count` whole numbers and nothing else; nothing where it does not. All
// but the first, which counts rows, are counts of ids. Throws kData where one of them is too large. `name` is for the
// message.
std::optional<std::vector<std::uint64_t>> parse_header(std::string_view line, std::size_t count,
                                                       const std::string& name);

}  // namespace xylem
