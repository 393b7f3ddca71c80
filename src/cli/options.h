// SPDX-License-Identifier: Apache-2.0
// Options that most verbs have, and checks of an option's value.
#pragma once

#include <CLI/CLI.hpp>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

namespace xylem::cli {

struct CommonOptions {
  int threads = 0;
  bool quiet = false;
  bool json = false;
};

void add_common_options(CLI::App& app, CommonOptions& options);
void add_json_option(CLI::App& app, CommonOptions& options);

// CLI11 alone would take -1 for a very large number, and nan for a number.
CLI::Validator whole_number(std::uint64_t low = 0, std::uint64_t high = std::numeric_limits<std::uint64_t>::max());
CLI::Validator finite_number();
CLI::Validator one_of(std::vector<std::string> names);

// What --max-memory says; 0 if it was not given.
std::uint64_t parse_max_memory(const std::string& text);

// Throws kUsage if a needed option was given neither on the command line nor in a configuration file.
void require(const std::string& value, const char* option);

}  // namespace xylem::cli
