// SPDX-License-Identifier: Apache-2.0
#include "cli/explain_output.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "cli/coloured_text.h"
#include "cli/labels.h"
#include "core/text.h"
#include "data/json_text.h"

namespace xylem::cli {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t kEvidenceLines = 10;
constexpr std::size_t kWordsAStep = 3;
constexpr std::size_t kExamples = 3;    // labels below a node
constexpr std::size_t kNeighbours = 5;  // rows
constexpr const char* kNoLabel = "the model gives this row no label";

// What a node is about: of the labels below it the most frequent.
std::vector<Label> examples_of(const PathStep& step, const Tagger& tagger) {
  std::vector<Label> labels = step.labels;
  const std::vector<std::uint32_t>& counts = tagger.training_counts().labels;
  std::ranges::stable_sort(labels, [&](Label a, Label b) { return counts[a] > counts[b]; });
  labels.resize(std::min(labels.size(), kExamples));
  return labels;
}

std::string shown(Label label, const Tagger& tagger) {
  return tagger.has_label_names() ? quote_name(tagger.label_name(label)) : "label " + tagger.label_name(label);
}

std::string shown(const Contribution& part, const Tagger& tagger) {
  const std::string name = tagger.feature_name(part.feature);
  return tagger.takes_texts() ? quote_name(name) : "feature " + name;
}

std::string names_of(std::span<const Label> labels, const Tagger& tagger) {
  std::vector<std::string> names;
  for (const Label label : labels) names.push_back(shown(label, tagger));
  return fmt::format("{}", fmt::join(names, ", "));
}

std::string row_text(const RowName& row) {
  return row.id.empty() ? fmt::format("row {}", row.number)
                        : fmt::format("row {} {}", row.number, quote_name(json_token_text(row.id)));
}

std::string evidence_text(const Explanation& explanation, const Tagger& tagger) {
  std::string text = fmt::format("  {}\n", explanation.basis);
  const std::vector<Contribution>& evidence = explanation.evidence;
  const std::size_t lines = std::min(evidence.size(), kEvidenceLines);
  for (std::size_t i = 0; i < lines; ++i) {
    text += fmt::format("    {:+.3f}  {}{}\n", evidence[i].value, shown(evidence[i], tagger),
                        evidence[i].attention ? fmt::format(", attention {:.3f}", *evidence[i].attention) : "");
  }
  double rest = 0;
  for (std::size_t i = lines; i < evidence.size(); ++i) rest += evidence[i].value;
  if (lines < evidence.size()) text += fmt::format("    {:+.3f}  {} more\n", rest, evidence.size() - lines);
  if (explanation.bias != 0) text += fmt::format("    {:+.3f}  whatever the row\n", explanation.bias);
  return text;
}

std::string step_words(const PathStep& step, const Tagger& tagger) {
  std::vector<std::string> words;
  for (std::size_t i = 0; i < std::min(step.evidence.size(), kWordsAStep); ++i) {
    words.push_back(fmt::format("{:+.3f} {}", step.evidence[i].value, shown(step.evidence[i], tagger)));
  }
  return fmt::format("{}", fmt::join(words, ", "));
}

std::string path_text(const TreePath& path, const Tagger& tagger, bool with_words) {
  std::string text = fmt::format("  tree {}: score {:.4g}{}\n", path.tree + 1, path.score,
                                 path.reached ? "" : ", not reached by the search");
  std::string indent = "    ";
  for (const PathStep& step : path.steps) {
    const std::vector<Label> examples = examples_of(step, tagger);
    const bool more = examples.size() < step.labels.size();
    text += fmt::format("{}margin {:+.3f}, score {:.4g}: {}{}\n", indent, step.margin, step.score,
                        names_of(examples, tagger),
                        more ? fmt::format(" and {} more", step.labels.size() - examples.size()) : "");
    indent += "  ";
    if (with_words && !step.evidence.empty()) text += fmt::format("{}{}\n", indent, step_words(step, tagger));
  }
  return text;
}

std::string neighbours_text(const Explanation& explanation, const Tagger& tagger) {
  std::string text = "  nearest training rows with this label\n";
  const std::size_t lines = std::min(explanation.neighbours.size(), kNeighbours);
  for (std::size_t i = 0; i < lines; ++i) {
    const Neighbour& neighbour = explanation.neighbours[i];
    text += fmt::format("    {:.3f}   row {}: {}\n", neighbour.similarity, neighbour.row + 1,
                        names_of(neighbour.labels, tagger));
  }
  const std::size_t more = explanation.neighbours.size() - lines;
  if (more > 0) text += fmt::format("            {} more\n", more);
  return text;
}

// With the digits that `xylem predict` prints.
Json number_json(double value) {
  const auto rounded = static_cast<float>(value);
  return std::isfinite(rounded) ? Json::parse(fmt::format("{}", rounded)) : Json();
}

// Which row it is, and `members`. The id stays as it came: parsing it could change its digits.
std::string json_line(const RowName& row, const Json& members) {
  const std::string id = row.id.empty() ? "" : fmt::format("\"id\":{},", row.id);
  // A model file may hold words that are no UTF-8.
  const std::string object = members.dump(-1, ' ', false, Json::error_handler_t::replace);
  return fmt::format("{{\"row\":{},{}{}\n", row.number, id, std::string_view(object).substr(1));
}

Json labels_json(std::span<const Label> labels, const Tagger& tagger) {
  Json result = Json::array();
  for (const Label label : labels) result.push_back(label_json(tagger, label));
  return result;
}

Json evidence_json(const std::vector<Contribution>& evidence, const Tagger& tagger) {
  Json result = Json::array();
  for (const Contribution& part : evidence) {
    const Json feature = tagger.takes_texts() ? Json(tagger.feature_name(part.feature))
                                              : Json(std::uint64_t{part.feature} + tagger.first_ids().feature);
    result.push_back({{"feature", feature}, {"contribution", number_json(part.value)}});
    if (part.attention) result.back()["attention"] = number_json(*part.attention);
  }
  return result;
}

Json path_json(const TreePath& path, const Tagger& tagger) {
  Json steps = Json::array();
  for (const PathStep& step : path.steps) {
    steps.push_back({{"margin", number_json(step.margin)},
                     {"score", number_json(step.score)},
                     {"labels", step.labels.size()},
                     {"examples", labels_json(examples_of(step, tagger), tagger)},
                     {"bias", number_json(step.bias)},
                     {"evidence", evidence_json(step.evidence, tagger)}});
  }
  return {{"tree", path.tree + 1}, {"score", number_json(path.score)}, {"reached", path.reached}, {"steps", steps}};
}

Json neighbour_json(const Neighbour& neighbour, const Tagger& tagger) {
  return {{"row", neighbour.row + 1},
          {"similarity", number_json(neighbour.similarity)},
          {"votes", neighbour.votes},
          {"labels", labels_json(neighbour.labels, tagger)}};
}

}  // namespace

std::string explanation_text(const Explanation& explanation, const Tagger& tagger, const RowName& row) {
  const std::string rank =
      explanation.rank ? fmt::format("rank {}", *explanation.rank) : "not among the labels that predict finds";
  std::string text = fmt::format("{}: {}, score {:.4g}, {}\n", row_text(row), shown(explanation.label, tagger),
                                 explanation.score, rank);
  if (!row.text.empty()) text += fmt::format("  {}\n", coloured_text(row.text, explanation, tagger));
  text += evidence_text(explanation, tagger);
  // A single step would repeat the evidence.
  const bool with_words =
      explanation.paths.size() > 1 || (!explanation.paths.empty() && explanation.paths[0].steps.size() > 1);
  for (const TreePath& path : explanation.paths) text += path_text(path, tagger, with_words);
  if (!explanation.neighbours.empty()) text += neighbours_text(explanation, tagger);
  return text;
}

std::string explanation_line(const Explanation& explanation, const Tagger& tagger, const RowName& row) {
  Json result;
  result["label"] = label_json(tagger, explanation.label);
  result["score"] = number_json(explanation.score);
  result["rank"] = explanation.rank ? Json(*explanation.rank) : Json();
  result["basis"] = explanation.basis;
  result["bias"] = number_json(explanation.bias);
  result["evidence"] = evidence_json(explanation.evidence, tagger);
  result["paths"] = Json::array();
  for (const TreePath& path : explanation.paths) result["paths"].push_back(path_json(path, tagger));
  result["neighbours"] = Json::array();
  for (const Neighbour& neighbour : explanation.neighbours) {
    result["neighbours"].push_back(neighbour_json(neighbour, tagger));
  }
  return json_line(row, result);
}

std::string no_label_text(const RowName& row) {
  return fmt::format("{}: {}\n", row_text(row), kNoLabel);
}

std::string no_label_line(const RowName& row) {
  return json_line(row, {{"label", nullptr}, {"basis", kNoLabel}});
}

}  // namespace xylem::cli
