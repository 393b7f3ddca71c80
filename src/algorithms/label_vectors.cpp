// SPDX-License-Identifier: Apache-2.0
#include "algorithms/label_vectors.h"

#include <cmath>

#include "core/top_k.h"
#include "xylem/error.h"

namespace xylem {
namespace {

double inner_product(std::span<const float> a, std::span<const float> b) {
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += static_cast<double>(a[i]) * static_cast<double>(b[i]);
  return sum;
}

}  // namespace

LabelVectors Model::label_vectors() const {
  throw Error(ErrorKind::kUsage, "this model has no label vectors");
}

TopLabels nearest_labels(const LabelVectors& vectors, Label label, std::size_t n_labels, std::size_t k) {
  const std::span<const float> asked = vectors[label];
  const double asked_square = inner_product(asked, asked);
  TopK best;
  best.reset(asked_square > 0 ? k : 0);
  for (Label other = 0; other < n_labels; ++other) {
    const std::span<const float> vector = vectors[other];
    const double square = inner_product(vector, vector);
    if (other == label || !(square > 0)) continue;
    best.offer(static_cast<float>(inner_product(asked, vector) / std::sqrt(asked_square * square)), other);
  }
  TopLabels result;
  for (const Scored& near : best.sorted()) result.push_back(near.id, near.score);
  result.end_row();
  return result;
}

}  // namespace xylem
