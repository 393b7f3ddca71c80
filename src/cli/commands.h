// SPDX-License-Identifier: Apache-2.0
// The verbs of the command. Each defines its options on the given sub-command and returns what is to be run after
// parsing, which returns the exit code.
#pragma once

#include <CLI/CLI.hpp>
#include <functional>

namespace xylem::cli {

using Runner = std::function<int()>;

Runner define_train(CLI::App& app);
Runner define_learn(CLI::App& app);
Runner define_predict(CLI::App& app);
Runner define_eval(CLI::App& app);
Runner define_explain(CLI::App& app);
Runner define_convert(CLI::App& app);
Runner define_doctor(CLI::App& app);
Runner define_info(CLI::App& app);
Runner define_labels(CLI::App& app);
Runner define_methods(CLI::App& app);

}  // namespace xylem::cli
