// SPDX-License-Identifier: Apache-2.0
#include "algorithms/neighbour_index.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "algorithms/dense_clusters.h"
#include "algorithms/dot_products.h"
#include "core/file.h"
#include "core/parallel.h"
#include "folder.h"

namespace xylem {
namespace {

using Eigen::Index;

Matrix random_matrix(Index rows, Index columns, std::uint64_t seed) {
  Random random(seed, {});
  Matrix result(rows, columns);
  for (float& value : result.reshaped()) value = static_cast<float>(random.normal());
  return result;
}

double score_of(const Matrix& queries, Index query, const Matrix& vectors, Index vector, Nearness nearness) {
  const Eigen::RowVectorXd a = queries.row(query).cast<double>(), b = vectors.row(vector).cast<double>();
  if (nearness == Nearness::kDistance) return -(a - b).squaredNorm();
  return nearness == Nearness::kCosine ? a.dot(b) / (a.norm() * b.norm()) : a.dot(b);
}

std::vector<std::vector<Scored>> search_all(const NeighbourIndex& index, const Matrix& queries, std::size_t k,
                                            std::size_t probes) {
  NeighbourScratch scratch;
  index.search(queries, k, probes, scratch);
  std::vector<std::vector<Scored>> result;
  for (TopK& best : scratch.best) {
    const auto found = best.sorted();
    result.emplace_back(found.begin(), found.end());
  }
  return result;
}

bool equal(const std::vector<std::vector<Scored>>& a, const std::vector<std::vector<Scored>>& b) {
  return std::ranges::equal(a, b, [](const auto& x, const auto& y) {
    return std::ranges::equal(x, y, [](Scored s, Scored t) { return s.score == t.score && s.id == t.id; });
  });
}

TEST(DotProducts, AreThoseOfASlowLoopWhateverRowsAreAskedTogether) {
  for (const Index dim : {1, 7, 8, 33, 200}) {
    const Matrix a = random_matrix(11, dim, 1), b = random_matrix(29, dim, 2);
    Matrix all(11, 29);
    dot_products(a.data(), 11, b.data(), 29, static_cast<std::size_t>(dim), all.data(), 29);
    for (Index i = 0; i < 11; ++i) {
      for (Index j = 0; j < 29; ++j) {
        EXPECT_NEAR(all(i, j), a.row(i).cast<double>().dot(b.row(j).cast<double>()), 1e-3);
        float alone = 0;
        dot_products(a.row(i).data(), 1, b.row(j).data(), 1, static_cast<std::size_t>(dim), &alone, 1);
        EXPECT_EQ(alone, all(i, j)) << "dimensions " << dim;
      }
    }
  }
}

// With the largest numbers that are allowed, too.
TEST(DotProducts, OfWholeNumbersAreThoseOfASlowLoop) {
  for (const std::size_t dim : {8u, 16u, 24u, 520u}) {
    for (const bool largest : {false, true}) {
      Random random(dim, {});
      std::vector<std::int16_t> a(dim, 32'000);
      std::vector<std::int8_t> b(5 * dim, -128);
      if (!largest) {
        for (auto& value : a) value = static_cast<std::int16_t>(static_cast<int>(random.below(64'001)) - 32'000);
        for (auto& value : b) value = static_cast<std::int8_t>(static_cast<int>(random.below(256)) - 128);
      }
      std::vector<std::int32_t> products(5);
      dot_products(a.data(), b.data(), 5, dim, products.data());
      for (std::size_t j = 0; j < 5; ++j) {
        std::int64_t sum = 0;
        for (std::size_t x = 0; x < dim; ++x) sum += std::int64_t{a[x]} * b[j * dim + x];
        EXPECT_EQ(products[j], sum) << "dimensions " << dim;
      }
    }
  }
}

// Vectors with one number that is much larger than the others, as a bias is.
Matrix vectors_with_bias(Index rows, Index columns, std::uint64_t seed) {
  Matrix result = random_matrix(rows, columns, seed);
  result.rowwise().normalize();
  result.rightCols(1).array() -= 0.5f;
  return result;
}

TEST(Screen, KnowsHowFarItsProductsAreOff) {
  const Matrix rows = vectors_with_bias(500, 64, 1), queries = 30 * vectors_with_bias(20, 64, 2);
  for (const Precision precision : {Precision::kFloat, Precision::kBf16, Precision::kInt8}) {
    const PackedVectors vectors(rows, precision);
    const Screen screen(vectors);
    Screen::Query query;
    std::vector<float> buffer;
    const Eigen::MatrixXd exact =
        queries.cast<double>() * MatrixView(vectors.decode(0, 500, buffer), 500, 64).cast<double>().transpose();
    for (Index i = 0; i < queries.rows(); ++i) {
      screen.begin(queries.row(i).data(), 500, query);
      screen.look(0, 500, query);
      ASSERT_EQ(query.candidates.size(), 500u);
      double largest = 0;
      for (const Scored& candidate : query.candidates) {
        largest = std::max(largest, std::abs(static_cast<double>(candidate.score) - exact(i, candidate.id)));
      }
      EXPECT_LE(largest, static_cast<double>(query.error));
      EXPECT_LT(query.error, precision == Precision::kInt8 ? 0.05f : 1.5f);
    }
  }
}

// With many to be found there is no screen.
TEST(NeighbourIndex, FindsTheSameWithAScreenAndWithout) {
  const Matrix vectors = vectors_with_bias(3000, 50, 1), queries = 30 * vectors_with_bias(40, 50, 2);
  for (const Precision precision : {Precision::kFloat, Precision::kBf16, Precision::kInt8}) {
    for (const std::size_t probes : {std::size_t{3}, std::size_t{9}}) {
      const NeighbourIndex index(vectors, {9, Nearness::kInnerProduct, precision}, Random(1, {}), {});
      auto without = search_all(index, queries, 200, probes);
      for (auto& best : without) best.resize(7);
      EXPECT_TRUE(equal(search_all(index, queries, 7, probes), without));
      for (Index query = 0; query < queries.rows(); ++query) {
        const auto alone = search_all(index, queries.middleRows(query, 1), 7, probes);
        EXPECT_TRUE(equal(alone, {without[static_cast<std::size_t>(query)]}));
      }
    }
  }
}

TEST(NeighbourIndex, LivesWithQueriesThatAreNoNumbers) {
  const NeighbourIndex index(random_matrix(2000, 8, 1), {4, Nearness::kInnerProduct, Precision::kFloat}, Random(1, {}),
                             {});
  Matrix queries = random_matrix(3, 8, 2);
  queries(0, 3) = std::numeric_limits<float>::quiet_NaN();
  queries(1, 3) = std::numeric_limits<float>::infinity();
  const auto found = search_all(index, queries, 5, 4);
  EXPECT_TRUE(found[0].empty());
  EXPECT_EQ(found[2].size(), 5u);
}

TEST(NeighbourIndex, ChoosesTheFewestProbesThatFindEnough) {
  const Matrix vectors = random_matrix(2000, 16, 1), queries = random_matrix(200, 16, 2);
  const NeighbourIndex index(vectors, {40, Nearness::kInnerProduct, Precision::kFloat}, Random(1, {}), {});
  const auto exact = search_all(index, queries, 5, 40);
  const auto share_with = [&](std::size_t probes) {
    double hits = 0;
    const auto found = search_all(index, queries, 5, probes);
    for (std::size_t query = 0; query < found.size(); ++query) {
      for (const Scored& entry : found[query]) {
        hits += static_cast<double>(std::ranges::count(exact[query], entry.id, &Scored::id));
      }
    }
    return hits / 1000;
  };
  for (const double share : {0.9, 0.995, 1.0}) {
    std::vector<std::size_t> probes;
    for (const int threads : {1, 3}) {
      with_threads(threads, [&] { probes.push_back(index.fewest_probes(queries, 5, share, {})); });
    }
    EXPECT_EQ(probes[0], probes[1]);
    ASSERT_GT(probes[0], 1u);
    EXPECT_GE(share_with(probes[0]), share);
    EXPECT_LT(share_with(probes[0] - 1), share);
  }
  EXPECT_EQ(index.fewest_probes(Matrix(0, 16), 5, 0.9, {}), 1u);
}

TEST(NeighbourIndex, FindsWhatASlowSearchFinds) {
  const Matrix vectors = random_matrix(700, 13, 1), queries = random_matrix(9, 13, 2);
  for (const Nearness nearness : {Nearness::kCosine, Nearness::kDistance, Nearness::kInnerProduct}) {
    for (const std::size_t n_cells : {std::size_t{1}, std::size_t{12}}) {
      const NeighbourIndex index(vectors, {n_cells, nearness, Precision::kFloat}, Random(1, {}), {});
      const auto found = search_all(index, queries, 10, n_cells);
      for (Index query = 0; query < queries.rows(); ++query) {
        std::vector<double> scores;
        for (Index i = 0; i < vectors.rows(); ++i) scores.push_back(score_of(queries, query, vectors, i, nearness));
        const auto& best = found[static_cast<std::size_t>(query)];
        ASSERT_EQ(best.size(), 10u);
        for (const Scored& entry : best) EXPECT_NEAR(entry.score, scores[entry.id], 1e-4);
        std::ranges::sort(scores, std::ranges::greater());
        for (std::size_t i = 0; i < best.size(); ++i) EXPECT_NEAR(best[i].score, scores[i], 1e-4);
      }
    }
  }
}

TEST(NeighbourIndex, FindsTheSameWhateverQueriesAreAskedTogether) {
  const Matrix vectors = random_matrix(900, 20, 1), queries = random_matrix(10, 20, 2);
  const NeighbourIndex index(vectors, {8, Nearness::kCosine, Precision::kFloat}, Random(1, {}), {});
  const auto together = search_all(index, queries, 7, 2);
  for (Index query = 0; query < queries.rows(); ++query) {
    const auto alone = search_all(index, queries.middleRows(query, 1), 7, 2);
    EXPECT_TRUE(equal(alone, {together[static_cast<std::size_t>(query)]}));
  }
}

TEST(NeighbourIndex, MoreProbesFindMore) {
  const Matrix vectors = random_matrix(2000, 16, 1), queries = random_matrix(100, 16, 2);
  const NeighbourIndex index(vectors, {40, Nearness::kCosine, Precision::kFloat}, Random(1, {}), {});
  const auto exact = search_all(index, queries, 10, index.n_cells());
  std::size_t before = 0;
  for (const std::size_t probes : {1, 4, 16, 40}) {
    std::size_t hits = 0;
    const auto found = search_all(index, queries, 10, probes);
    for (std::size_t query = 0; query < found.size(); ++query) {
      for (const Scored& entry : found[query]) {
        hits += std::ranges::count(exact[query], entry.id, &Scored::id);
      }
    }
    EXPECT_GT(hits, before) << probes << " probes";
    before = hits;
  }
  EXPECT_EQ(before, 1000u);
}

TEST(NeighbourIndex, GivesItsVectorsBack) {
  const Matrix vectors = random_matrix(50, 11, 1);
  NeighbourIndex::Options options;
  options.n_cells = 4;
  options.nearness = Nearness::kInnerProduct;
  const NeighbourIndex index(vectors, options, Random(1, {}), {});
  const Matrix all = index.vectors();
  ASSERT_EQ(all.cols(), 16);  // filled up
  EXPECT_EQ(all.leftCols(11), vectors);
  EXPECT_EQ(all.rightCols(5), Matrix::Zero(50, 5));
  for (const std::uint32_t id : {0u, 17u, 49u}) {
    const std::vector<float> one = index.vector(id);
    EXPECT_EQ(MatrixView(one.data(), 1, 16), all.row(id));
  }
  const Scored which[] = {{0.5f, 17}, {0.4f, 3}};
  Matrix two;
  index.copy_vectors(which, two);
  EXPECT_EQ(two.row(0), all.row(17));
  EXPECT_EQ(two.row(1), all.row(3));
}

// Where products count, a long vector far away beats a near one: so must its cell.
TEST(NeighbourIndex, LooksIntoTheCellsWithTheLargestProducts) {
  Matrix vectors(4, 2);
  vectors << 1, 0, 1, 0.1f, 9, 3, 9, 3.1f;
  NeighbourIndex::Options options;
  options.n_cells = 2;
  options.nearness = Nearness::kInnerProduct;
  const NeighbourIndex index(vectors, options, Random(1, {}), {});
  Matrix query(1, 2);
  query << 1, 0;
  const auto found = search_all(index, query, 1, 1);
  EXPECT_EQ(found[0][0].id, 2u);
}

TEST(NeighbourIndex, FewerBytesMoveTheScoresALittle) {
  const Matrix vectors = random_matrix(300, 50, 1), queries = random_matrix(5, 50, 2);
  const NeighbourIndex exact(vectors, {}, Random(1, {}), {});
  const auto expected = search_all(exact, queries, 300, 1);
  for (const Precision precision : {Precision::kBf16, Precision::kInt8}) {
    const NeighbourIndex index(vectors, {1, Nearness::kCosine, precision}, Random(1, {}), {});
    const auto found = search_all(index, queries, 300, 1);
    for (std::size_t query = 0; query < found.size(); ++query) {
      std::vector<float> scores(300);
      for (const Scored& entry : found[query]) scores[entry.id] = entry.score;
      for (const Scored& entry : expected[query]) EXPECT_NEAR(scores[entry.id], entry.score, 0.01);
    }
  }
}

TEST(NeighbourIndex, IsTheSameForAnyNumberOfThreadsAndAfterLoading) {
  const test::Folder folder;
  const Matrix vectors = random_matrix(500, 10, 1), queries = random_matrix(20, 10, 2);
  for (const Precision precision : {Precision::kFloat, Precision::kBf16, Precision::kInt8}) {
    std::vector<std::vector<std::vector<Scored>>> found;
    for (const int threads : {1, 3}) {
      with_threads(threads, [&] {
        const NeighbourIndex index(vectors, {9, Nearness::kDistance, precision}, Random(1, {}), {});
        found.push_back(search_all(index, queries, 5, 3));
        ModelWriter writer;
        writer.text("method", "test");
        index.save(writer, "index");
        writer.write(folder / "index.xylem", IfExists::kReplace);
        const ModelReader reader(folder / "index.xylem");
        found.push_back(search_all(NeighbourIndex(reader, "index", 500, 10), queries, 5, 3));
      });
    }
    for (const auto& other : found) EXPECT_TRUE(equal(other, found.front()));
  }
}

TEST(NeighbourIndex, TakesUpVectorsOnceOrLittleByLittle) {
  const test::Folder folder;
  const Matrix vectors = random_matrix(300, 10, 1), queries = random_matrix(20, 10, 2);
  const auto bytes_of = [&](const NeighbourIndex& index) {
    ModelWriter writer;
    writer.text("method", "test");
    index.save(writer, "index");
    writer.write(folder / "index.xylem", IfExists::kReplace);
    return read_whole_file(folder / "index.xylem");
  };
  for (const Precision precision : {Precision::kFloat, Precision::kBf16, Precision::kInt8}) {
    for (const Nearness nearness : {Nearness::kCosine, Nearness::kDistance}) {
      const NeighbourIndex first(vectors.topRows(100), {7, nearness, precision}, Random(1, {}), {});
      const NeighbourIndex once(first, vectors.bottomRows(200), {});
      const NeighbourIndex twice(NeighbourIndex(first, vectors.middleRows(100, 50), {}), vectors.bottomRows(150), {});
      EXPECT_EQ(bytes_of(once), bytes_of(twice));
      EXPECT_EQ(once.size(), 300u);
      // All cells together hold what an index of all vectors holds.
      const NeighbourIndex all(vectors, {1, nearness, precision}, Random(1, {}), {});
      EXPECT_TRUE(equal(search_all(once, queries, 9, 7), search_all(all, queries, 9, 1)));
    }
  }
}

TEST(ClusterRows, PutsEveryRowToTheNearestCentre) {
  const Matrix rows = random_matrix(400, 6, 1);
  const DenseClusters clusters = cluster_rows(rows, 15, Random(1, {}), {});
  ASSERT_EQ(clusters.centres.rows(), 15);
  double inside = 0;
  for (Index row = 0; row < rows.rows(); ++row) {
    const auto own = (rows.row(row) - clusters.centres.row(clusters.cluster_of[static_cast<std::size_t>(row)]));
    inside += static_cast<double>(own.squaredNorm());
    for (Index c = 0; c < 15; ++c) {
      EXPECT_LE(own.squaredNorm(), (rows.row(row) - clusters.centres.row(c)).squaredNorm() + 1e-4f);
    }
  }
  const double outside = (rows.rowwise() - rows.colwise().mean()).squaredNorm();
  EXPECT_LT(inside, 0.75 * outside);
}

TEST(ClusterRows, PutsEveryRowToTheNearestOfCentresThatAreLearnedFromSome) {
  const Matrix rows = random_matrix(1000, 6, 1);
  const DenseClusters clusters = cluster_rows(rows, 15, Random(1, {}), {}, 10);
  ASSERT_EQ(clusters.centres.rows(), 15);
  for (Index row = 0; row < rows.rows(); ++row) {
    const auto own = (rows.row(row) - clusters.centres.row(clusters.cluster_of[static_cast<std::size_t>(row)]));
    for (Index c = 0; c < 15; ++c) {
      EXPECT_LE(own.squaredNorm(), (rows.row(row) - clusters.centres.row(c)).squaredNorm() + 1e-4f);
    }
  }
  // Where there are not more, all are looked at.
  EXPECT_EQ(cluster_rows(rows, 15, Random(1, {}), {}, 67).centres, cluster_rows(rows, 15, Random(1, {}), {}).centres);
}

TEST(ClusterRows, TakesFewerClustersWhereThereAreFewRows) {
  EXPECT_EQ(cluster_rows(random_matrix(3, 2, 1), 10, Random(1, {}), {}).centres.rows(), 3);
  EXPECT_EQ(cluster_rows(Matrix::Ones(5, 2), 2, Random(1, {}), {}).cluster_of.size(), 5u);
  EXPECT_EQ(cluster_rows(Matrix(0, 2), 4, Random(1, {}), {}).centres.rows(), 1);
}

}  // namespace
}  // namespace xylem
