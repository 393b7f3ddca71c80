// SPDX-License-Identifier: Apache-2.0
// What the verbs share: reading with its warnings, progress, Ctrl-C, measured time and memory.
#pragma once

#include <CLI/CLI.hpp>
#include <cstdint>
#include <initializer_list>
#include <limits>
#include <memory>
#include <optional>
#include <string>

#include "cli/progress_bar.h"
#include "core/file.h"
#include "xylem/dataset.h"
#include "xylem/input.h"
#include "xylem/run.h"
#include "xylem/tagger.h"

namespace xylem::cli {

struct CommonOptions {
  int threads = 0;
  bool quiet = false;
  bool json = false;
};

struct InputOptions {
  std::string path;
  std::string format = "auto";
  std::size_t max_bad_lines = 0;
  std::string first_id = "auto";
  char label_separator = ',';
  std::string bad_utf8 = "refuse";
  std::string label_names;  // only of verbs with add_label_names_option
};

// Checks of an option's value. CLI11 alone would take -1 for a very large number, and nan for a number.
CLI::Validator whole_number(std::uint64_t low = 0, std::uint64_t high = std::numeric_limits<std::uint64_t>::max());
CLI::Validator finite_number();

void add_common_options(CLI::App& app, CommonOptions& options);
void add_json_option(CLI::App& app, CommonOptions& options);
// -i and how to read it.
void add_input_options(CLI::App& app, InputOptions& options, const std::string& help);

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

struct ModelRows {
  Dataset rows;
  TextList document_ids;  // as in Corpus
  TextList texts;         // of a model for texts
};

// One run of a verb. While it lives, Ctrl-C asks the work to stop, and a second Ctrl-C ends the program.
class Session {
 public:
  explicit Session(const CommonOptions& options);
  ~Session();

  Run run(std::uint64_t seed = 1);
  // Lines for people, on standard error; silent with --quiet.
  void say(const std::string& message);
  void warn(const std::string& message);
  void warn(const std::string& path, const ReadReport& report);

  Dataset read(const std::string& path, const InputOptions& options, std::optional<FirstIds> first_ids,
               std::uint64_t max_bytes);
  // With the names of --label-names.
  Input read_input(const std::string& path, const InputOptions& options, std::uint64_t max_bytes);
  // Gives a Dataset or a Corpus the names of --label-names, if there are any. `first_label` is what to take where the
  // user has not said it.
  template <class Data>
  void name_labels(Data& data, const InputOptions& options, std::optional<Label> first_label = {});
  // Rows or texts that a model is applied to, as rows for it. Says what it never saw; of labels only if they matter.
  ModelRows read_for(const Tagger& tagger, const InputOptions& options, bool labels_matter);
  // Rows or texts that a model is to learn, with the names of --label-names: whatever it takes.
  Input read_more(const Tagger& tagger, const InputOptions& options, std::uint64_t max_bytes);
  // Rows that something trained on `known` is applied to: says how many features and labels it never saw.
  Dataset read_beside(const TrainingSpace& known, const std::string& path, const InputOptions& options);

 private:
  CommonOptions options_;
  ProgressBar bar_;
};

// How to open the file at `path` for writing. Throws kUsage where it exists and --force was not given.
IfExists output_policy(const std::string& path, bool force);

// What --max-memory says; 0 where it was not given.
std::uint64_t parse_max_memory(const std::string& text);

// Refuses to write a model over one of `inputs`, to a pipe, or without --force over another file: before the work, not
// after it. `option` is what names the file, for the message.
void check_model_path(const char* option, const std::string& path, std::initializer_list<std::string> inputs,
                      bool force);

// Refuses to write over a file that is read.
void check_not_input(const std::string& output, std::initializer_list<std::string> inputs);

// Throws kUsage if a needed option was given neither on the command line nor in a configuration file.
void require(const std::string& value, const char* option);

struct Cost {
  double wall_seconds = 0;
  double cpu_seconds = 0;
};
// Since the last call, or since it was made.
class Stopwatch {
 public:
  Stopwatch();
  Cost lap();

 private:
  Cost last_;
};
std::uint64_t peak_memory();

}  // namespace xylem::cli
