// SPDX-License-Identifier: Apache-2.0
// The end of a program that has no memory left, not even for a sentence of its own. What nobody can catch (one more
// allocation that fails while a failed one is being reported, in a destructor, or before main()) ends the process with
// a sentence and an exit code instead of a signal, too.
#pragma once

namespace xylem::cli {

// Writes one constant sentence to standard error and ends the process with the exit code of ErrorKind::kMemory, without
// taking any memory.
[[noreturn]] void exit_without_memory();

}  // namespace xylem::cli
