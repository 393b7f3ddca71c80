// SPDX-License-Identifier: Apache-2.0
#include "cli/read_input.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <utility>
#include <vector>

#include "core/fail.h"
#include "core/file.h"
#include "core/text.h"
#include "data/byte_source.h"
#include "data/join.h"
#include "tagger/model_rows.h"

namespace xylem::cli {
namespace {

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

Dataset read_sparse_rows(const std::string& path, const InputOptions& options, std::optional<FirstIds> first_ids,
                         std::uint64_t max_bytes, Session& session) {
  const WaitingForInput waiting(path, session.run());
  ReadResult result = read_dataset(path, read_options(options, first_ids, max_bytes), session.run());
  warn_of(path, result.report, session);
  return std::move(result.data);
}

}  // namespace

WaitingForInput::WaitingForInput(const std::string& path, const Run& run)
    : at_once_(!can_be_read_again(path == "-" ? "/dev/stdin" : path)) {
  run.check();  // for a signal just before
}

void warn_of(const std::string& path, const ReadReport& report, Session& session) {
  const auto count = [&](std::size_t n, const char* what) {
    if (n > 0) session.warn(fmt::format("{}: {}: {}", display_name(path), what, n));
  };
  count(report.duplicate_features, "duplicate features, summed");
  count(report.duplicate_labels, "duplicate labels, taken once");
  count(report.replaced_utf8, "bytes that are not UTF-8, replaced");
  for (const std::string& warning : report.warnings) session.warn(warning);
  for (const std::string& remark : report.remarks) session.say(fmt::format("{}: {}", display_name(path), remark));
  if (report.typed_tabs + report.typed_labels > 0) session.say(typed_lines_text(path, report));
  for (const std::string& message : report.bad_line_messages) session.warn(message + " (skipped)");
  count(report.bad_lines, "bad lines, skipped");
}

void warn_of_unknown(const char* what, std::size_t n, std::size_t n_known, const std::string& path, Session& session) {
  if (n == 0) return;
  session.warn(fmt::format("{}: {} beyond the {} of the training rows: {}", display_name(path), what, n_known, n));
}

template <class Data>
void name_labels(Data& data, const InputOptions& options, Session& session, std::optional<Label> first_label) {
  if (options.label_names.empty()) return;
  const LabelNames names = read_label_names(options.label_names);
  if (!names.warning.empty()) session.warn(names.warning);
  if (const auto said = first_id(options)) first_label = *said;
  const NamingReport report = xylem::name_labels(data, names, first_label);
  if (report.unnamed > 0) {
    session.warn(fmt::format("{}: labels without a name, called by their numbers: {}", names.file, report.unnamed));
  }
  if (report.shared > 0)
    session.warn(fmt::format("{}: names that several labels share: {}", names.file, report.shared));
}
template void name_labels(Dataset&, const InputOptions&, Session&, std::optional<Label>);
template void name_labels(Corpus&, const InputOptions&, Session&, std::optional<Label>);

Input open_input(const InputOptions& options, std::uint64_t max_bytes, Session& session) {
  const std::vector<std::string> paths = all_paths(options);
  warn_of_repeats(paths, session);
  std::vector<Input> inputs;
  for (const std::string& path : paths) {
    const WaitingForInput waiting(path, session.run());
    const std::uint64_t left = bytes_left(max_bytes, inputs, path);
    inputs.push_back(xylem::open_input(path, read_options(options, std::nullopt, left), session.run()));
    warn_of(path, inputs.back().report, session);
  }
  Input input = join_inputs(std::move(inputs), paths);
  if (paths.size() > 1) {
    for (const std::string& warning : input.report.warnings) session.warn(warning);
  }
  std::visit([&](auto& data) { name_labels(data, options, session); }, input.data);
  return input;
}

Input read_input(const std::string& path, const InputOptions& options, std::uint64_t max_bytes, Session& session) {
  const WaitingForInput waiting(path, session.run());
  Input input = xylem::read_input(path, read_options(options, std::nullopt, max_bytes), session.run());
  warn_of(path, input.report, session);
  std::visit([&](auto& data) { name_labels(data, options, session); }, input.data);
  return input;
}

Input read_more(const Tagger& tagger, const InputOptions& options, std::uint64_t max_bytes, Session& session) {
  check_format(tagger, options.format);
  const std::vector<std::string> paths = all_paths(options);
  warn_of_repeats(paths, session);
  std::vector<Input> inputs;
  for (const std::string& path : paths) {
    const std::uint64_t left = bytes_left(max_bytes, inputs, path);
    if (!tagger.takes_texts()) {
      inputs.push_back({read_sparse_rows(path, options, tagger.first_ids(), left, session), {}});
      continue;
    }
    const WaitingForInput waiting(path, session.run());
    CorpusResult result = read_corpus(path, read_options(options, std::nullopt, left), session.run());
    warn_of(path, result.report, session);
    inputs.push_back({std::move(result.corpus), {}});
  }
  Input input = join_inputs(std::move(inputs), paths);
  std::visit([&](auto& data) { name_labels(data, options, session, tagger.first_ids().label); }, input.data);
  return input;
}

Dataset read_beside(const TrainingSpace& known, const std::string& path, const InputOptions& options,
                    Session& session) {
  Dataset data = read_sparse_rows(path, options, known.first_ids, kNoLimit, session);
  const auto count = [](const std::vector<std::uint32_t>& ids, std::size_t n_known) {
    return static_cast<std::size_t>(std::ranges::count_if(ids, [&](std::uint32_t id) { return id >= n_known; }));
  };
  warn_of_unknown("values of features", count(data.features.ids, known.features), known.features, path, session);
  warn_of_unknown("labels", count(data.labels.ids, known.labels), known.labels, path, session);
  return data;
}

}  // namespace xylem::cli
