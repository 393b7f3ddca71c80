// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>

#include "cli/commands.h"
#include "cli/config.h"
#include "cli/date_option.h"
#include "cli/output_checks.h"
#include "cli/read_input.h"
#include "cli/session.h"
#include "cli/streams.h"
#include "core/memory.h"
#include "core/stopwatch.h"
#include "core/text.h"
#include "data/label_table.h"
#include "tagger/date.h"
#include "xylem/corpus.h"
#include "xylem/tagger.h"

namespace xylem::cli {
namespace {

struct LearnArguments {
  CommonOptions common;
  InputOptions input;
  std::string model;
  std::string output;
  std::string labels;
  std::vector<std::string> set;
  bool force = false;
  std::string max_memory;
  std::string date;
};

struct LearningCosts {
  Cost load, read, learn, save;
};

// Of the input: only rows with labels are learned.
struct Rows {
  std::size_t all = 0, labelled = 0;
};

std::string report_json(const LearnArguments& arguments, const Tagger& before, const Tagger& after, const Rows& rows,
                        const LearningCosts& costs) {
  const auto seconds = [&](double Cost::*kind) {
    return nlohmann::json({{"load", costs.load.*kind},
                           {"read", costs.read.*kind},
                           {"learn", costs.learn.*kind},
                           {"save", costs.save.*kind}});
  };
  const nlohmann::json report = {
      {"model", arguments.output},
      {"method", after.method().name},
      {"model_bytes", std::filesystem::file_size(arguments.output)},
      {"rows", rows.labelled},
      {"new_labels", after.n_labels() - before.n_labels()},
      {"wall_seconds", seconds(&Cost::wall_seconds)},
      {"cpu_seconds", seconds(&Cost::cpu_seconds)},
      {"planned_bytes", after.plan().training},
      {"peak_bytes", peak_memory()},
      {"card", nlohmann::json::parse(after.card())},
  };
  return report.dump(2) + "\n";
}

std::string report_text(const LearnArguments& arguments, const Tagger& before, const Tagger& after, const Rows& rows,
                        const LearningCosts& costs) {
  const std::string of_all = rows.labelled < rows.all ? fmt::format(" of {}", rows.all) : "";
  return fmt::format("learned {}{} rows, {} new labels in {:.1f} s; now {} rows, {} labels\nwrote {}, {}",
                     rows.labelled, of_all, after.n_labels() - before.n_labels(), costs.learn.wall_seconds,
                     after.training_counts().rows, after.n_labels(), arguments.output,
                     format_bytes(std::filesystem::file_size(arguments.output)));
}

int run_learn(const LearnArguments& arguments) {
  require(arguments.model, "-m MODEL");
  if (arguments.labels.empty()) require(arguments.input.path, "-i FILE");
  require(arguments.output, "-o MODEL");
  const LearnOptions options{parse_settings(arguments.set), parse_max_memory(arguments.max_memory),
                             card_date(arguments.date)};
  check_date(options.date);
  Session session(arguments.common);
  check_model_path("-o", arguments.output, arguments.input, {arguments.labels}, arguments.force);

  LearningCosts costs;
  Stopwatch stopwatch;
  const Tagger before = Tagger::load(arguments.model, session.run());
  check_learning(before.method(), options.settings);
  costs.load = stopwatch.lap();
  const std::uint64_t max_bytes = options.max_memory > 0 ? options.max_memory : kNoLimit;
  const LabelNames listed = arguments.labels.empty() ? LabelNames() : read_label_names(arguments.labels);
  Rows rows;
  std::optional<Tagger> after;
  const auto latest = [&]() -> const Tagger& { return after ? *after : before; };
  if (listed.names.size() > 0) {
    after = before.learn_labels(listed.names, options, session.run(), listed.ids);
  }
  if (!arguments.input.path.empty()) {
    Input input = read_more(latest(), arguments.input, max_bytes, session);
    costs.read = stopwatch.lap();
    rows = std::visit([](const auto& data) { return Rows{data.size(), count_labelled(data.labels)}; }, input.data);
    after = std::holds_alternative<Dataset>(input.data)
                ? latest().learn(std::move(std::get<Dataset>(input.data)), options, session.run())
                : latest().learn(std::get<Corpus>(input.data), options, session.run());
  }
  costs.learn = stopwatch.lap();
  after->save(arguments.output, arguments.force);
  costs.save = stopwatch.lap();

  session.say(report_text(arguments, before, *after, rows, costs));
  if (arguments.common.json) print_result(report_json(arguments, before, *after, rows, costs));
  return 0;
}

}  // namespace

Runner define_learn(CLI::App& app) {
  auto arguments = std::make_shared<LearnArguments>();
  app.add_option("-m,--model", arguments->model, "model that is to learn more; stays as it is");
  add_input_options(app, arguments->input, "new rows with their labels; - is standard input", HowMany::kSeveral);
  add_label_names_option(app, arguments->input);
  app.add_option("--labels", arguments->labels,
                 "file of new labels, one name per line, which need no rows; for models that read label names");
  app.add_option("-o,--output", arguments->output, "model file to write");
  app.add_option("--set", arguments->set, "an option of the method's learning, name=value; may be repeated")
      ->allow_extra_args(false);
  app.add_flag("--force", arguments->force, "replace an existing model, which may be the one that learns");
  app.add_option("--max-memory", arguments->max_memory,
                 "stop before work that needs more, like 8G; default: what there is");
  add_date_option(app, arguments->date);
  add_common_options(app, arguments->common);
  add_json_option(app, arguments->common);
  app.footer(
      "Example:\n  xylem train -i train.txt -m rows.xylem --method knn --set k=20 && "
      "xylem learn -m rows.xylem -i new.txt -o more.xylem");
  return [arguments] { return run_learn(*arguments); };
}

}  // namespace xylem::cli
