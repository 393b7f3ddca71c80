// SPDX-License-Identifier: Apache-2.0
// What the verbs share: options, reading with its warnings, progress, Ctrl-C.
#pragma once

#include <CLI/CLI.hpp>
#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "cli/progress_bar.h"
#include "cli/signals.h"
#include "xylem/dataset.h"
#include "xylem/input.h"
#include "xylem/run.h"
#include "xylem/tagger.h"

namespace xylem::cli {

// For readers: as much memory as there is.
inline constexpr std::uint64_t kNoLimit = std::numeric_limits<std::uint64_t>::max();

struct CommonOptions {
  int threads = 0;
  bool quiet = false;
  bool json = false;
};

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

// Checks of an option's value. CLI11 alone would take -1 for a very large number, and nan for a number.
CLI::Validator whole_number(std::uint64_t low = 0, std::uint64_t high = std::numeric_limits<std::uint64_t>::max());
CLI::Validator finite_number();
CLI::Validator one_of(std::vector<std::string> names);

void add_common_options(CLI::App& app, CommonOptions& options);
void add_json_option(CLI::App& app, CommonOptions& options);
// -i and how to read it; it may be given several times for kSeveral.
enum class HowMany { kOne, kSeveral };
void add_input_options(CLI::App& app, InputOptions& options, const std::string& help, HowMany how_many = HowMany::kOne);
// All that -i names.
std::vector<std::string> all_paths(const InputOptions& options);

// What --first-id says; nothing if it is to be found out.
std::optional<std::uint32_t> first_id(const InputOptions& options);

void add_label_names_option(CLI::App& app, InputOptions& options);

// `first_ids` is what to take where the user has not said it.
ReadOptions read_options(const InputOptions& options, std::optional<FirstIds> first_ids, std::uint64_t max_bytes);

// The ids that training rows had.
struct TrainingSpace {
  std::size_t features = 0;
  std::size_t labels = 0;
  FirstIds first_ids;
};
TrainingSpace space_of(const Tagger& tagger);
TrainingSpace space_of(const Dataset& train);

// One run of a verb. While it lives, signals ask the work to stop.
class Session {
 public:
  explicit Session(const CommonOptions& options);

  Run run(std::uint64_t seed = 1);
  // Lines for people, on standard error; silent with --quiet.
  void say(const std::string& message);
  void warn(const std::string& message);
  void warn(const std::string& path, const ReadReport& report);

  Dataset read(const std::string& path, const InputOptions& options, std::optional<FirstIds> first_ids,
               std::uint64_t max_bytes);
  // All that -i names as one, with the names of --label-names; texts are left where they are.
  Input open_input(const InputOptions& options, std::uint64_t max_bytes);
  // With the names of --label-names.
  Input read_input(const std::string& path, const InputOptions& options, std::uint64_t max_bytes);
  // Gives a Dataset or a Corpus the names of --label-names, if there are any. `first_label` is what to take where the
  // user has not said it.
  template <class Data>
  void name_labels(Data& data, const InputOptions& options, std::optional<Label> first_label = {});
  // Rows or texts that a model is to learn, with the names of --label-names: whatever it takes.
  Input read_more(const Tagger& tagger, const InputOptions& options, std::uint64_t max_bytes);
  // Rows for something trained on `known`: says how many features and labels it never saw.
  Dataset read_beside(const TrainingSpace& known, const std::string& path, const InputOptions& options);

 private:
  CommonOptions options_;
  SignalHandling signals_;
  ProgressBar bar_;
};

// Around the reading of an input that may keep us waiting: meanwhile Ctrl-C ends the program at once.
class WaitingForInput {
 public:
  WaitingForInput(const std::string& path, const Run& run);

 private:
  EndingAtOnce at_once_;
};

// Counts ids that training rows did not have.
class IdsBeyond {
 public:
  IdsBeyond(std::size_t n_known, const char* what) : n_known_(n_known), what_(what) {}

  void count(const std::vector<std::uint32_t>& ids);
  void warn(Session& session, const std::string& path) const;

 private:
  std::size_t n_known_;
  const char* what_;
  std::size_t n_beyond_ = 0;
};

// Throws kUsage if --input-format names sparse rows for a model that takes texts, or the reverse.
void check_format(const Tagger& tagger, const InputOptions& options);

// What --max-memory says; 0 where it was not given.
std::uint64_t parse_max_memory(const std::string& text);

// Throws kUsage if a needed option was given neither on the command line nor in a configuration file.
void require(const std::string& value, const char* option);

}  // namespace xylem::cli
