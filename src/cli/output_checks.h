// SPDX-License-Identifier: Apache-2.0
// Whether a file may be written, found out before the work.
#pragma once

#include <initializer_list>
#include <string>

#include "cli/input_options.h"
#include "core/file.h"

namespace xylem::cli {

// How to open the file at `path` for writing. Throws kUsage where it exists and --force was not given.
IfExists output_policy(const std::string& path, bool force);

// Whether `path` names a file that `input` names, or one of `more`.
bool is_input(const std::string& path, const InputOptions& input, std::initializer_list<std::string> more);

// Refuses to write over a file that is read.
void check_not_input(const std::string& output, const InputOptions& input, std::initializer_list<std::string> more);

// Refuses to write a model over a file that is read, to a pipe, or without --force over another file: before the work,
// not after it. `option` is what names the file, for the message.
void check_model_path(const char* option, const std::string& path, const InputOptions& input,
                      std::initializer_list<std::string> more, bool force);

}  // namespace xylem::cli
