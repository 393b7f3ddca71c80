// SPDX-License-Identifier: Apache-2.0
#include "cli/session.h"

#include <fmt/format.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <limits>

#include "cli/streams.h"
#include "core/fail.h"
#include "core/numbers.h"
#include "core/text.h"
#include "core/wall_clock.h"

namespace xylem::cli {
namespace {

std::atomic<bool> interrupted{false};
static_assert(std::atomic<bool>::is_always_lock_free);

// While somebody types, or another program is still to write, nobody looks whether there was an interrupt, and there is
// nothing yet that could be saved.
std::atomic<bool> waits_for_input{false};

void on_interrupt(int) {
  if (interrupted.exchange(true) || waits_for_input) _exit(static_cast<int>(ErrorKind::kInterrupted));
}

// Around the reading of an input that may keep us waiting.
class WaitingForInput {
 public:
  WaitingForInput(const std::string& path, const Run& run) {
    std::error_code ignored;
    const std::string file = path == "-" ? "/dev/stdin" : path;
    waits_for_input = !std::filesystem::is_regular_file(file, ignored);
    run.check();  // for an interrupt just before
  }
  ~WaitingForInput() { waits_for_input = false; }
};

double seconds(const timeval& time) {
  return static_cast<double>(time.tv_sec) + 1e-6 * static_cast<double>(time.tv_usec);
}

Cost now() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return {wall_seconds(), seconds(usage.ru_utime) + seconds(usage.ru_stime)};
}

// What --first-id says; nothing where it is to be found out.
std::optional<std::uint32_t> first_id(const InputOptions& options) {
  if (options.first_id == "auto") return std::nullopt;
  return options.first_id == "1" ? 1 : 0;
}

// The model takes texts, or sparse rows.
void check_format(const Tagger& tagger, const InputOptions& options) {
  const std::vector<std::string_view> sparse = dataset_formats();
  const bool names_sparse = std::ranges::find(sparse, options.format) != sparse.end();
  if (options.format == "auto" || names_sparse != tagger.takes_texts()) return;
  fail(ErrorKind::kUsage, "--input-format {}: the model was trained on {} and wants them", options.format,
       tagger.takes_texts() ? "texts" : "sparse rows");
}

}  // namespace

ReadOptions read_options(const InputOptions& options, std::optional<FirstIds> first_ids, std::uint64_t max_bytes) {
  if (const auto first = first_id(options)) first_ids = FirstIds{*first, *first};
  ReadOptions result;
  result.format = options.format;
  result.first_ids = first_ids;
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

void add_common_options(CLI::App& app, CommonOptions& options) {
  app.add_option("-j,--threads", options.threads, "threads; 0: all of the machine")
      ->capture_default_str()
      ->check(whole_number(0, 1024));
  app.add_flag("-q,--quiet", options.quiet, "no progress and no remarks on standard error, only warnings");
}

void add_json_option(CLI::App& app, CommonOptions& options) {
  app.add_flag("--json", options.json, "results as JSON");
}

void add_input_options(CLI::App& app, InputOptions& options, const std::string& help) {
  app.add_option("-i,--input", options.path, help);
  std::vector<std::string> formats = {"auto"};
  for (const std::string_view format : input_formats()) formats.emplace_back(format);
  app.add_option("--input-format", options.format, "format of the input")
      ->capture_default_str()
      ->check(CLI::IsMember(formats));
  app.add_option("--first-id", options.first_id, "what the input calls its first feature and label; auto: see the docs")
      ->capture_default_str()
      ->check(CLI::IsMember({"auto", "0", "1"}));
  app.add_option("--label-separator", options.label_separator, "between the labels of a TSV or CSV row")
      ->capture_default_str();
  app.add_option("--bad-utf8", options.bad_utf8, "what to do with bytes of a text that are not UTF-8")
      ->capture_default_str()
      ->check(CLI::IsMember({"refuse", "replace"}));
  app.add_option("--max-bad-lines", options.max_bad_lines, "skip and count so many lines that cannot be understood")
      ->capture_default_str()
      ->check(whole_number());
}

void add_label_names_option(CLI::App& app, InputOptions& options) {
  app.add_option("--label-names", options.label_names,
                 "file of names for labels that are numbers, a line `name` or `number<TAB>name`");
}

Session::Session(const CommonOptions& options) : options_(options), bar_(options.quiet) {
  interrupted = false;
  for (const int signal : {SIGINT, SIGTERM}) {
    // A shell starts background jobs deaf to Ctrl-C; so they stay.
    if (std::signal(signal, on_interrupt) == SIG_IGN) std::signal(signal, SIG_IGN);
  }
}

Session::~Session() {
  for (const int signal : {SIGINT, SIGTERM}) {
    if (std::signal(signal, SIG_DFL) == SIG_IGN) std::signal(signal, SIG_IGN);
  }
}

Run Session::run(std::uint64_t seed) {
  Run run;
  run.seed = seed;
  run.threads = options_.threads;
  run.on_progress = [this](const Progress& state) { bar_.show(state); };
  run.on_remark = [this](const std::string& sentence) { say(sentence); };
  run.cancel = &interrupted;
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
    if (n > 0) warn(fmt::format("{}: {}: {}", path, what, n));
  };
  count(report.duplicate_features, "duplicate features, summed");
  count(report.duplicate_labels, "duplicate labels, taken once");
  count(report.replaced_utf8, "bytes that are not UTF-8, replaced");
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
  if (const auto said = first_id(options)) first_label = *said;
  const NamingReport report = xylem::name_labels(data, names, first_label);
  if (report.unnamed > 0) {
    warn(fmt::format("{}: labels without a name, called by their numbers: {}", names.file, report.unnamed));
  }
  if (report.shared > 0) warn(fmt::format("{}: names that several labels share: {}", names.file, report.shared));
}
template void Session::name_labels(Dataset&, const InputOptions&, std::optional<Label>);

ModelRows Session::read_for(const Tagger& tagger, const InputOptions& options, bool labels_matter) {
  check_format(tagger, options);
  if (!tagger.takes_texts()) {
    TrainingSpace known = space_of(tagger);
    if (!labels_matter) known.labels = std::numeric_limits<std::size_t>::max();
    return {read_beside(known, options.path, options), {}, {}};
  }
  ReadOptions texts = read_options(options, std::nullopt, std::numeric_limits<std::uint64_t>::max());
  // What people type is a text. A file should say what it is: one that does not may be a table without a header.
  if (!labels_matter && options.path == "-") texts.fallback = "lines";
  CorpusResult result = [&] {
    const WaitingForInput waiting(options.path, run());
    return read_corpus(options.path, texts, run());
  }();
  warn(options.path, result.report);
  Dataset rows = tagger.rows_of(result.corpus, run());
  return {std::move(rows), std::move(result.corpus.document_ids), std::move(result.corpus.texts)};
}

Input Session::read_more(const Tagger& tagger, const InputOptions& options, std::uint64_t max_bytes) {
  check_format(tagger, options);
  if (!tagger.takes_texts()) {
    Dataset data = read(options.path, options, tagger.first_ids(), max_bytes);
    name_labels(data, options, tagger.first_ids().label);
    return {std::move(data), {}};
  }
  CorpusResult result = [&] {
    const WaitingForInput waiting(options.path, run());
    return read_corpus(options.path, read_options(options, std::nullopt, max_bytes), run());
  }();
  warn(options.path, result.report);
  name_labels(result.corpus, options, tagger.first_ids().label);
  return {std::move(result.corpus), {}};
}

Dataset Session::read_beside(const TrainingSpace& known, const std::string& path, const InputOptions& options) {
  Dataset data = read(path, options, known.first_ids, std::numeric_limits<std::uint64_t>::max());
  const auto beyond = [&](const std::vector<std::uint32_t>& ids, std::size_t n_known, const char* what) {
    const auto n = std::ranges::count_if(ids, [&](std::uint32_t id) { return id >= n_known; });
    if (n > 0) warn(fmt::format("{}: {} beyond the {} of the training rows: {}", path, what, n_known, n));
  };
  beyond(data.features.ids, known.features, "values of features");
  beyond(data.labels.ids, known.labels, "labels");
  return data;
}

TrainingSpace space_of(const Tagger& tagger) {
  return {tagger.n_features(), tagger.n_labels(), tagger.first_ids()};
}

TrainingSpace space_of(const Dataset& train) {
  return {train.features.n_columns, train.n_labels, train.first_ids};
}

IfExists output_policy(const std::string& path, bool force) {
  std::error_code ignored;
  if (!force && std::filesystem::is_regular_file(path, ignored)) {
    fail(ErrorKind::kUsage, "{} exists already; --force replaces it", path);
  }
  return force ? IfExists::kReplace : IfExists::kFail;
}

std::uint64_t parse_max_memory(const std::string& text) {
  if (text.empty()) return 0;
  const auto bytes = parse_bytes(text);
  if (!bytes || *bytes == 0) fail(ErrorKind::kUsage, "--max-memory {}: expected a size like 500M or 8G", quote(text));
  return *bytes;
}

void check_model_path(const char* option, const std::string& path, std::initializer_list<std::string> inputs,
                      bool force) {
  std::error_code ignored;
  if (path == "-" || std::filesystem::is_other(path, ignored)) {
    fail(ErrorKind::kUsage, "{} {}: a model needs a file of its own", option, path);
  }
  check_not_input(path, inputs);
  const OutputFile probe(path, output_policy(path, force));
}

void check_not_input(const std::string& output, std::initializer_list<std::string> inputs) {
  for (const std::string& input : inputs) {
    std::error_code ignored;
    if (std::filesystem::equivalent(output, input, ignored)) {
      fail(ErrorKind::kUsage, "{} is what is read: write to another file", output);
    }
  }
}

void require(const std::string& value, const char* option) {
  if (value.empty()) fail(ErrorKind::kUsage, "{} is needed; --help shows an example", option);
}

Stopwatch::Stopwatch() : last_(now()) {}

Cost Stopwatch::lap() {
  const Cost current = now();
  const Cost result{current.wall_seconds - last_.wall_seconds, current.cpu_seconds - last_.cpu_seconds};
  last_ = current;
  return result;
}

// Not getrusage's ru_maxrss: that counts what the process was before it became this program, too.
std::uint64_t peak_memory() {
  std::ifstream file("/proc/self/status");
  std::string line;
  while (std::getline(file, line)) {
    if (line.starts_with("VmHWM:")) return std::stoull(line.substr(6)) * 1024;
  }
  return 0;
}

}  // namespace xylem::cli
