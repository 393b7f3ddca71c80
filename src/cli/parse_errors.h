// SPDX-License-Identifier: Apache-2.0
// What CLI11 finds wrong with options, in our words.
#pragma once

#include <CLI/CLI.hpp>
#include <string>

namespace xylem::cli {

// `app` has the options that were parsed.
std::string parse_error_text(const CLI::ParseError& error, const CLI::App& app);

}  // namespace xylem::cli
