// SPDX-License-Identifier: Apache-2.0
#include <memory>
#include <optional>

#include "cli/coloured_text.h"
#include "cli/commands.h"
#include "cli/explain_output.h"
#include "cli/read_for_model.h"
#include "cli/session.h"
#include "core/fail.h"
#include "core/file.h"
#include "tagger/label_lists.h"
#include "xylem/tagger.h"

namespace xylem::cli {
namespace {

struct ExplainArguments {
  CommonOptions common;
  InputOptions input;
  std::string model;
  std::optional<std::string> label;
  std::optional<std::size_t> k;  // 1
};

int run_explain(const ExplainArguments& arguments) {
  require(arguments.input.path, "-i FILE");
  require(arguments.model, "-m MODEL");
  if (arguments.label && arguments.k) {
    fail(ErrorKind::kUsage, "--label and -k do not go together: one names a label, the other takes the best");
  }
  Session session(arguments.common);
  const Run run = session.run();
  OutputFile out("-", IfExists::kReplace);
  const Tagger tagger = Tagger::load(arguments.model, run);
  std::vector<Label> asked;
  if (arguments.label) asked = named_labels(tagger, "--label", *arguments.label);
  Run quiet = run;
  quiet.on_progress = nullptr;  // that of the input says more
  const bool in_colour = !arguments.common.json && wants_colour();
  std::size_t n_rows = 0;
  read_for_model(session, tagger, arguments.input, LabelsMatter::kNo, "explain", [&](const ModelRows& block) {
    const std::vector<TextView> texts = views_of(block.texts);
    const RowBlock rows(block.features.rows(), texts);
    TopLabels best;
    if (!arguments.label) best = tagger.tag(rows, arguments.k.value_or(1), quiet);
    for (std::size_t i = 0; i < block.size(); ++i) {
      run.check();
      RowName row{++n_rows, block.document_ids.size() > 0 ? block.document_ids[i] : std::string_view(), {}};
      if (in_colour && block.texts.size() > 0) row.text = block.texts[i];
      const std::span<const Label> labels = arguments.label ? std::span<const Label>(asked) : best.row_labels(i);
      if (labels.empty()) out.write(arguments.common.json ? no_label_line(row) : no_label_text(row));
      for (const Label label : labels) {
        const Explanation explanation = tagger.explain(rows.slice(i, 1), label, quiet);
        out.write(arguments.common.json ? explanation_line(explanation, tagger, row)
                                        : explanation_text(explanation, tagger, row));
      }
    }
    out.flush();
  });
  out.commit();
  return 0;
}

}  // namespace

Runner define_explain(CLI::App& app) {
  auto arguments = std::make_shared<ExplainArguments>();
  app.add_option("-m,--model", arguments->model, "model file");
  add_input_options(app, arguments->input, "rows to explain; - is standard input", HowMany::kSeveral);
  app.add_option("--label", arguments->label,
                 "label to explain: its name or identifier, or its number if it has no name");
  app.add_option("-k", arguments->k, "explain this many of the best labels per row; 1")
      ->check(whole_number(1, 1'000'000));
  add_json_option(app, arguments->common);
  add_common_options(app, arguments->common);
  app.footer(
      "Examples:\n  xylem explain -m tags.xylem -i test.txt --label 3\n"
      "  echo \"my parcel is broken\" | xylem explain -m texts.xylem -i - -k 2");
  return [arguments] { return run_explain(*arguments); };
}

}  // namespace xylem::cli
