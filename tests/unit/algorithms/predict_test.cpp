// SPDX-License-Identifier: Apache-2.0
#include "algorithms/predict.h"

#include <gtest/gtest.h>

#include <atomic>

#include "core/parallel.h"
#include "core/random.h"

namespace xylem {
namespace {

constexpr std::size_t kLabels = 3000;

// Puts all labels in an order that the row's only feature decides, and gives the first `known_` of them at most.
class ShuffledLabels : public Model {
 public:
  explicit ShuffledLabels(std::size_t known) : known_(known) {}

  void predict(const RowBlock& block, std::size_t k, Scratch&, TopLabels& out) const override {
    for (std::size_t row = 0; row < block.size(); ++row) {
      ++rows_asked_;
      std::vector<Label> order(kLabels);
      for (Label label = 0; label < kLabels; ++label) order[label] = label;
      Random(block.rows[row].ids[0], {}).shuffle(std::span(order));
      for (std::size_t i = 0; i < std::min(k, known_); ++i) out.push_back(order[i], -static_cast<float>(i));
      out.end_row();
    }
  }
  void save(ModelWriter&) const override {}
  std::size_t rows_asked() const { return rows_asked_; }

 private:
  std::size_t known_;
  mutable std::atomic<std::size_t> rows_asked_ = 0;
};

SparseMatrix rows_of(Feature n) {
  SparseMatrix rows;
  for (Feature row = 0; row < n; ++row) {
    const float one = 1;
    rows.push_back({{&row, 1}, {&one, 1}});
  }
  return rows;
}

// The slow, obvious way: ask for everything.
TopLabels filtered(const TopLabels& everything, std::size_t k, const std::vector<bool>& allowed) {
  TopLabels out;
  for (std::size_t row = 0; row < everything.size(); ++row) {
    std::size_t n = 0;
    for (std::size_t i = 0; i < everything.row_labels(row).size() && n < k; ++i) {
      if (!allowed[everything.row_labels(row)[i]]) continue;
      out.push_back(everything.row_labels(row)[i], everything.row_scores(row)[i]);
      ++n;
    }
    out.end_row();
  }
  return out;
}

TEST(PredictRows, FindsTheBestAllowedLabelsHoweverFewTheyAre) {
  const SparseMatrix rows = rows_of(300);
  for (const std::size_t known : {std::size_t{0}, std::size_t{100}, kLabels}) {
    const ShuffledLabels model(known);
    const TopLabels everything = predict_rows(model, rows.rows(), RowScale::kAsGiven, kLabels, {});
    for (const std::size_t n_allowed : {std::size_t{0}, std::size_t{1}, std::size_t{4}, kLabels / 2, kLabels - 1}) {
      std::vector<bool> allowed(kLabels);
      for (std::size_t i = 0; i < n_allowed; ++i) allowed[(i * 7 + 3) % kLabels] = true;
      for (const std::size_t k : {std::size_t{0}, std::size_t{1}, std::size_t{5}, kLabels, SIZE_MAX}) {
        const TopLabels expected = filtered(everything, k, allowed);
        const TopLabels found = predict_rows(model, rows.rows(), RowScale::kAsGiven, k, {}, &allowed);
        ASSERT_EQ(found.offsets, expected.offsets) << known << ' ' << n_allowed << ' ' << k;
        EXPECT_EQ(found.labels, expected.labels);
        EXPECT_EQ(found.scores, expected.scores);
      }
    }
  }
}

// Answers with the bytes of each row's text and of its title.
class TextLengths : public Model {
 public:
  void predict(const RowBlock& block, std::size_t, Scratch&, TopLabels& out) const override {
    for (std::size_t row = 0; row < block.size(); ++row) {
      const bool given = !block.texts.empty();
      out.push_back(2, given ? static_cast<float>(block.texts[row].text.size()) : -1);
      out.push_back(3, given ? static_cast<float>(block.texts[row].title_bytes) : -1);
      out.end_row();
    }
  }
  void save(ModelWriter&) const override {}
};

TEST(PredictRows, HandsEachRowItsText) {
  const SparseMatrix rows = rows_of(600);
  TextList texts;
  for (std::size_t row = 0; row < rows.size(); ++row) texts.push_back(std::string(row % 300, 'x'), row % 7);
  const std::vector<TextView> views = views_of(texts);
  const std::vector<bool> all(4, true);
  for (const std::vector<bool>* allowed : {static_cast<const std::vector<bool>*>(nullptr), &all}) {
    const TopLabels found = predict_rows(TextLengths(), {rows.rows(), views}, RowScale::kAsGiven, 4, {}, allowed);
    ASSERT_EQ(found.size(), rows.size());
    for (std::size_t row = 0; row < rows.size(); ++row) {
      EXPECT_EQ(found.row_scores(row)[0], static_cast<float>(row % 300));
      EXPECT_EQ(found.row_scores(row)[1], static_cast<float>(row % 7));
    }
    EXPECT_EQ(predict_rows(TextLengths(), rows.rows(), RowScale::kUnit, 4, {}, allowed).scores[0], -1);
  }
}

TEST(PredictRows, AsksOnceWhereFewLabelsAreLeftOutOrFewAreKnown) {
  const SparseMatrix rows = rows_of(10);
  std::vector<bool> allowed(kLabels, true);
  allowed[5] = allowed[6] = false;
  const ShuffledLabels knows_all(kLabels);
  predict_rows(knows_all, rows.rows(), RowScale::kAsGiven, 5, {}, &allowed);
  EXPECT_EQ(knows_all.rows_asked(), 10u);
  allowed.assign(kLabels, false);
  const ShuffledLabels knows_few(50);
  predict_rows(knows_few, rows.rows(), RowScale::kAsGiven, 5, {}, &allowed);
  EXPECT_EQ(knows_few.rows_asked(), 10u);
}

}  // namespace
}  // namespace xylem
