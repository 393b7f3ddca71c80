// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>

namespace xylem {

// Bytes that this process may still take: what the machine has to give, or what a container leaves, if that is less.
// Without /proc, in a sandbox or a chroot, all that the machine has. Nothing if the system does not even say that.
std::optional<std::uint64_t> available_memory();

// The most that this process has held so far. Without /proc it may be what its parent held when it started this
// program.
std::uint64_t peak_memory();

}  // namespace xylem
