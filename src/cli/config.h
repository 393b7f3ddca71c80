// SPDX-License-Identifier: Apache-2.0
// Configuration files: TOML with the long names of a verb's options, and a table [options] with those of the method.
#pragma once

#include <CLI/CLI.hpp>
#include <string>

#include "xylem/method.h"

namespace xylem::cli {

// Gives the options of `app` that the command line left out the values of the file, and adds [options] to `settings`
// where it has no value yet; they are those of `method`, a variable of `app` that the file may set. Throws kUsage with
// file and line, and the nearest name for an unknown one.
void apply_config(const std::string& path, CLI::App& app, const std::string& method, Settings& settings);

// The same file for what is in force now, every option of the method with its help.
std::string config_text(const CLI::App& app, const Method& method, const Settings& settings);

// "key=value" pairs to settings. Throws kUsage.
Settings parse_settings(const std::vector<std::string>& pairs);

}  // namespace xylem::cli
