// SPDX-License-Identifier: Apache-2.0
#include "tagger/probes.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <string_view>
#include <utility>

#include "core/fail.h"
#include "core/numbers.h"
#include "core/random.h"

namespace xylem {
namespace {

constexpr std::uint64_t kProbeStream = 0x70726f62;
constexpr std::size_t kProbeFeatures = 8;  // of a row

#ifdef __clang__
constexpr const char* kCompiler = "clang";
#else
constexpr const char* kCompiler = "gcc";
#endif
constexpr double kOtherCompiler = 1e-6;  // by how much scores may differ, as a share of those above 1

// Rising. In models of texts frequent words come first: they are in most of the rows.
std::vector<Feature> probe_features(std::size_t n_features, std::uint64_t seed, std::size_t row) {
  Random random(seed, {kProbeStream, row});
  std::vector<Feature> features;
  for (std::size_t i = 0; i < kProbeFeatures && n_features > 0; ++i) {
    const double place = random.uniform();
    features.push_back(static_cast<Feature>(place * place * static_cast<double>(n_features)));
  }
  std::ranges::sort(features);
  features.erase(std::unique(features.begin(), features.end()), features.end());
  return features;
}

std::string probe_row(const Tagger& tagger, const std::vector<Feature>& features) {
  std::vector<std::string> parts;
  for (std::size_t i = 0; i < features.size(); ++i) {
    parts.push_back(tagger.takes_texts() ? tagger.feature_name(features[i])
                                         : fmt::format("{}:{}", features[i], 1 + i % 3));
  }
  return fmt::format("{}", fmt::join(parts, " "));
}

[[noreturn]] void fail_probes() {
  fail(ErrorKind::kModel, "damaged: its probe rows or their predictions are not as any version writes them");
}

// The numbers of "id:value id:value ...".
template <class Add>
void read_pairs(std::string_view text, const Add& add) {
  while (!text.empty()) {
    const std::size_t end = std::min(text.find(' '), text.size()), colon = text.find(':');
    if (colon >= end) fail_probes();
    const auto id = parse_number<std::uint32_t>(text.substr(0, colon));
    const auto value = parse_number<float>(text.substr(colon + 1, end - colon - 1));
    if (!id || !value) fail_probes();
    add(*id, *value);
    text.remove_prefix(std::min(end + 1, text.size()));
  }
}

TopLabels predict_probes(const Tagger& tagger, const Probes& probes, const Run& run) {
  Run quiet;  // it takes no time, and whoever has asked to stop still wants the model whole
  quiet.threads = run.threads;
  if (tagger.takes_texts()) {
    TextList texts;
    for (const std::string& text : probes.rows) texts.push_back(text);
    return tagger.tag(texts, kProbeLabels, quiet);
  }
  SparseMatrix rows;
  for (const std::string& text : probes.rows) {
    std::vector<Feature> ids;
    std::vector<float> values;
    read_pairs(text, [&](Feature id, float value) {
      ids.push_back(id);
      values.push_back(value);
    });
    rows.push_back({ids, values});
  }
  return tagger.tag(rows.rows(), kProbeLabels, quiet);
}

// How far the scores of a row are from those that were written, as a share of those above 1; infinite if the labels are
// others.
double distance(std::string_view written, std::span<const Label> labels, std::span<const float> scores,
                double tolerance) {
  constexpr double kFar = std::numeric_limits<double>::infinity();
  double farthest = 0;
  std::size_t place = 0;
  read_pairs(written, [&](Label label, float score) {
    if (place >= labels.size()) {
      farthest = kFar;
      return;
    }
    const double expected = static_cast<double>(score), found = static_cast<double>(scores[place]);
    const double distance = std::abs(found - expected) / std::max(1.0, std::abs(expected));
    // Labels whose scores are almost equal may change places if scores may differ.
    farthest = std::max(farthest, labels[place] == label || distance < tolerance ? distance : kFar);
    ++place;
  });
  return place < labels.size() ? kFar : farthest;
}

}  // namespace

Probes make_probes(const Tagger& tagger, std::uint64_t seed, const Run& run) {
  Probes probes;
  probes.of_texts = tagger.takes_texts();
  probes.compiler = kCompiler;
  for (std::size_t row = 0; row < kProbeRows; ++row) {
    probes.rows.push_back(probe_row(tagger, probe_features(tagger.n_features(), seed, row)));
  }
  const TopLabels top = predict_probes(tagger, probes, run);
  for (std::size_t row = 0; row < top.size(); ++row) {
    std::vector<std::string> parts;
    for (std::size_t i = 0; i < top.row_labels(row).size(); ++i) {
      parts.push_back(fmt::format("{}:{}", top.row_labels(row)[i], top.row_scores(row)[i]));
    }
    probes.predictions.push_back(fmt::format("{}", fmt::join(parts, " ")));
  }
  return probes;
}

ProbeOutcome run_probes(const Tagger& tagger, const Probes& probes, const Run& run) {
  if (probes.of_texts != tagger.takes_texts() || probes.rows.empty() ||
      probes.rows.size() != probes.predictions.size()) {
    fail_probes();
  }
  TopLabels top;
  try {
    top = predict_probes(tagger, probes, run);
  } catch (const Error& error) {
    if (error.kind() == ErrorKind::kData) fail_probes();
    throw;
  }
  const double tolerance = probes.compiler == kCompiler ? 0 : kOtherCompiler;
  ProbeOutcome outcome;
  outcome.rows = top.size();
  for (std::size_t row = 0; row < top.size(); ++row) {
    outcome.difference = std::max(
        outcome.difference, distance(probes.predictions[row], top.row_labels(row), top.row_scores(row), tolerance));
  }
  outcome.equal = outcome.difference <= tolerance;
  return outcome;
}

}  // namespace xylem
