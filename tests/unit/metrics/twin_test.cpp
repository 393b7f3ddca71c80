// SPDX-License-Identifier: Apache-2.0
// Every figure once more, by its definition, over sets and maps.
#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <numeric>

#include "metrics/bootstrap.h"
#include "unit/metrics/cases.h"
#include "xylem/metrics.h"

namespace xylem {
namespace {

using test::Case;

struct Row {
  std::set<Label> truth;
  std::vector<Label> predicted;
};

double inverse_propensity(const TrainingCounts& counts, const Propensity& constants, Label label) {
  const double n = label < counts.labels.size() ? counts.labels[label] : 0;
  const double c = (std::log(static_cast<double>(counts.rows)) - 1) * std::pow(constants.b + 1, constants.a);
  return 1 + c * std::pow(n + constants.b, -constants.a);
}

// Predictions cut by `keeps(place, score)`.
template <class Keeps>
std::vector<Row> rows_of(const Case& given, Keeps keeps) {
  std::vector<Row> rows;
  for (std::size_t i = 0; i < given.truth.size(); ++i) {
    Row row;
    row.truth.insert(given.truth[i].begin(), given.truth[i].end());
    for (std::size_t r = 0; r < given.predictions.row_labels(i).size(); ++r) {
      if (keeps(r, given.predictions.row_scores(i)[r])) row.predicted.push_back(given.predictions.row_labels(i)[r]);
    }
    rows.push_back(row);
  }
  return rows;
}

std::map<std::string, double> pair_figures(const std::vector<Row>& rows, const std::string& cut) {
  std::map<Label, double> positives, predicted, correct;
  for (const Row& row : rows) {
    for (const Label label : row.truth) positives[label] += 1;
    for (const Label label : row.predicted) {
      predicted[label] += 1;
      if (row.truth.contains(label)) correct[label] += 1;
    }
  }
  std::set<Label> occurring;
  double n_positives = 0, n_predicted = 0, n_correct = 0, f1 = 0;
  for (const auto& [label, n] : positives) occurring.insert(label), n_positives += n;
  for (const auto& [label, n] : predicted) occurring.insert(label), n_predicted += n;
  for (const auto& [label, n] : correct) n_correct += n;
  for (const Label label : occurring) {
    const double precision = predicted[label] > 0 ? correct[label] / predicted[label] : 0;
    const double recall = positives[label] > 0 ? correct[label] / positives[label] : 0;
    if (precision + recall > 0) f1 += 2 * precision * recall / (precision + recall);
  }
  double covered = 0, n_true = 0;
  for (const auto& [label, n] : positives) {
    if (n == 0) continue;
    n_true += 1;
    if (correct[label] > 0) covered += 1;
  }
  const double precision = n_correct / n_predicted;
  const double recall = n_correct / n_positives;
  return {{"microF1" + cut, 100 * 2 * precision * recall / (precision + recall)},
          {"macroF1" + cut, 100 * f1 / static_cast<double>(occurring.size())},
          {"coverage" + cut, 100 * covered / n_true}};
}

std::map<std::string, double> ranking_figures(const std::vector<Row>& rows, std::size_t k, const TrainingCounts& counts,
                                              const Propensity& constants) {
  const auto discount = [](std::size_t place) { return 1 / std::log2(static_cast<double>(place) + 2); };
  double p = 0, ndcg = 0, recall = 0, psp = 0, psp_best = 0, psndcg = 0, psndcg_best = 0;
  for (const Row& row : rows) {
    double hits = 0, dcg = 0, ideal = 0;
    for (std::size_t r = 0; r < row.predicted.size(); ++r) {
      if (!row.truth.contains(row.predicted[r])) continue;
      const double worth = inverse_propensity(counts, constants, row.predicted[r]);
      hits += 1;
      dcg += discount(r);
      psp += worth;
      psndcg += worth * discount(r);
    }
    std::multiset<double, std::greater<>> worths;
    for (const Label label : row.truth) worths.insert(inverse_propensity(counts, constants, label));
    std::size_t place = 0;
    for (const double worth : worths) {
      if (place == k) break;
      ideal += discount(place);
      psp_best += worth;
      psndcg_best += worth * discount(place);
      ++place;
    }
    p += hits / static_cast<double>(k);
    if (!row.truth.empty()) {
      ndcg += dcg / ideal;
      recall += hits / static_cast<double>(row.truth.size());
    }
  }
  const auto n = static_cast<double>(rows.size());
  const std::string cut = "@" + std::to_string(k);
  return {{"P" + cut, 100 * p / n},
          {"nDCG" + cut, 100 * ndcg / n},
          {"R" + cut, 100 * recall / n},
          {"PSP" + cut, 100 * psp / psp_best},
          {"PSnDCG" + cut, 100 * psndcg / psndcg_best}};
}

std::map<std::string, double> slow_figures(const Case& given, const EvalOptions& options) {
  std::map<std::string, double> figures;
  for (const std::size_t k : options.ks) {
    const std::vector<Row> rows = rows_of(given, [&](std::size_t place, float) { return place < k; });
    figures.merge(ranking_figures(rows, k, given.counts, options.propensity));
    figures.merge(pair_figures(rows, "@" + std::to_string(k)));
  }
  const auto lowest = static_cast<float>(*options.threshold);
  auto at_threshold = pair_figures(rows_of(given, [&](std::size_t, float score) { return score >= lowest; }), ">=0.7");
  at_threshold.erase("coverage>=0.7");
  figures.merge(at_threshold);
  return figures;
}

TEST(Evaluate, EqualsItsSlowTwin) {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    const Case random = test::random_case(seed, 40 + 10 * seed);
    const EvalOptions options{.ks = {5, 1, 2, 7, 20},
                              .threshold = 0.7,
                              .propensity = {0.4 + 0.02 * static_cast<double>(seed), 2.6},
                              .bootstrap = 0};
    const Evaluation result = evaluate(random.truth, random.predictions, random.counts, options);
    const std::map<std::string, double> slow = slow_figures(random, options);
    ASSERT_EQ(result.figures.size(), slow.size());
    for (const Figure& figure : result.figures) {
      ASSERT_TRUE(slow.contains(figure.name)) << figure.name;
      EXPECT_NEAR(figure.value, slow.at(figure.name), 1e-9) << figure.name << ", seed " << seed;
    }
  }
}

TEST(Evaluate, SumsLabelsToGroups) {
  for (std::uint64_t seed = 1; seed <= 10; ++seed) {
    const Case random = test::random_case(seed, 100);
    const Evaluation result = evaluate(random.truth, random.predictions, random.counts, {.bootstrap = 0});
    for (const FrequencyGroup& group : result.groups) {
      std::size_t positives = 0, predicted = 0, correct = 0;
      for (const LabelFigures& label : result.labels) {
        if (label.training_rows < group.from || label.training_rows > group.to) continue;
        positives += label.positives;
        predicted += label.predicted;
        correct += label.correct;
      }
      EXPECT_EQ(group.positives, positives) << group.name;
      EXPECT_EQ(group.predicted, predicted) << group.name;
      EXPECT_EQ(group.correct, correct) << group.name;
    }
  }
}

// The rows with labels of which none has more than 5 training rows, as a data set of their own.
Case tail_rows_of(const Case& given) {
  Case tail{.truth = {}, .predictions = {}, .counts = given.counts};
  for (std::size_t i = 0; i < given.truth.size(); ++i) {
    std::set<std::uint32_t> frequencies;
    for (const Label label : given.truth[i]) {
      frequencies.insert(label < given.counts.labels.size() ? given.counts.labels[label] : 0);
    }
    if (frequencies.empty() || *frequencies.rbegin() > 5) continue;
    tail.truth.push_back(given.truth[i]);
    for (std::size_t r = 0; r < given.predictions.row_labels(i).size(); ++r) {
      tail.predictions.push_back(given.predictions.row_labels(i)[r], given.predictions.row_scores(i)[r]);
    }
    tail.predictions.end_row();
  }
  return tail;
}

TEST(TailRows, EqualTheirSlowTwin) {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    const Case random = test::random_case(seed, 200);
    const EvalOptions options{.ks = {5, 1, 2}, .threshold = 0.7, .bootstrap = 50, .seed = seed};
    const TailRows found = evaluate(random.truth, random.predictions, random.counts, options).tail_rows;

    const Case tail = tail_rows_of(random);
    const Evaluation alone = evaluate(tail.truth, tail.predictions, tail.counts, options);
    const std::map<std::string, double> slow = slow_figures(tail, options);
    ASSERT_GT(tail.truth.size(), 5U) << "seed " << seed;
    EXPECT_EQ(found.rows, tail.truth.size());
    ASSERT_EQ(found.figures.size(), 9U);
    for (const Figure& figure : found.figures) {
      EXPECT_NEAR(figure.value, slow.at(figure.name), 1e-9) << figure.name << ", seed " << seed;
      EXPECT_EQ(figure.low, alone.figure(figure.name).low) << figure.name << ", seed " << seed;
      EXPECT_EQ(figure.high, alone.figure(figure.name).high) << figure.name << ", seed " << seed;
    }
  }
}

// How often a resample holds a row: the Poisson distribution with mean 1, by its definition.
std::size_t poisson_of(double uniform) {
  double chance = std::exp(-1.0);
  std::size_t times = 0;
  while (uniform >= chance) {
    uniform -= chance;
    chance /= static_cast<double>(++times);
  }
  return times;
}

// A resample evaluated as a data set of its own.
TEST(Resample, EqualsTheFiguresOfTheDrawnRows) {
  const Case random = test::random_case(8, 60);
  const EvalOptions options{.ks = {1, 4}, .threshold = 0.7, .bootstrap = 0, .seed = 17};
  const CutList cuts = make_cuts(options);
  const InversePropensity worth(random.counts, options.propensity);
  const RowFigures rows = row_figures(random.truth, random.predictions, worth, cuts);
  ResampledSums sums(20, options.seed);
  sums.add(rows, {});
  const auto values = sums.resampled();

  for (std::uint64_t replicate = 0; replicate < 20; ++replicate) {
    Random draw(options.seed, {replicate});
    Case drawn{.truth = {}, .predictions = {}, .counts = random.counts};
    for (std::size_t i = 0; i < random.truth.size(); ++i) {
      const std::size_t times = poisson_of(std::ldexp(static_cast<double>(draw.bits() >> 32), -32));
      for (std::size_t n = 0; n < times; ++n) {
        drawn.truth.push_back(random.truth[i]);
        for (std::size_t r = 0; r < random.predictions.row_labels(i).size(); ++r) {
          drawn.predictions.push_back(random.predictions.row_labels(i)[r], random.predictions.row_scores(i)[r]);
        }
        drawn.predictions.end_row();
      }
    }
    const Evaluation expected = evaluate(drawn.truth, drawn.predictions, drawn.counts, options);
    for (std::size_t f = 0; f < rows.names.size(); ++f) {
      EXPECT_NEAR(values[f][replicate], expected.figure(rows.names[f]).value, 1e-9) << rows.names[f];
    }
  }
}

TEST(Evaluator, GivesTheSameForAnyBlocks) {
  const Case random = test::random_case(9, 300);
  const EvalOptions options{.threshold = 0.7, .bootstrap = 30};
  const Evaluation whole = evaluate(random.truth, random.predictions, random.counts, options);
  Evaluator evaluator(random.counts, options);
  for (std::size_t begin = 0, size = 0; begin < random.truth.size(); begin += size, size = 2 * size + 1) {
    LabelLists truth;
    TopLabels predictions;
    for (std::size_t i = begin; i < std::min(begin + size, random.truth.size()); ++i) {
      truth.push_back(random.truth[i]);
      for (std::size_t r = 0; r < random.predictions.row_labels(i).size(); ++r) {
        predictions.push_back(random.predictions.row_labels(i)[r], random.predictions.row_scores(i)[r]);
      }
      predictions.end_row();
    }
    evaluator.add(truth, predictions);
  }
  const Evaluation found = evaluator.result();
  EXPECT_EQ(found.rows, whole.rows);
  EXPECT_EQ(found.rows_without_labels, whole.rows_without_labels);
  EXPECT_EQ(found.tail_rows.rows, whole.tail_rows.rows);
  EXPECT_EQ(found.labels.size(), whole.labels.size());
  ASSERT_EQ(found.figures.size(), whole.figures.size());
  for (std::size_t f = 0; f < whole.figures.size(); ++f) {
    EXPECT_EQ(found.figures[f].value, whole.figures[f].value) << whole.figures[f].name;
    EXPECT_EQ(found.figures[f].low, whole.figures[f].low) << whole.figures[f].name;
    EXPECT_EQ(found.figures[f].high, whole.figures[f].high) << whole.figures[f].name;
  }
}

}  // namespace
}  // namespace xylem
