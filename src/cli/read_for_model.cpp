// SPDX-License-Identifier: Apache-2.0
#include "cli/read_for_model.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <string>

#include "cli/read_input.h"
#include "core/fail.h"
#include "core/file.h"

namespace xylem::cli {
namespace {

// Passes over the rows that an earlier run has done.
class Skipper {
 public:
  explicit Skipper(const DoneRows& done) : done_(done) {}

  // Whether this block, at least a row, is among them; `input_hash` is of the input up to its end. A block without rows
  // would have the row count of the one before it, but another hash.
  bool skips(std::size_t n_rows, std::uint64_t input_hash) {
    if (rows_ >= done_.rows) return false;
    rows_ += n_rows;
    if (rows_ > done_.rows || (rows_ == done_.rows && input_hash != done_.input_hash)) fail_changed();
    return true;
  }
  // To be asked at the end.
  void check() const {
    if (rows_ < done_.rows) fail_changed();
  }

 private:
  [[noreturn]] void fail_changed() const {
    fail(ErrorKind::kUsage,
         "--continue: the input does not begin with the {} rows that are done; --force without --continue starts over",
         done_.rows);
  }

  DoneRows done_;
  std::uint64_t rows_ = 0;
};

// Progress as that of `stage`; none if somebody types, as a bar would stand where the next line is typed.
Run reading_run(Session& session, const Tagger& tagger, const std::vector<std::string>& paths, const char* stage) {
  Run run = session.run();
  if (std::ranges::count(paths, "-") > 0 && isatty(STDIN_FILENO) == 1) {
    session.say(fmt::format("reading {} from the terminal, one per line; Ctrl-D ends",
                            tagger.takes_texts() ? "texts" : "rows"));
    run.on_progress = nullptr;
  } else {
    run.on_progress = [show = run.on_progress, stage](Progress state) {
      state.stage = stage;
      show(state);
    };
  }
  return run;
}

}  // namespace

AllLabels read_for_model(Session& session, const Tagger& tagger, const InputOptions& options,
                         LabelsMatter labels_matter, const char* stage, const UseModelRows& use, const DoneRows& done) {
  check_format(tagger, options.format);
  Skipper skipper(done);
  ModelInput input{all_paths(options), read_options(options, std::nullopt, kNoLimit)};
  input.options.labels_matter = labels_matter == LabelsMatter::kYes;
  input.on_report = [&](const FileReport& file) {
    warn_of(file.path, file.read, session);
    warn_of_unknown("values of features", file.unknown_features, tagger.n_features(), file.path, session);
    warn_of_unknown("labels", file.unknown_labels, tagger.n_labels(), file.path, session);
  };
  input.passes_over = [&](std::size_t n_rows, std::uint64_t hash) { return skipper.skips(n_rows, hash); };
  const Run run = reading_run(session, tagger, input.paths, stage);
  const auto pipe = std::ranges::find_if_not(input.paths, can_be_read_again);
  const WaitingForInput waiting(pipe != input.paths.end() ? *pipe : options.path, run);
  AllLabels labels = read_model_rows(tagger, input, use, run);
  skipper.check();
  return labels;
}

}  // namespace xylem::cli
