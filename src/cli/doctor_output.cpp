// SPDX-License-Identifier: Apache-2.0
#include "cli/doctor_output.h"

#include <fmt/format.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "core/text.h"

namespace xylem::cli {
namespace {

using Json = nlohmann::ordered_json;

double mean(const PerRow& per_row, std::size_t rows) {
  return rows == 0 ? 0 : static_cast<double>(per_row.total) / static_cast<double>(rows);
}

std::string counts_text(const Diagnosis& diagnosis) {
  std::vector<const ExaminedFile*> files = {&diagnosis.train};
  if (diagnosis.test) files.push_back(&*diagnosis.test);
  std::string text;
  const auto line = [&](const char* name, auto value_of) {
    std::string row = fmt::format("{:<18}", name);
    for (const ExaminedFile* file : files) row += fmt::format("{:<28}", value_of(*file));
    text += without_trailing_blanks(row) + "\n";
  };
  const auto a_row = [](const PerRow& per_row, std::size_t rows) {
    return fmt::format("{:.1f}, at most {}", mean(per_row, rows), per_row.most);
  };
  const bool texts = diagnosis.train.found.texts;
  line("", [&](const ExaminedFile& file) { return &file == &diagnosis.train ? "train" : "test"; });
  line("format", [](const ExaminedFile& file) { return file.input.report.format; });
  line("rows", [](const ExaminedFile& file) { return std::to_string(file.found.rows); });
  if (texts) {
    line("text", [](const ExaminedFile& file) { return format_bytes(file.found.bytes); });
    line("words", [](const ExaminedFile& file) { return std::to_string(file.found.contents.total); });
  } else {
    line("features", [](const ExaminedFile& file) { return std::to_string(file.found.features); });
    line("non-zeros", [](const ExaminedFile& file) { return std::to_string(file.found.contents.total); });
  }
  line(texts ? "words a row" : "non-zeros a row",
       [&](const ExaminedFile& file) { return a_row(file.found.contents, file.found.rows); });
  line("labels",
       [](const ExaminedFile& file) { return std::to_string(file.found.spread.labels - file.found.spread.unused); });
  line("labels a row", [&](const ExaminedFile& file) { return a_row(file.found.labels, file.found.rows); });
  return text;
}

// As `xylem eval` groups them, with the labels on a single row apart.
std::string spread_text(const LabelSpread& spread) {
  std::string text = fmt::format("\n{:<8}{:>14}{:>10}{:>9}\n", "group", "training rows", "labels", "share");
  const std::size_t used = spread.labels - spread.unused;
  const auto line = [&](const std::string& name, const std::string& range, std::size_t n) {
    const double share = used == 0 ? 0 : 100 * static_cast<double>(n) / static_cast<double>(used);
    text += fmt::format("{:<8}{:>14}{:>10}{:>7.1f} %\n", name, range, n, share);
  };
  for (const FrequencyGroup& group : spread.groups) {
    if (group.from > 1) {
      line(group.name,
           group.to == ~std::uint32_t{0} ? fmt::format("{} or more", group.from)
                                         : fmt::format("{} to {}", group.from, group.to),
           group.labels);
    } else {
      line(group.name, fmt::format("2 to {}", group.to), group.labels - spread.on_one_row);
      line("", "1", spread.on_one_row);
    }
  }
  return text;
}

std::string findings_text(const std::vector<Finding>& findings) {
  if (findings.empty()) return "\nnothing found that needs care\n";
  std::string text = "\n";
  for (const Finding& finding : findings) {
    text += fmt::format("- {}{}\n", finding.data == "test" ? "test: " : "", finding.text);
    if (!finding.list_examples) continue;
    for (const std::string& example : finding.examples) text += "    " + example + "\n";
  }
  return text;
}

// With two digits: there is no more in it.
std::string about(double seconds) {
  const auto rounded = [](double value) {
    return value < 10 ? fmt::format("{:.1f}", value)
                      : fmt::format("{:.0f}", value < 100 ? value : std::round(value / 10) * 10);
  };
  if (seconds < 1) return "under 1 s";
  if (seconds < 100) return fmt::format("about {} s", rounded(seconds));
  if (seconds < 6000) return fmt::format("about {} min", rounded(seconds / 60));
  if (seconds < 172'800) return fmt::format("about {} h", rounded(seconds / 3600));
  return fmt::format("about {} days", rounded(seconds / 86'400));
}

double total_seconds(const Diagnosis& diagnosis, const TrainingCost& cost) {
  return diagnosis.train.read_seconds + *cost.seconds;
}

std::string costs_text(const Diagnosis& diagnosis) {
  std::string text =
      fmt::format("\n{:<12}{:<18}{:<18}{:<16}{}\n", "method", "memory", "model file", "time", "measured on");
  const auto size = [](std::uint64_t bytes) { return bytes == 0 ? "unknown" : "about " + format_bytes(bytes); };
  for (const TrainingCost& cost : diagnosis.costs) {
    text += fmt::format("{:<12}{:<18}{:<18}{:<16}", cost.method->name, size(cost.memory), size(cost.model),
                        cost.seconds ? about(total_seconds(diagnosis, cost)) : "unknown");
    text += cost.seconds ? fmt::format("{} of {} rows\n", cost.measured_rows, cost.labelled_rows) : cost.problem + "\n";
  }
  return text + fmt::format("with default options, to read the file and train, on {} thread{} of this machine\n",
                            diagnosis.threads, diagnosis.threads == 1 ? "" : "s");
}

Json file_json(const ExaminedFile& file) {
  const Examination& found = file.found;
  const ReadReport& report = file.input.report;
  Json json = {{"file", file.path}, {"format", report.format}, {"rows", found.rows}};
  if (found.texts) {
    json.update({{"bytes", found.bytes},
                 {"words", found.contents.total},
                 {"words_a_row", mean(found.contents, found.rows)},
                 {"most_words", found.contents.most},
                 {"empty_texts", found.rows_without_content},
                 {"replacement_characters", earlier_replacements(file)},
                 {"mojibake_texts", found.mojibake_rows}});
  } else {
    json.update({{"features", found.features},
                 {"nonzeros", found.contents.total},
                 {"nonzeros_a_row", mean(found.contents, found.rows)},
                 {"most_nonzeros", found.contents.most},
                 {"rows_without_features", found.rows_without_content},
                 {"duplicate_features", report.duplicate_features}});
  }
  json.update({{"labels", found.spread.labels - found.spread.unused},
               {"unused_labels", found.spread.unused},
               {"label_pairs", found.labels.total},
               {"labels_a_row", mean(found.labels, found.rows)},
               {"most_labels", found.labels.most},
               {"labels_on_one_row", found.spread.on_one_row},
               {"labels_on_most_rows", found.spread.on_most_rows.size()},
               {"rows_without_labels", found.rows_without_labels},
               {"repeated_rows", found.repeats.rows},
               {"repeated_rows_with_other_labels", found.repeats.with_other_labels},
               {"duplicate_labels", report.duplicate_labels},
               {"bad_lines", report.bad_lines},
               {"invalid_utf8_lines", report.replaced_lines},
               {"invalid_utf8_pieces", report.replaced_utf8},
               {"read_seconds", file.read_seconds}});
  // An array from the start: a null value that becomes one when memory runs out cannot be destroyed.
  json["groups"] = Json::array();
  for (const FrequencyGroup& group : found.spread.groups)
    json["groups"].push_back({{"name", group.name}, {"from", group.from}, {"to", group.to}, {"labels", group.labels}});
  return json;
}

Json costs_json(const Diagnosis& diagnosis) {
  Json methods = Json::array();
  for (const TrainingCost& cost : diagnosis.costs) {
    Json json = {{"name", cost.method->name}};
    if (cost.memory > 0) json.update({{"memory_bytes", cost.memory}, {"model_bytes", cost.model}});
    if (cost.seconds) {
      json.update({{"train_seconds", *cost.seconds},
                   {"seconds", total_seconds(diagnosis, cost)},
                   {"measured_rows", cost.measured_rows},
                   {"labelled_rows", cost.labelled_rows}});
    } else {
      json["problem"] = cost.problem;
    }
    methods.push_back(std::move(json));
  }
  return methods;
}

}  // namespace

std::string diagnosis_text(const Diagnosis& diagnosis) {
  std::string text = counts_text(diagnosis) + spread_text(diagnosis.train.found.spread);
  text += findings_text(diagnosis.findings);
  return diagnosis.costs.empty() ? text : text + costs_text(diagnosis);
}

std::string diagnosis_json(const Diagnosis& diagnosis) {
  Json json = {{"train", file_json(diagnosis.train)}};
  if (diagnosis.test) {
    json["test"] = file_json(*diagnosis.test);
    json["test"].update({{"rows_in_training", diagnosis.comparison.rows_in_training},
                         {"labels_unseen_in_training", diagnosis.comparison.unseen_labels},
                         {"pairs_unseen_in_training", diagnosis.comparison.unseen_pairs},
                         {"rows_with_unseen_labels_only", diagnosis.comparison.rows_with_unseen_only}});
  }
  json["findings"] = Json::array();
  for (const Finding& finding : diagnosis.findings) {
    json["findings"].push_back({{"name", finding.name},
                                {"data", finding.data},
                                {"count", finding.count},
                                {"text", finding.text},
                                {"examples", finding.examples}});
  }
  json["threads"] = diagnosis.threads;
  json["methods"] = costs_json(diagnosis);
  // A file may be called anything.
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace xylem::cli
