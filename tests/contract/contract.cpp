// SPDX-License-Identifier: Apache-2.0
#include "contract.h"

#include <algorithm>
#include <cmath>
#include <string>

namespace xylem {

void expect_finite(const Explanation& explanation) {
  const auto expect = [](double value) { EXPECT_TRUE(std::isfinite(value)); };
  const auto expect_evidence = [&](const std::vector<Contribution>& evidence) {
    for (std::size_t i = 0; i < evidence.size(); ++i) {
      expect(evidence[i].value);
      EXPECT_NE(evidence[i].value, 0);
      EXPECT_LE(std::abs(evidence[i].value), std::abs(evidence[i > 0 ? i - 1 : 0].value));
    }
  };
  expect(explanation.score);
  expect(explanation.bias);
  expect_evidence(explanation.evidence);
  EXPECT_FALSE(explanation.basis.empty());
  for (const TreePath& path : explanation.paths) {
    expect(path.score);
    for (const PathStep& step : path.steps) {
      expect(step.bias + step.margin + step.score);
      expect_evidence(step.evidence);
    }
  }
  for (const Neighbour& neighbour : explanation.neighbours) expect(neighbour.similarity);
}

INSTANTIATE_TEST_SUITE_P(AllMethods, Contract, ::testing::ValuesIn(methods().begin(), methods().end()),
                         [](const auto& method) {
                           std::string name(method.param->name);
                           std::ranges::replace(name, '-', '_');
                           return name;
                         });

}  // namespace xylem
