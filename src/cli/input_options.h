// SPDX-License-Identifier: Apache-2.0
// -i, and the options that say how to read it.
#pragma once

#include <CLI/CLI.hpp>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "xylem/dataset.h"

namespace xylem::cli {

// For readers: as much memory as there is.
inline constexpr std::uint64_t kNoLimit = std::numeric_limits<std::uint64_t>::max();

struct InputOptions {
  std::string path;                     // the first one
  std::vector<std::string> more_paths;  // of verbs that take several
  std::string format = "auto";
  std::size_t max_bad_lines = 0;
  std::string first_id = "auto";
  std::optional<char> label_separator;
  std::string text_column;
  std::string label_column;
  std::string delimiter;
  std::string bad_utf8 = "refuse";
  std::string label_names;  // only of verbs with add_label_names_option
};

// -i may be given several times for kSeveral.
enum class HowMany { kOne, kSeveral };
void add_input_options(CLI::App& app, InputOptions& options, const std::string& help, HowMany how_many = HowMany::kOne);
void add_label_names_option(CLI::App& app, InputOptions& options);

// All that -i names.
std::vector<std::string> all_paths(const InputOptions& options);

// What --first-id says; nothing if it is to be found out.
std::optional<std::uint32_t> first_id(const InputOptions& options);

// `first_ids` is what to take if the user has not said it.
ReadOptions read_options(const InputOptions& options, std::optional<FirstIds> first_ids, std::uint64_t max_bytes);

}  // namespace xylem::cli
