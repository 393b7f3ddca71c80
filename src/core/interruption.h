// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "xylem/error.h"
#include "xylem/run.h"

namespace xylem {

// Does `work`, and says whether somebody stopped it. What it has made until then is kept where has_result() says that
// there is something; otherwise, and where `run` wants finished work only, throws kInterrupted.
bool stopped_early(const Run& run, const auto& work, const auto& has_result) {
  try {
    work();
  } catch (const Error& error) {
    if (error.kind() != ErrorKind::kInterrupted || !run.keep_unfinished || !has_result()) throw;
    run.remark("asked to stop: finishing the best model so far");
    return true;
  }
  return false;
}

}  // namespace xylem
