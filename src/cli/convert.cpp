// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <limits>
#include <memory>
#include <variant>

#include "cli/commands.h"
#include "cli/session.h"
#include "core/fail.h"
#include "xylem/input.h"

namespace xylem::cli {
namespace {

struct ConvertArguments {
  CommonOptions common;
  InputOptions input;
  std::string output;
  std::string format;
  bool force = false;
};

int run_convert(const ConvertArguments& arguments) {
  require(arguments.input.path, "-i FILE");
  require(arguments.output, "-o FILE");
  require(arguments.format, "--to FORMAT");
  Session session(arguments.common);
  output_policy(arguments.output, arguments.force);
  const Input input =
      session.read_input(arguments.input.path, arguments.input, std::numeric_limits<std::uint64_t>::max());
  const bool to_rows = std::ranges::count(dataset_formats(), arguments.format) > 0;
  if (const Corpus* corpus = std::get_if<Corpus>(&input.data)) {
    if (to_rows) {
      fail(ErrorKind::kUsage, "{} holds texts; `xylem train` makes rows of them, {} is for rows", arguments.input.path,
           arguments.format);
    }
    write_corpus(*corpus, arguments.format, arguments.input.label_separator, arguments.output);
    session.say(fmt::format("wrote {}, {} texts", arguments.output, corpus->size()));
  } else {
    const Dataset& data = std::get<Dataset>(input.data);
    if (!arguments.input.label_names.empty()) {
      fail(ErrorKind::kUsage, "{} holds sparse rows, and {} has numbers for labels: --label-names has no place there",
           arguments.input.path, arguments.format);
    }
    if (!to_rows) {
      fail(ErrorKind::kUsage, "{} holds sparse rows, and {} is for texts", arguments.input.path, arguments.format);
    }
    write_dataset(data, arguments.format, arguments.output);
    session.say(fmt::format("wrote {}, {} rows", arguments.output, data.size()));
  }
  return 0;
}

}  // namespace

Runner define_convert(CLI::App& app) {
  auto arguments = std::make_shared<ConvertArguments>();
  add_input_options(app, arguments->input, "data; - is standard input");
  add_label_names_option(app, arguments->input);
  app.add_option("-o,--output", arguments->output, "file to write; - is standard output");
  std::vector<std::string> formats;
  for (const std::string_view format : input_formats()) formats.emplace_back(format);
  app.add_option("--to", arguments->format, "format to write")->check(CLI::IsMember(formats));
  app.add_flag("--force", arguments->force, "replace an existing file");
  add_common_options(app, arguments->common);
  app.footer("Example:\n  xylem convert -i train.jsonl -o train.csv --to csv");
  return [arguments] { return run_convert(*arguments); };
}

}  // namespace xylem::cli
