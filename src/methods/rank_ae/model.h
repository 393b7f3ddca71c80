// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <utility>

#include "methods/rank_ae/net.h"
#include "methods/rank_ae/options.h"
#include "xylem/model.h"

namespace xylem::rank_ae {

inline constexpr const char* kPrefix = "rank-ae.";

// The labels with the highest scores, which are the sigmoids of what the network gives.
class RankAeModel final : public Model {
 public:
  explicit RankAeModel(std::shared_ptr<const Net> net, const RankAeOptions& options = {})
      : net_(std::move(net)), options_(options) {}

  void predict(const RowBlock& block, std::size_t k, Scratch& scratch, TopLabels& out) const override;
  Explanation explain(const RowBlock& block, Label label, Scratch& scratch) const override;
  LabelVectors label_vectors() const override { return net_->label_vectors(); }
  void save(ModelWriter& out) const override;

 private:
  std::shared_ptr<const Net> net_;
  RankAeOptions options_;
};

}  // namespace xylem::rank_ae
