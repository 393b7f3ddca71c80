// SPDX-License-Identifier: Apache-2.0
#include "cli/output_checks.h"

#include <algorithm>
#include <filesystem>
#include <vector>

#include "core/fail.h"

namespace xylem::cli {

IfExists output_policy(const std::string& path, bool force) {
  std::error_code ignored;
  if (!force && std::filesystem::is_regular_file(path, ignored)) {
    fail(ErrorKind::kUsage, "{} exists already; --force replaces it", path);
  }
  return force ? IfExists::kReplace : IfExists::kFail;
}

bool is_input(const std::string& path, const InputOptions& input, std::initializer_list<std::string> more) {
  std::vector<std::string> inputs = all_paths(input);
  inputs.push_back(input.label_names);
  inputs.insert(inputs.end(), more);
  return std::ranges::any_of(inputs, [&](const std::string& other) {
    std::error_code ignored;
    return std::filesystem::equivalent(path, other, ignored);
  });
}

void check_not_input(const std::string& output, const InputOptions& input, std::initializer_list<std::string> more) {
  if (is_input(output, input, more)) fail(ErrorKind::kUsage, "{} is what is read: write to another file", output);
}

void check_model_path(const char* option, const std::string& path, const InputOptions& input,
                      std::initializer_list<std::string> more, bool force) {
  std::error_code ignored;
  if (path == "-" || std::filesystem::is_other(path, ignored)) {
    fail(ErrorKind::kUsage, "{} {}: a model needs a file of its own", option, path);
  }
  check_not_input(path, input, more);
  const OutputFile probe(path, output_policy(path, force));
}

}  // namespace xylem::cli
