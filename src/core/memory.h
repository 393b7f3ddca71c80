// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace xylem {

// Bytes that this process may still take: what the machine has to give, or what a container leaves, if that is less.
std::uint64_t available_memory();

}  // namespace xylem
