// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

namespace xylem {

constexpr std::string_view kJsonArrayProblem =
    "found a JSON array, expected one object per line (JSONL): `jq -c '.[]' OLD > NEW`";

// What a line of no known format probably is, and what to do about it; empty if nobody knows. Begins so that it can
// follow "found 'the line', ".
std::string_view unknown_format_hint(std::string_view line);

}  // namespace xylem
