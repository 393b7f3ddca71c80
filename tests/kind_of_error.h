// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>

#include "xylem/error.h"

namespace xylem::test {

// The kind of the Error that `work` throws; nothing if it throws none.
inline std::optional<ErrorKind> kind_of_error(const auto& work) {
  try {
    work();
  } catch (const Error& error) {
    return error.kind();
  }
  return std::nullopt;
}

}  // namespace xylem::test
