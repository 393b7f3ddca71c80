// SPDX-License-Identifier: Apache-2.0
// Several files as if they were one.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "xylem/input.h"

namespace xylem {

// What the arrays of an input take. Texts that are left in their file take nothing.
std::uint64_t held_bytes(const Input& input);

// The rows of all inputs, in order. Labels of texts are numbered as they first occur in all of them. `paths` are for
// messages. Throws kData if some hold texts and others sparse rows, kUsage if it was guessed for one of them that ids
// count from 0 and for another that they count from 1. Warns in the report if counts in headers differ. There is at
// least one input.
Input join_inputs(std::vector<Input> inputs, const std::vector<std::string>& paths);

}  // namespace xylem
