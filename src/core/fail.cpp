// SPDX-License-Identifier: Apache-2.0
#include "core/fail.h"

#include <cerrno>
#include <system_error>

namespace xylem {

void fail_io(const std::string& what) {
  const ErrorKind kind = errno == ENOMEM ? ErrorKind::kMemory : ErrorKind::kIo;
  fail(kind, "{}: {}", what, std::generic_category().message(errno));
}

}  // namespace xylem
