// SPDX-License-Identifier: Apache-2.0
#include "cli/session.h"

#include <fmt/format.h>

#include "cli/streams.h"
#include "core/parallel.h"

namespace xylem::cli {

Session::Session(const CommonOptions& options) : options_(options), bar_(options.quiet) {
  const std::size_t wanted = thread_count(options_.threads);
  const std::size_t possible = startable_threads(wanted);
  if (possible == wanted) return;
  options_.threads = static_cast<int>(possible);
  warn(fmt::format("the system lets only {} of {} threads start; goes on with {}", possible, wanted, possible));
}

Run Session::run(std::uint64_t seed) {
  Run run;
  run.seed = seed;
  run.threads = options_.threads;
  run.on_progress = [this](const Progress& state) { bar_.show(state); };
  run.on_remark = [this](const std::string& sentence) { say(sentence); };
  run.cancel = signals_.stop();
  return run;
}

void Session::say(const std::string& message) {
  bar_.clear();
  if (!options_.quiet) print_remark(message + "\n");
}

void Session::warn(const std::string& message) {
  bar_.clear();
  print_remark(fmt::format("xylem: warning: {}\n", message));
}

}  // namespace xylem::cli
