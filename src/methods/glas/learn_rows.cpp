// SPDX-License-Identifier: Apache-2.0
// GlasModel::learn.
#include <algorithm>
#include <map>

#include "methods/glas/build.h"
#include "methods/glas/model.h"

namespace xylem::glas {
namespace {

using Eigen::Index;

constexpr std::size_t kRowsToEmbed = 64;

struct Sum {
  Eigen::RowVectorXf vector;
  std::uint32_t count = 0;
};
using Sums = std::map<Label, Sum>;

Sums sums_of(const AddedLabels& added, std::size_t dim) {
  Sums sums;
  for (std::size_t i = 0; i < added.labels.size(); ++i) {
    sums[added.labels[i]] = {Eigen::Map<const Eigen::RowVectorXf>(added.sums.data() + i * dim, static_cast<Index>(dim)),
                             added.counts[i]};
  }
  return sums;
}

// Labels that are not known yet start with their names.
void add_names(const GlasModel& old, const Dataset& rows, Sums& sums) {
  const ModelParts& parts = old.parts();
  NameReader reader(parts.words);
  const auto dim = static_cast<Index>(parts.phi.dim());
  const MatrixView words(parts.word_vectors.data(), static_cast<Index>(parts.words.size()), dim);
  for (Label label = 0; label < rows.n_labels; ++label) {
    if (sums.contains(label) || std::binary_search(parts.trained.labels.begin(), parts.trained.labels.end(), label)) {
      continue;
    }
    const Eigen::RowVectorXf vector = name_vector(reader, rows.label_names[label], words);
    if (vector.squaredNorm() > 0) sums[label] = {vector, 0};
  }
}

AddedLabels added_of(const Sums& sums, std::size_t dim) {
  std::vector<std::uint32_t> labels, counts;
  std::vector<float> values;
  for (const auto& [label, sum] : sums) {
    labels.push_back(label);
    counts.push_back(sum.count);
    values.insert(values.end(), sum.vector.data(), sum.vector.data() + dim);
  }
  return {std::move(labels), std::move(values), std::move(counts)};
}

}  // namespace

std::unique_ptr<Model> GlasModel::learn(const Dataset& rows, const CheckedOptions&, const Run& run) const {
  const auto& trained = parts_.trained.labels;
  Sums sums = sums_of(parts_.added, dim());
  if (options_.label_text && rows.label_names.size() == rows.n_labels) add_names(*this, rows, sums);
  PhiScratch scratch;
  Matrix embedded;
  for (std::size_t begin = 0; begin < rows.size(); begin += kRowsToEmbed) {
    run.check();
    const std::size_t n = std::min(kRowsToEmbed, rows.size() - begin);
    parts_.phi.embed(rows.features.rows().slice(begin, n), scratch, embedded);
    for (std::size_t i = 0; i < n; ++i) {
      for (const Label label : rows.labels[begin + i]) {
        if (std::binary_search(trained.begin(), trained.end(), label)) continue;
        Sum& sum = sums[label];
        if (sum.vector.size() == 0) sum.vector = Eigen::RowVectorXf::Zero(static_cast<Index>(dim()));
        sum.vector += embedded.row(static_cast<Index>(i));
        ++sum.count;
      }
    }
  }
  ModelParts parts = parts_;
  parts.added = added_of(sums, dim());
  return std::make_unique<GlasModel>(std::move(parts), ModelShape{shape_.features, rows.n_labels}, options_);
}

}  // namespace xylem::glas
