// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "algorithms/epochs.h"
#include "algorithms/label_layer.h"
#include "algorithms/label_sampler.h"
#include "methods/glas/cooccurrence.h"
#include "methods/glas/glas.h"
#include "methods/glas/label_text.h"
#include "methods/glas/phi.h"
#include "methods/glas/regularisers.h"
#include "xylem/method.h"

namespace xylem::glas {

// The labels that occur, which alone are learned, and their numbers among these.
struct KnownLabels {
  std::vector<Label> labels;          // rising
  std::vector<std::uint32_t> counts;  // rows that have each
  LabelLists of_rows;                 // as numbers
  explicit KnownLabels(const Dataset& data);
};

// What has been learned, between epochs.
struct TrainedWeights {
  PhiWeights phi;
  Matrix labels;            // known labels × dim, of length 1
  std::vector<float> bias;  // of each; empty without
  float scale = 1;
  Matrix words;  // of label_text

  bool is_finite() const;
  void save(std::string& bytes) const;
  void load(std::string_view& bytes);  // into one of the same shape
};

// Algorithm 2 of the paper, with what methods of this kind have learned since.
class Trainer final : public EpochTrainer {
 public:
  // How good something learned is on validation rows.
  using Figure = std::function<double(const TrainedWeights&)>;

  // All must outlive it.
  Trainer(const Dataset& data, const KnownLabels& known, const LabelWords* words, const GlasOptions& options,
          std::uint64_t seed, Figure figure, const Run& run = {});

  double epoch(std::span<const std::uint32_t> order, std::size_t number, double rate,
               const std::function<void(std::size_t)>& on_rows) override;
  bool make_candidate() override;
  double figure_of_candidate() override { return figure_(*candidate_); }
  void keep_candidate() override { kept_ = std::move(candidate_); }
  void save(std::string& bytes, bool with_kept) const override;
  void load(std::string_view& bytes, bool with_kept) override;

  TrainedWeights take_kept() { return std::move(*kept_); }

  static std::uint64_t bytes(const DataShape& shape, const GlasOptions& options);

 private:
  void start_from_centroids(const Run& run);
  void give_to_words();
  double step(std::span<const std::uint32_t> rows, std::uint64_t seed);
  void begin_labels(std::span<const Label> labels, std::uint64_t seed);
  double regularise_step(std::uint64_t seed);
  void update_labels();
  TrainedWeights trained() const;

  const Dataset& data_;
  const KnownLabels& known_;
  const LabelWords* words_;
  const GlasOptions& options_;
  std::uint64_t seed_;
  Figure figure_;

  TrainablePhi phi_;
  LabelLayer labels_;
  Parameters log_scale_;
  SparseLayer word_layer_;
  CooccurrenceTable cooccurrence_;
  LabelSampler sampler_;
  std::optional<TrainedWeights> candidate_, kept_;

  // Of a step.
  SparseBatch batch_, name_batch_;
  Matrix embedded_, scaled_, in_use_, scores_, delta_, phi_delta_, together_, regular_, word_sums_, word_delta_;
  std::vector<bool> by_name_;  // which labels of a step
  std::vector<float> lengths_;
  std::vector<std::uint32_t> regular_row_;  // of each label of the step, behind 0, in regular_
};

}  // namespace xylem::glas
