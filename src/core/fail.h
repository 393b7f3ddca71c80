// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <fmt/format.h>

#include <utility>

#include "xylem/error.h"

namespace xylem {

// Throws an Error with a formatted message.
template <class... Args>
[[noreturn]] void fail(ErrorKind kind, fmt::format_string<Args...> format, Args&&... args) {
  throw Error(kind, fmt::format(format, std::forward<Args>(args)...));
}

// fail(kIo), or kMemory if there is none, with the operating system's words for `errno` at the end. `what` is like
// "cannot read model.xylem".
[[noreturn]] void fail_io(const std::string& what);

}  // namespace xylem
