// SPDX-License-Identifier: Apache-2.0
// Model files: whole, damaged, and wrong on purpose.
#include <algorithm>
#include <cmath>

#include "contract.h"
#include "core/file.h"
#include "data/utf8.h"
#include "model_surgery.h"
#include "toy_data.h"
#include "xylem/error.h"

namespace xylem {
namespace {

using test::toy_data;

TEST_P(Contract, PredictsTheSameAfterSavingAndLoading) {
  const Dataset test = toy_data(2);
  const Tagger tagger = train(toy_data(1));
  tagger.save(folder_ / "m.xylem", false);
  const Tagger loaded = Tagger::load(folder_ / "m.xylem");
  const TopLabels before = tagger.tag(test.features.rows(), 7, {});
  const TopLabels after = loaded.tag(test.features.rows(), 7, {});
  EXPECT_EQ(after.offsets, before.offsets);
  EXPECT_EQ(after.labels, before.labels);
  EXPECT_EQ(after.scores, before.scores);
  EXPECT_EQ(loaded.card(), tagger.card());
  EXPECT_EQ(loaded.training_counts().labels, tagger.training_counts().labels);
  loaded.save(folder_ / "again.xylem", false);
  EXPECT_EQ(read_whole_file(folder_ / "again.xylem"), read_whole_file(folder_ / "m.xylem"));
}

TEST_P(Contract, FindsEveryCutAndEveryFlippedBit) {
  train(toy_data(1, {.rows = 12, .labels = 4, .words_a_label = 4, .common_words = 2}), 2, small_settings())
      .save(folder_ / "m.xylem", false);
  const std::string whole = read_whole_file(folder_ / "m.xylem");
  const std::string path = folder_ / "damaged.xylem";
  for (std::size_t length = 0; length < whole.size(); ++length) {
    test::write_plain(path, whole.substr(0, length));
    EXPECT_EQ(test::kind_of_error([&] { Tagger::load(path); }), ErrorKind::kModel) << "cut at " << length;
  }
  for (std::size_t bit = 0; bit < 8 * whole.size(); ++bit) {
    std::string damaged = whole;
    damaged[bit / 8] = static_cast<char>(damaged[bit / 8] ^ (1 << (bit % 8)));
    test::write_plain(path, damaged);
    EXPECT_EQ(test::kind_of_error([&] { Tagger::load(path); }), ErrorKind::kModel) << "bit " << bit;
  }
}

// A file can be wrong on purpose, with a right checksum. Every element of every array and every text in turn is set to
// values that break assumptions; loading refuses it, or what is loaded can be used.
TEST_P(Contract, SurvivesFilesThatLie) {
  Dataset data = toy_data(1, {.rows = 12, .labels = 4, .words_a_label = 4, .common_words = 2});
  for (const char* name : {"a", "b", "c", "d"}) data.label_names.push_back(name);
  train(data, 2, small_settings()).save(folder_ / "m.xylem", false);
  const std::string path = folder_ / "forged.xylem";
  std::size_t refused = 0;
  std::vector<std::string> all = test::forged_models(folder_ / "m.xylem");
  std::ranges::move(test::models_with_forged_texts(folder_ / "m.xylem"), std::back_inserter(all));
  for (const std::string& forged : all) {
    test::write_plain(path, forged);
    try {
      const Tagger tagger = Tagger::load(path);
      const TopLabels top = tagger.tag(data.features.rows(), 5, {});
      EXPECT_EQ(top.size(), data.size());
      for (const float score : top.scores) EXPECT_TRUE(std::isfinite(score));
      Dataset more = data;
      more.label_names = tagger.label_names();
      test::kind_of_error([&] { tagger.learn(more, {}, {}).tag(data.features.rows(), 5, {}); });
      for (const Label label : top.labels) EXPECT_EQ(find_bad_utf8(tagger.label_name(label)).size, 0u);
      for (Label label = 0; label < tagger.n_labels(); ++label) {
        tagger.explain(data.features[0], label);
        if (!tagger.method().has_label_vectors) continue;
        for (const float cosine : tagger.near_labels(label, 5).scores) EXPECT_LE(std::abs(cosine), 1.0f);
      }
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::kModel);
      ++refused;
    }
  }
  EXPECT_GT(refused, 0u);
}

}  // namespace
}  // namespace xylem
