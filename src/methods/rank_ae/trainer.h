// SPDX-License-Identifier: Apache-2.0
// The network as it learns. F takes a row's words to a code, E its labels to another one that should be the same, and
// D takes either code to scores of all labels.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "algorithms/epochs.h"
#include "algorithms/label_layer.h"
#include "algorithms/label_sampler.h"
#include "algorithms/layers.h"
#include "methods/rank_ae/net.h"
#include "methods/rank_ae/options.h"
#include "methods/rank_ae/word_attention.h"
#include "xylem/dataset.h"
#include "xylem/method.h"

namespace xylem::rank_ae {

// `data` must outlive it.
class Trainer final : public EpochTrainer {
  // In front, since its type must be known to those that call it.
  static auto parts(auto& self) {
    const auto [words, squeeze, squeeze_bias, excite, excite_bias] = self.words_.parameters();
    return std::array{words,
                      squeeze,
                      squeeze_bias,
                      excite,
                      excite_bias,
                      &self.feature_code_.weights,
                      &self.feature_code_.bias,
                      &self.label_code_.weights,
                      &self.label_code_.bias,
                      &self.hidden_.weights,
                      &self.hidden_.bias,
                      &self.labels_.table,
                      &self.labels_.bias,
                      &self.outputs_.vectors,
                      &self.outputs_.bias};
  }

 public:
  // Places in parameters().
  enum Part : std::size_t { kWords = 0, kFeatureCode = 5, kHidden = 9, kLabelTable = 11, kLabelVectors = 13 };
  // Of a layer between words and labels.
  static bool is_inner(std::size_t part) { return kWords < part && part < kLabelTable; }

  // Somebody may change the words' first vectors. A checkpoint of a run with others is refused.
  using FirstWords = std::function<void(Matrix&)>;
  Trainer(const TrainingData& data, const NetOptions& options, const OptimiserOptions& optimiser, std::uint64_t seed,
          const Run& run, const FirstWords& change_words = {});

  double epoch(std::span<const std::uint32_t> order, std::size_t number, double rate,
               const std::function<void(std::size_t)>& on_rows) override;
  bool make_candidate() override;
  double figure_of_candidate() override;
  void keep_candidate() override { kept_ = std::move(candidate_); }
  void save(std::string& bytes, bool with_kept) const override;
  void load(std::string_view& bytes, bool with_kept) override;

  // The network that was kept.
  std::shared_ptr<const Net> kept() const { return kept_; }

  static std::uint64_t bytes(const DataShape& shape, const NetOptions& options, const OptimiserOptions& optimiser);
  static std::uint64_t net_bytes(const DataShape& shape, const NetOptions& options, Precision precision);

  // One step of an epoch: the loss of some rows, by which all parameters learn.
  double step(std::span<const std::uint32_t> rows, Loss loss, std::uint64_t seed);
  auto parameters() { return parts(*this); }
  auto parameters() const { return parts(*this); }
  // How many different ones the last step has looked at.
  std::size_t words_of_step() const { return rows_.features().size(); }
  std::size_t labels_of_step() const { return sampler_.labels().size(); }

 private:
  void forward(std::span<const std::uint32_t> rows, std::uint64_t seed);
  double losses(Loss loss);
  double code_distance();
  void backward();
  void start_labels();
  Net::Parts trained() const;
  NetShape shape() const;

  TrainingData data_;
  NetOptions options_;
  std::uint64_t seed_;
  const Run& run_;
  SparseMatrix label_sets_;            // of all rows, of length 1
  std::vector<std::uint32_t> counts_;  // of each label's rows
  LabelSampler sampler_;
  std::uint64_t first_words_ = 0;  // a hash of them, where they were changed
  WordAttention words_;
  DenseLayer feature_code_, label_code_, hidden_;
  SparseLayer labels_;
  LabelLayer outputs_;
  std::shared_ptr<const Net> candidate_, kept_;
  // Of a step:
  SparseBatch rows_, sets_;
  Matrix pooled_, feature_codes_, set_hidden_, label_codes_, codes_, decoded_, in_use_, scores_;
  Matrix decoded_delta_, codes_delta_, feature_delta_, label_delta_, pooled_delta_, set_delta_;
};

}  // namespace xylem::rank_ae
