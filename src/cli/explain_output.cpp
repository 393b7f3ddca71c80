// SPDX-License-Identifier: Apache-2.0
#include "cli/explain_output.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <span>
#include <vector>

#include "cli/coloured_text.h"
#include "core/text.h"
#include "data/json_text.h"
#include "results/explanation_json.h"

namespace xylem::cli {
namespace {

constexpr std::size_t kEvidenceLines = 10;
constexpr std::size_t kWordsAStep = 3;
constexpr std::size_t kNeighbours = 5;  // rows

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
  if (explanation.bias != 0) text += fmt::format("    {:+.3f}  bias (independent of the input)\n", explanation.bias);
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

// Which row it is, and the members of `object`. The id stays as it came: parsing it could change its digits.
std::string json_line(const RowName& row, std::string_view object) {
  const std::string id = row.id.empty() ? "" : fmt::format("\"id\":{},", row.id);
  return fmt::format("{{\"row\":{},{}{}\n", row.number, id, object.substr(1));
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
  return json_line(row, explanation_json(explanation, tagger));
}

std::string no_label_text(const RowName& row) {
  return fmt::format("{}: {}\n", row_text(row), kNoLabelText);
}

std::string no_label_line(const RowName& row) {
  return json_line(row, no_label_json());
}

}  // namespace xylem::cli
