// SPDX-License-Identifier: Apache-2.0
// Standard input, output and error as a script may have left them: closed, full, or a pipe that nobody reads.
#pragma once

#include <string_view>

namespace xylem::cli {

// To be called first. A stream that is closed would be reopened by the first file, and messages written into that
// file. And whoever stops reading a pipe, or fills a quota, is answered by an Error, not by a signal that leaves
// half a file behind.
void prepare_standard_streams();

// What the user asked for, on standard output. Throws kIo.
void print_result(std::string_view text);

// All else, on standard error. Where that fails there is nobody left to tell.
void print_remark(std::string_view text);

// Whether standard output is a pipe that nobody reads any more, as in `xylem predict ... | head`.
bool reader_has_gone();

}  // namespace xylem::cli
