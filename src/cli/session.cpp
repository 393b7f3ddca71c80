// SPDX-License-Identifier: Apache-2.0
#include "cli/session.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>
#include <limits>

#include "cli/streams.h"
#include "core/fail.h"
#include "core/file.h"
#include "core/numbers.h"
#include "core/parallel.h"
#include "core/text.h"
#include "data/byte_source.h"
#include "data/join.h"

namespace xylem::cli {
namespace {

// A TAB is hard to type.
std::optional<char> parse_delimiter(const std::string& text) {
  if (text.empty()) return std::nullopt;
  if (text == "TAB" || text == "tab" || text == "\\t") return '\t';
  if (text.size() != 1) fail(ErrorKind::kUsage, "--delimiter {}: expected one character, or TAB", quote(text));
  return text.front();
}

// What the files that have been read leave of `max_bytes` for the one at `path`.
std::uint64_t bytes_left(std::uint64_t max_bytes, const std::vector<Input>& read, const std::string& path) {
  std::uint64_t held = 0;
  for (const Input& input : read) held += held_bytes(input);
  if (held < max_bytes) return max_bytes - held;
  fail(ErrorKind::kMemory, "{}: the files before it already take {} of memory, {} are allowed", display_name(path),
       format_bytes(held), format_bytes(max_bytes));
}

void warn_of_repeats(const std::vector<std::string>& paths, Session& session) {
  for (std::size_t i = 1; i < paths.size(); ++i) {
    const bool again =
        std::any_of(paths.begin(), paths.begin() + static_cast<std::ptrdiff_t>(i), [&](const auto& path) {
          std::error_code ignored;
          return std::filesystem::equivalent(path, paths[i], ignored);
        });
    if (again) session.warn(fmt::format("{} is given twice with -i, so its rows count twice", paths[i]));
  }
}

// For who meant to give labels, too.
std::string typed_lines_text(const std::string& path, const ReadReport& report) {
  std::string text = display_name(path) + ": every line was read as one text";
  if (report.typed_tabs > 0) {
    text += fmt::format("; lines with a TAB: {} (--input-format tsv reads labels and text)", report.typed_tabs);
  }
  if (report.typed_labels > 0) {
    text += fmt::format("; lines with __label__: {} (--input-format fasttext reads labels)", report.typed_labels);
  }
  return text;
}

}  // namespace

void check_format(const Tagger& tagger, const InputOptions& options) {
  const std::vector<std::string_view> sparse = dataset_formats();
  const bool names_sparse = std::ranges::find(sparse, options.format) != sparse.end();
  if (options.format == "auto" || names_sparse != tagger.takes_texts()) return;
  fail(ErrorKind::kUsage, "--input-format {}: the model was trained on {} and wants them", options.format,
       tagger.takes_texts() ? "texts" : "sparse rows");
}

WaitingForInput::WaitingForInput(const std::string& path, const Run& run)
    : at_once_(!can_be_read_again(path == "-" ? "/dev/stdin" : path)) {
  run.check();  // for a signal just before
}

void IdsBeyond::count(const std::vector<std::uint32_t>& ids) {
  n_beyond_ += static_cast<std::size_t>(std::ranges::count_if(ids, [&](std::uint32_t id) { return id >= n_known_; }));
}

void IdsBeyond::warn(Session& session, const std::string& path) const {
  if (n_beyond_ == 0) return;
  session.warn(
      fmt::format("{}: {} beyond the {} of the training rows: {}", display_name(path), what_, n_known_, n_beyond_));
}

std::optional<std::uint32_t> first_id(const InputOptions& options) {
  if (options.first_id == "auto") return std::nullopt;
  return options.first_id == "1" ? 1 : 0;
}

ReadOptions read_options(const InputOptions& options, std::optional<FirstIds> first_ids, std::uint64_t max_bytes) {
  if (const auto first = first_id(options)) first_ids = FirstIds{*first, *first};
  ReadOptions result;
  result.format = options.format;
  result.first_ids = first_ids;
  result.text_column = options.text_column;
  result.label_column = options.label_column;
  result.delimiter = parse_delimiter(options.delimiter);
  result.label_separator = options.label_separator;
  result.replace_bad_utf8 = options.bad_utf8 == "replace";
  result.max_bad_lines = options.max_bad_lines;
  result.max_bytes = max_bytes;
  return result;
}

CLI::Validator whole_number(std::uint64_t low, std::uint64_t high) {
  const auto check = [low, high](const std::string& text) {
    const auto number = parse_number<std::uint64_t>(text);
    if (number && *number >= low && *number <= high) return std::string();
    return fmt::format("found {}, expected a whole number from {} to {}", quote(text), low, high);
  };
  return {check, ""};
}

CLI::Validator finite_number() {
  const auto check = [](const std::string& text) {
    return parse_number<double>(text) ? std::string() : fmt::format("found {}, expected a number", quote(text));
  };
  return {check, ""};
}

CLI::Validator one_of(std::vector<std::string> names) {
  const auto check = [names](const std::string& text) {
    if (std::ranges::find(names, text) != names.end()) return std::string();
    const bool may_be_misspelt = text.size() > 2;
    return fmt::format("found {}, expected {} {}{}", quote(text), names.size() > 2 ? "one of" : "either",
                       fmt::join(names, names.size() > 2 ? ", " : " or "),
                       may_be_misspelt ? nearest_name_hint(text, names) : "");
  };
  return {check, fmt::format("{{{}}}", fmt::join(names, ","))};
}

void add_common_options(CLI::App& app, CommonOptions& options) {
  app.add_option("-j,--threads", options.threads, "threads; 0: all of the machine")
      ->capture_default_str()
      ->check(whole_number(0, 1024));
  app.add_flag("-q,--quiet", options.quiet, "no progress and no remarks on standard error, only warnings");
}

void add_json_option(CLI::App& app, CommonOptions& options) {
  app.add_flag("--json", options.json, "results as JSON");
}

void add_input_options(CLI::App& app, InputOptions& options, const std::string& help, HowMany how_many) {
  if (how_many == HowMany::kOne) {
    app.add_option("-i,--input", options.path, help);
  } else {
    const auto take = [&options](const std::vector<std::string>& paths) {
      options.path = paths.front();
      options.more_paths.assign(paths.begin() + 1, paths.end());
    };
    app.add_option_function<std::vector<std::string>>("-i,--input", take, help + "; may be repeated")
        ->allow_extra_args(false);
  }
  std::vector<std::string> formats = {"auto"};
  for (const std::string_view format : input_formats()) formats.emplace_back(format);
  app.add_option("--input-format", options.format, "format of the input")
      ->capture_default_str()
      ->check(one_of(formats));
  app.add_option("--first-id", options.first_id, "what the input calls its first feature and label; auto: see the docs")
      ->capture_default_str()
      ->check(one_of({"auto", "0", "1"}));
  app.add_option("--text-column", options.text_column, "column with the texts: name, number from 1, or JSON key");
  app.add_option("--label-column", options.label_column, "column with the labels: name, number from 1, or JSON key");
  app.add_option("--delimiter", options.delimiter, "between the columns of a CSV or TSV row, like ';' or TAB");
  app.add_option("--label-separator", options.label_separator,
                 "between the labels of a TSV or CSV row; ',' if it is not given, or blanks between URIs");
  app.add_option("--bad-utf8", options.bad_utf8, "what to do with bytes of a text that are not UTF-8")
      ->capture_default_str()
      ->check(one_of({"refuse", "replace"}));
  app.add_option("--max-bad-lines", options.max_bad_lines, "skip and count so many lines that cannot be understood")
      ->capture_default_str()
      ->check(whole_number());
}

void add_label_names_option(CLI::App& app, InputOptions& options) {
  app.add_option("--label-names", options.label_names,
                 "file of names for labels that are numbers, a line `name` or `number<TAB>name`");
}

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

void Session::warn(const std::string& path, const ReadReport& report) {
  const auto count = [&](std::size_t n, const char* what) {
    if (n > 0) warn(fmt::format("{}: {}: {}", display_name(path), what, n));
  };
  count(report.duplicate_features, "duplicate features, summed");
  count(report.duplicate_labels, "duplicate labels, taken once");
  count(report.replaced_utf8, "bytes that are not UTF-8, replaced");
  for (const std::string& warning : report.warnings) warn(warning);
  for (const std::string& remark : report.remarks) say(fmt::format("{}: {}", display_name(path), remark));
  if (report.typed_tabs + report.typed_labels > 0) say(typed_lines_text(path, report));
  for (const std::string& message : report.bad_line_messages) warn(message + " (skipped)");
  count(report.bad_lines, "bad lines, skipped");
}

Dataset Session::read(const std::string& path, const InputOptions& options, std::optional<FirstIds> first_ids,
                      std::uint64_t max_bytes) {
  const WaitingForInput waiting(path, run());
  ReadResult result = read_dataset(path, read_options(options, first_ids, max_bytes), run());
  warn(path, result.report);
  return std::move(result.data);
}

std::vector<std::string> all_paths(const InputOptions& options) {
  std::vector<std::string> paths = {options.path};
  paths.insert(paths.end(), options.more_paths.begin(), options.more_paths.end());
  if (std::ranges::count(paths, "-") > 1) fail(ErrorKind::kUsage, "-i -: standard input can be read only once");
  return paths;
}

Input Session::open_input(const InputOptions& options, std::uint64_t max_bytes) {
  const std::vector<std::string> paths = all_paths(options);
  warn_of_repeats(paths, *this);
  std::vector<Input> inputs;
  for (const std::string& path : paths) {
    const WaitingForInput waiting(path, run());
    const std::uint64_t left = bytes_left(max_bytes, inputs, path);
    inputs.push_back(xylem::open_input(path, read_options(options, std::nullopt, left), run()));
    warn(path, inputs.back().report);
  }
  Input input = join_inputs(std::move(inputs), paths);
  if (paths.size() > 1) {
    for (const std::string& warning : input.report.warnings) warn(warning);
  }
  std::visit([&](auto& data) { name_labels(data, options); }, input.data);
  return input;
}

Input Session::read_input(const std::string& path, const InputOptions& options, std::uint64_t max_bytes) {
  const WaitingForInput waiting(path, run());
  Input input = xylem::read_input(path, read_options(options, std::nullopt, max_bytes), run());
  warn(path, input.report);
  std::visit([&](auto& data) { name_labels(data, options); }, input.data);
  return input;
}

template <class Data>
void Session::name_labels(Data& data, const InputOptions& options, std::optional<Label> first_label) {
  if (options.label_names.empty()) return;
  const LabelNames names = read_label_names(options.label_names);
  if (!names.warning.empty()) warn(names.warning);
  if (const auto said = first_id(options)) first_label = *said;
  const NamingReport report = xylem::name_labels(data, names, first_label);
  if (report.unnamed > 0) {
    warn(fmt::format("{}: labels without a name, called by their numbers: {}", names.file, report.unnamed));
  }
  if (report.shared > 0) warn(fmt::format("{}: names that several labels share: {}", names.file, report.shared));
}
template void Session::name_labels(Dataset&, const InputOptions&, std::optional<Label>);
template void Session::name_labels(Corpus&, const InputOptions&, std::optional<Label>);

Input Session::read_more(const Tagger& tagger, const InputOptions& options, std::uint64_t max_bytes) {
  check_format(tagger, options);
  const std::vector<std::string> paths = all_paths(options);
  warn_of_repeats(paths, *this);
  std::vector<Input> inputs;
  for (const std::string& path : paths) {
    const std::uint64_t left = bytes_left(max_bytes, inputs, path);
    if (!tagger.takes_texts()) {
      inputs.push_back({read(path, options, tagger.first_ids(), left), {}});
      continue;
    }
    const WaitingForInput waiting(path, run());
    CorpusResult result = read_corpus(path, read_options(options, std::nullopt, left), run());
    warn(path, result.report);
    inputs.push_back({std::move(result.corpus), {}});
  }
  Input input = join_inputs(std::move(inputs), paths);
  std::visit([&](auto& data) { name_labels(data, options, tagger.first_ids().label); }, input.data);
  return input;
}

Dataset Session::read_beside(const TrainingSpace& known, const std::string& path, const InputOptions& options) {
  Dataset data = read(path, options, known.first_ids, kNoLimit);
  IdsBeyond features(known.features, "values of features"), labels(known.labels, "labels");
  features.count(data.features.ids);
  labels.count(data.labels.ids);
  features.warn(*this, path);
  labels.warn(*this, path);
  return data;
}

TrainingSpace space_of(const Tagger& tagger) {
  return {tagger.n_features(), tagger.n_labels(), tagger.first_ids()};
}

TrainingSpace space_of(const Dataset& train) {
  return {train.features.n_columns, train.n_labels, train.first_ids};
}

std::uint64_t parse_max_memory(const std::string& text) {
  if (text.empty()) return 0;
  const auto bytes = parse_bytes(text);
  if (!bytes || *bytes == 0) fail(ErrorKind::kUsage, "--max-memory {}: expected a size like 500M or 8G", quote(text));
  return *bytes;
}

void require(const std::string& value, const char* option) {
  if (value.empty()) fail(ErrorKind::kUsage, "{} is needed; --help shows an example", option);
}

}  // namespace xylem::cli
