// SPDX-License-Identifier: Apache-2.0
#include "xylem/run.h"

#include "core/fail.h"

namespace xylem {

void Run::check() const {
  if (cancelled()) fail(ErrorKind::kInterrupted, "interrupted");
}

}  // namespace xylem
