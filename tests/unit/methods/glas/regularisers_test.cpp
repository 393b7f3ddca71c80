// SPDX-License-Identifier: Apache-2.0
#include "methods/glas/regularisers.h"

#include <gtest/gtest.h>

#include "gradients.h"

namespace xylem::glas {
namespace {

using Eigen::Index;

TEST(DrawnLabels, AreOneOfEachRow) {
  LabelLists positives;
  for (const std::vector<Label>& row : {std::vector<Label>{3}, {}, {1, 3}, {3}, {5, 7}}) positives.push_back(row);
  bool saw_one = false, saw_three = false;
  for (std::uint64_t seed = 0; seed < 50; ++seed) {
    const DrawnLabels drawn = draw_labels(positives, seed);
    EXPECT_TRUE(std::ranges::is_sorted(drawn.places));
    float total = 0;
    for (const float count : drawn.counts) total += count;
    EXPECT_EQ(total, 4);
    const auto three = std::ranges::find(drawn.places, 3u);
    ASSERT_NE(three, drawn.places.end());
    const float count = drawn.counts[static_cast<std::size_t>(three - drawn.places.begin())];
    saw_three |= count == 3;
    saw_one |= count == 2 && std::ranges::count(drawn.places, 1u) == 1;
  }
  EXPECT_TRUE(saw_one && saw_three);
}

// The formulas with a row of V for each of the B labels.
double slow_value(const RegulariserOptions& options, const Matrix& vectors, const DrawnLabels& drawn,
                  const Matrix& together, const Matrix& phi) {
  std::vector<Index> number;  // of each of the B, among those drawn
  for (std::size_t i = 0; i < drawn.places.size(); ++i) {
    for (int n = 0; n < static_cast<int>(drawn.counts[i]); ++n) number.push_back(static_cast<Index>(i));
  }
  const auto vector = [&](Index i) {
    return vectors.row(drawn.places[static_cast<std::size_t>(i)]).cast<double>().eval();
  };
  double sum = 0;
  for (const Index a : number) {
    for (const Index b : number) {
      const double product = vector(a).dot(vector(b)), u = static_cast<double>(together(a, b));
      if (options.regulariser == Regulariser::kGlas) sum += (product - u) * (product - u);
      if (options.regulariser == Regulariser::kSpreadOut) sum += product * product;
      if (options.regulariser == Regulariser::kLaplacian) sum += u * (2 - 2 * product);  // of vectors of length 1
    }
    if (options.regulariser != Regulariser::kGravity) continue;
    for (Index row = 0; row < phi.rows(); ++row) {
      const double product = vector(a).dot(phi.row(row).cast<double>());
      sum += product * product;
    }
  }
  return sum / static_cast<double>(number.size() * number.size());
}

TEST(Regularisers, AreWhatTheyAreDefinedAsAndHaveTheirGradients) {
  const DrawnLabels drawn{{0, 2, 3}, {1, 3, 2}};
  Matrix vectors = 0.3f * random_matrix(5, 4, 1), phi = 0.3f * random_matrix(6, 4, 2);
  Matrix together = random_matrix(3, 3, 3).cwiseAbs();
  together = (together + together.transpose()).eval();
  for (const Regulariser kind :
       {Regulariser::kGlas, Regulariser::kSpreadOut, Regulariser::kLaplacian, Regulariser::kGravity}) {
    const RegulariserOptions options{kind, 2, {}};
    Matrix gradient, phi_delta = Matrix::Zero(6, 4);
    const double value = regularise(options, vectors, drawn, together, phi, gradient, phi_delta);
    EXPECT_NEAR(value, slow_value(options, vectors, drawn, together, phi), 1e-4);
    Matrix all = Matrix::Zero(5, 4);
    for (Index i = 0; i < 3; ++i) all.row(drawn.places[static_cast<std::size_t>(i)]) = gradient.row(i);
    const auto loss = [&] { return options.lambda * slow_value(options, vectors, drawn, together, phi); };
    expect_gradient(vectors, all, loss, 5e-3f, 1e-3f);
    expect_gradient(phi, phi_delta, loss, 5e-3f, 1e-3f);
  }
}

// What the paper is named after.
TEST(Regularisers, GlasIsLaplacianAndSpreadOutTogether) {
  const DrawnLabels drawn{{0, 1, 2}, {1, 1, 2}};
  Matrix vectors = random_matrix(3, 4, 1);
  for (Index i = 0; i < 3; ++i) vectors.row(i).normalize();
  Matrix together = random_matrix(3, 3, 3).cwiseAbs();
  together = (together + together.transpose()).eval();
  const auto gradient_of = [&](Regulariser kind) {
    Matrix gradient, phi_delta;
    regularise({kind, 1, {}}, vectors, drawn, together, vectors, gradient, phi_delta);
    return gradient;
  };
  EXPECT_TRUE(gradient_of(Regulariser::kGlas)
                  .isApprox(gradient_of(Regulariser::kLaplacian) + gradient_of(Regulariser::kSpreadOut), 1e-4f));
}

TEST(Regularisers, NoneDoesNothing) {
  Matrix gradient, phi_delta = Matrix::Zero(2, 3);
  EXPECT_EQ(regularise({}, random_matrix(3, 3, 1), {{1}, {2}}, {}, random_matrix(2, 3, 2), gradient, phi_delta), 0);
  EXPECT_EQ(gradient, Matrix::Zero(1, 3));
}

}  // namespace
}  // namespace xylem::glas
