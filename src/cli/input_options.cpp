// SPDX-License-Identifier: Apache-2.0
#include "cli/input_options.h"

#include <algorithm>
#include <string_view>

#include "cli/options.h"
#include "core/fail.h"
#include "core/text.h"
#include "xylem/input.h"

namespace xylem::cli {
namespace {

// A TAB is hard to type.
std::optional<char> parse_delimiter(const std::string& text) {
  if (text.empty()) return std::nullopt;
  if (text == "TAB" || text == "tab" || text == "\\t") return '\t';
  if (text.size() != 1) fail(ErrorKind::kUsage, "--delimiter {}: expected one character, or TAB", quote(text));
  return text.front();
}

}  // namespace

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

std::vector<std::string> all_paths(const InputOptions& options) {
  std::vector<std::string> paths = {options.path};
  paths.insert(paths.end(), options.more_paths.begin(), options.more_paths.end());
  if (std::ranges::count(paths, "-") > 1) fail(ErrorKind::kUsage, "-i -: standard input can be read only once");
  return paths;
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

}  // namespace xylem::cli
