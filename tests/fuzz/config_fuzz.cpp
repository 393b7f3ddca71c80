// SPDX-License-Identifier: Apache-2.0
// Configuration files.
#include "cli/config.h"
#include "fuzz_file.h"
#include "xylem/error.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  using namespace xylem;
  CLI::App app;
  std::string input, method = "knn";
  std::uint64_t seed = 1;
  bool force = false;
  app.add_option("--input", input, "");
  app.add_option("--method", method, "");
  app.add_option("--seed", seed, "");
  app.add_flag("--force", force, "");
  Settings settings;
  try {
    cli::apply_config(fuzz::file_of(bytes, size), app, method, settings);
    const Method& known = find_method(method);
    known.parse(settings);
    cli::config_text(app, known, settings);
  } catch (const Error&) {
  }
  return 0;
}
