// SPDX-License-Identifier: Apache-2.0
// Looks at data before it is trained on. Findings are no errors: the exit code is 0 whenever there was something to
// examine.
#include <limits>
#include <memory>
#include <variant>

#include "cli/commands.h"
#include "cli/doctor_output.h"
#include "cli/findings.h"
#include "cli/session.h"
#include "cli/streams.h"
#include "core/fail.h"
#include "core/memory.h"
#include "core/parallel.h"
#include "core/stopwatch.h"

namespace xylem::cli {
namespace {

struct DoctorArguments {
  CommonOptions common;
  InputOptions input;
  std::string test;
  std::vector<std::string> methods;
};

// Whatever is wrong with single lines, the others are read.
Input read_tolerantly(const std::string& path, const DoctorArguments& arguments, std::optional<FirstIds> first_ids,
                      Session& session) {
  ReadOptions options = read_options(arguments.input, first_ids, kNoLimit);
  options.max_bad_lines = std::numeric_limits<std::size_t>::max();
  options.replace_bad_utf8 = true;
  Input input = read_input(path, options, session.run());
  for (const std::string& remark : input.report.remarks) session.say(path + ": " + remark);
  for (const std::string& warning : input.report.warnings) session.warn(warning);
  return input;
}

Examination examine_input(const Input& input, char label_separator) {
  if (const Corpus* corpus = std::get_if<Corpus>(&input.data)) return examine(*corpus, label_separator);
  return examine(std::get<Dataset>(input.data));
}

ExaminedFile examine_file(const std::string& path, const DoctorArguments& arguments, std::optional<FirstIds> first_ids,
                          Session& session) {
  Stopwatch stopwatch;
  ExaminedFile file{path, read_tolerantly(path, arguments, first_ids, session), {}, 0};
  file.read_seconds = stopwatch.lap().wall_seconds;
  with_threads(arguments.common.threads,
               [&] { file.found = examine_input(file.input, arguments.input.label_separator.value_or(',')); });
  return file;
}

ExaminedFile examine_test(const ExaminedFile& train, const DoctorArguments& arguments, Session& session) {
  std::optional<FirstIds> first_ids;
  if (const Dataset* rows = std::get_if<Dataset>(&train.input.data)) first_ids = rows->first_ids;
  ExaminedFile test = examine_file(arguments.test, arguments, first_ids, session);
  if (test.found.texts != train.found.texts) {
    fail(ErrorKind::kData, "{}: found {}, expected {}, as in {}", test.path, test.found.texts ? "texts" : "sparse rows",
         train.found.texts ? "texts" : "sparse rows", train.path);
  }
  return test;
}

TestComparison compare_files(const ExaminedFile& train, const ExaminedFile& test) {
  if (const Corpus* corpus = std::get_if<Corpus>(&test.input.data)) {
    return compare_with_training(train.found, std::get<Corpus>(train.input.data).label_names, test.found, *corpus);
  }
  return compare_with_training(train.found, test.found, std::get<Dataset>(test.input.data));
}

std::vector<const Method*> chosen_methods(const std::vector<std::string>& names) {
  std::vector<const Method*> chosen;
  for (const std::string& name : names) chosen.push_back(&find_method(name));
  if (names.empty()) chosen.assign(methods().begin(), methods().end());
  return chosen;
}

Diagnosis diagnose(const DoctorArguments& arguments) {
  CostOptions cost_options;
  cost_options.methods = chosen_methods(arguments.methods);
  Session session(arguments.common);
  const std::optional<std::uint64_t> memory = available_memory();

  Diagnosis diagnosis;
  diagnosis.train = examine_file(arguments.input.path, arguments, std::nullopt, session);
  diagnosis.findings = find_in_train(diagnosis.train, arguments.input);
  const auto add_findings = [&](std::vector<Finding> more) {
    for (Finding& finding : more) diagnosis.findings.push_back(std::move(finding));
  };
  if (!arguments.test.empty()) {
    diagnosis.test = examine_test(diagnosis.train, arguments, session);
    diagnosis.comparison = compare_files(diagnosis.train, *diagnosis.test);
    add_findings(find_in_test(*diagnosis.test, diagnosis.comparison, arguments.input));
  }
  with_threads(arguments.common.threads, [&] { diagnosis.threads = worker_count(); });
  diagnosis.costs = std::visit([&](const auto& data) { return estimate_costs(data, cost_options, session.run()); },
                               diagnosis.train.input.data);
  add_findings(find_in_costs(diagnosis.costs, memory));
  return diagnosis;
}

int run_doctor(const DoctorArguments& arguments) {
  require(arguments.input.path, "-i FILE");
  const Diagnosis diagnosis = diagnose(arguments);
  print_result(arguments.common.json ? diagnosis_json(diagnosis) : diagnosis_text(diagnosis));
  return 0;
}

}  // namespace

Runner define_doctor(CLI::App& app) {
  auto arguments = std::make_shared<DoctorArguments>();
  add_input_options(app, arguments->input, "training data; - is standard input");
  app.add_option("--test", arguments->test, "test data, to be compared with the training data");
  app.add_option("--method", arguments->methods, "estimate the cost of this method; may be repeated; default: of all")
      ->allow_extra_args(false);
  add_common_options(app, arguments->common);
  add_json_option(app, arguments->common);
  app.footer(
      "Bad lines never stop it; --bad-utf8 and --max-bad-lines tell it what `xylem train` would be told.\n"
      "Example:\n  xylem doctor -i train.jsonl --test test.jsonl --method knn");
  return [arguments] { return run_doctor(*arguments); };
}

}  // namespace xylem::cli
