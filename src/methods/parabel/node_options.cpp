// SPDX-License-Identifier: Apache-2.0
#include "methods/parabel/node_options.h"

#include <algorithm>
#include <cmath>

#include "metrics/propensity.h"

namespace xylem::parabel {
namespace {

std::vector<float> label_costs(const TrainingCounts& counts, double tail) {
  std::vector<float> costs;
  if (tail == 0) return costs;
  const InversePropensity worth(counts, {});
  for (Label label = 0; label < counts.labels.size(); ++label) {
    costs.push_back(static_cast<float>(std::pow(worth[label], tail)));
  }
  return costs;
}

// Where `passes` is not given. On eurlex57k and tibkat-gnd more passes than eight gain little, ten a tenth of a point,
// and on delicious, which is small, two points of P@1 and of P@5.
int default_passes(std::uint64_t visits, double tolerance) {
  constexpr double kMost = 20;
  constexpr double kExact = 0.1;
  const double least = tolerance > kExact ? 8 : 10;
  constexpr double kSmall = 1e8;  // non-zeros visited in a pass: a quarter of a second
  return static_cast<int>(std::clamp(kMost * kSmall / static_cast<double>(visits + 1), least, kMost));
}

}  // namespace

NodeOptions node_options(const ParabelOptions& options, std::span<const NodeTask> tasks, const TrainingCounts& counts,
                         std::uint64_t nonzeros_a_row) {
  NodeOptions result{options.linear, static_cast<float>(options.prune), label_costs(counts, options.tail),
                     static_cast<std::size_t>(options.max_node_rows)};
  result.linear.loss = options.search.loss;
  if (result.linear.passes == 0) {
    result.linear.passes = default_passes(total_cost(tasks) * nonzeros_a_row, options.linear.tolerance);
  }
  return result;
}

}  // namespace xylem::parabel
