// SPDX-License-Identifier: Apache-2.0
#include "results/explanation_json.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <span>

#include "results/label_json.h"

namespace xylem {
namespace {

// Always begun as an object or array: a null value that becomes one when memory runs out cannot be destroyed.
using Json = nlohmann::ordered_json;

constexpr std::size_t kExamples = 3;  // labels below a node

// With the digits of the scores of predictions.
Json number_json(double value) {
  const auto rounded = static_cast<float>(value);
  return std::isfinite(rounded) ? Json::parse(fmt::format("{}", rounded)) : Json();
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

// A model file may hold words that are no UTF-8.
std::string object_text(const Json& object) {
  return object.dump(-1, ' ', false, Json::error_handler_t::replace);
}

}  // namespace

std::vector<Label> examples_of(const PathStep& step, const Tagger& tagger) {
  std::vector<Label> labels = step.labels;
  const std::vector<std::uint32_t>& counts = tagger.training_counts().labels;
  std::ranges::stable_sort(labels, [&](Label a, Label b) { return counts[a] > counts[b]; });
  labels.resize(std::min(labels.size(), kExamples));
  return labels;
}

std::string explanation_json(const Explanation& explanation, const Tagger& tagger) {
  Json result = Json::object();
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
  return object_text(result);
}

std::string no_label_json() {
  return object_text({{"label", nullptr}, {"basis", kNoLabelText}});
}

}  // namespace xylem
