// SPDX-License-Identifier: Apache-2.0
#include "cli/eval_output.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "core/text.h"

namespace xylem::cli {
namespace {

double milliseconds_a_row(const PredictCost& cost) {
  return cost.rows == 0 ? 0 : 1000 * cost.predict.cpu_seconds / static_cast<double>(cost.rows);
}

std::string figure_text(const Figure& figure) {
  if (!figure.low) return fmt::format("{:.2f}", figure.value);
  return fmt::format("{:.2f} [{:.2f}, {:.2f}]", figure.value, *figure.low, *figure.high);
}

// "P@5" is of the family "P".
std::string family_of(const std::string& name) {
  return name.substr(0, name.find('@'));
}

// One line for each family of figures, a column for each k; what is no family stands below.
std::string figures_table(const std::vector<Figure>& figures, const std::vector<std::size_t>& ks) {
  std::vector<std::string> lines = {fmt::format("{:<10}", "")};
  for (const std::size_t k : ks) lines[0] += fmt::format("  {:<22}", fmt::format("@{}", k));
  std::string family;
  std::string below;
  for (const Figure& figure : figures) {
    if (figure.name.find('@') == std::string::npos) {
      below += fmt::format("{:<22}{}\n", figure.name, figure_text(figure));
      continue;
    }
    if (family_of(figure.name) != family) {
      family = family_of(figure.name);
      lines.push_back(fmt::format("{:<10}", family));
    }
    lines.back() += fmt::format("  {:<22}", figure_text(figure));
  }
  std::string text;
  for (const std::string& line : lines) text += without_trailing_blanks(line) + "\n";
  return text + below;
}

std::string groups_table(const Evaluation& evaluation, std::size_t k) {
  std::string text =
      fmt::format("\n{:<8}{:>14}{:>9}{:>12}  {:>12}  {:>9}  {:>6}\n", "group", "training rows", "labels", "true pairs",
                  fmt::format("precision@{}", k), fmt::format("recall@{}", k), fmt::format("F1@{}", k));
  for (const FrequencyGroup& group : evaluation.groups) {
    const std::string range = group.to == group.from          ? fmt::format("{}", group.from)
                              : group.to == ~std::uint32_t{0} ? fmt::format("{} or more", group.from)
                                                              : fmt::format("{} to {}", group.from, group.to);
    text += fmt::format("{:<8}{:>14}{:>9}{:>12}  {:>12.2f}  {:>9.2f}  {:>6.2f}\n", group.name, range, group.labels,
                        group.positives, group.precision, group.recall, group.f1);
  }
  return text;
}

std::string tail_rows_table(const TailRows& tail, const std::vector<std::size_t>& ks) {
  return fmt::format("\n{} rows with tail or unseen labels only, {} of them with unseen ones only\n{}", tail.rows,
                     tail.rows_unseen, figures_table(tail.figures, ks));
}

std::string paired_table(const std::vector<PairedFigure>& paired) {
  std::string text = fmt::format("\n{:<12}{:>8}{:>8}{:>12}{:>20}{:>9}\n", "compared", "first", "second", "difference",
                                 "95 % interval", "p");
  for (const PairedFigure& figure : paired) {
    text += fmt::format("{:<12}{:>8.2f}{:>8.2f}{:>+12.2f}{:>20}{:>9.4f}\n", figure.name, figure.first, figure.second,
                        figure.difference, fmt::format("[{:+.2f}, {:+.2f}]", figure.low, figure.high), figure.p_value);
  }
  return text;
}

// Every figure as a key of its own, and their intervals.
void add_figures(const std::vector<Figure>& figures, nlohmann::ordered_json& result) {
  nlohmann::ordered_json intervals = nlohmann::ordered_json::object();
  for (const Figure& figure : figures) {
    result[figure.name] = figure.value;
    if (figure.low) intervals[figure.name] = {*figure.low, *figure.high};
  }
  result["intervals"] = intervals;
}

nlohmann::ordered_json match_json(const MatchReport& report) {
  return {{"rows_matched_by", report.by_document_id ? "id" : "position"},
          {"unknown_labels", report.unknown_labels},
          {"unknown_predictions", report.unknown_predictions},
          {"repeated_labels", report.repeated_labels},
          {"missing_rows", report.missing_rows},
          {"unknown_rows", report.unknown_rows}};
}

}  // namespace

std::string evaluation_text(const EvaluationReport& report, const EvalOptions& options) {
  const Evaluation& evaluation = report.evaluation;
  std::string text = fmt::format("{} rows, {} of them without labels; percent{}\n", evaluation.rows,
                                 evaluation.rows_without_labels, options.bootstrap > 0 ? " [95 % interval]" : "");
  text += figures_table(evaluation.figures, options.ks);
  text += groups_table(evaluation, std::ranges::max(options.ks));
  if (evaluation.tail_rows.rows > 0) text += tail_rows_table(evaluation.tail_rows, options.ks);
  if (!report.paired.empty()) text += paired_table(report.paired);
  if (report.cost) text += fmt::format("\n{:.3f} ms per row (CPU time)\n", milliseconds_a_row(*report.cost));
  return text;
}

std::string evaluation_json(const EvaluationReport& report) {
  const Evaluation& evaluation = report.evaluation;
  nlohmann::ordered_json result = {{"rows", evaluation.rows},
                                   {"rows_without_labels", evaluation.rows_without_labels},
                                   {"unknown_labels", report.unknown.labels},
                                   {"rows_with_unknown_labels", report.unknown.rows},
                                   {"rows_with_unknown_labels_only", report.unknown.lost_rows}};
  if (report.predictions) result["predictions"] = match_json(*report.predictions);
  if (report.versus) result["versus"] = match_json(*report.versus);
  add_figures(evaluation.figures, result);
  // As arrays and objects from the start: a null value that becomes one when memory runs out cannot be destroyed.
  result["groups"] = nlohmann::ordered_json::array();
  for (const FrequencyGroup& group : evaluation.groups) {
    result["groups"].push_back({{"name", group.name},
                                {"labels", group.labels},
                                {"positives", group.positives},
                                {"predicted", group.predicted},
                                {"correct", group.correct},
                                {"precision", group.precision},
                                {"recall", group.recall},
                                {"f1", group.f1}});
  }
  const TailRows& tail = evaluation.tail_rows;
  result["tail_rows"] = {{"rows", tail.rows}, {"rows_unseen", tail.rows_unseen}};
  add_figures(tail.figures, result["tail_rows"]);
  if (!report.paired.empty()) result["compared"] = nlohmann::ordered_json::object();
  for (const PairedFigure& figure : report.paired) {
    result["compared"][figure.name] = {{"first", figure.first},
                                       {"second", figure.second},
                                       {"difference", figure.difference},
                                       {"interval", {figure.low, figure.high}},
                                       {"p", figure.p_value}};
  }
  if (const std::optional<PredictCost>& cost = report.cost) {
    result["load_wall_seconds"] = cost->load.wall_seconds;
    result["predict_wall_seconds"] = cost->predict.wall_seconds;
    result["predict_cpu_seconds"] = cost->predict.cpu_seconds;
    result["predict_ms_a_row"] = milliseconds_a_row(*cost);
  }
  return result.dump(2) + "\n";
}

void write_per_label(const Evaluation& evaluation, Label first_label, const TextList& names, const TextList& ids,
                     OutputFile& out) {
  const bool with_ids = ids.size() > 0;
  out.write(fmt::format("label\ttraining_rows\tpositives\tpredicted\tcorrect\tprecision\trecall\tf1{}\n",
                        with_ids ? "\tid" : ""));
  for (const LabelFigures& label : evaluation.labels) {
    const std::string name =
        label.label < names.size() ? as_field(names[label.label]) : fmt::to_string(label.label + first_label);
    const std::string id = label.label < ids.size() ? as_field(ids[label.label]) : "";
    out.write(fmt::format("{}\t{}\t{}\t{}\t{}\t{:.4f}\t{:.4f}\t{:.4f}{}{}\n", name, label.training_rows,
                          label.positives, label.predicted, label.correct, label.precision, label.recall, label.f1,
                          with_ids ? "\t" : "", id));
  }
}

}  // namespace xylem::cli
