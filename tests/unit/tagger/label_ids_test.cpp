// SPDX-License-Identifier: Apache-2.0
// Identifiers of labels, from training to the model file and back.
#include <gtest/gtest.h>

#include "folder.h"
#include "model_surgery.h"
#include "xylem/tagger.h"

namespace xylem {
namespace {

Corpus corpus_of(std::initializer_list<std::pair<const char*, const char*>> labels) {
  Corpus corpus;
  for (const auto& [name, id] : labels) {
    corpus.texts.push_back("words of " + std::string(name));
    corpus.labels.push_back(std::vector<Label>{static_cast<Label>(corpus.label_names.size())});
    corpus.label_names.push_back(name);
    corpus.label_ids.push_back(id);
  }
  return corpus;
}

Tagger trained() {
  TrainOptions options;
  options.method = "knn";
  options.settings = {{"k", "1"}};
  return Tagger::train(corpus_of({{"a", "u:1"}, {"b", ""}, {"c", "u:3"}}), options, {});
}

std::string ids_of(const Tagger& tagger) {
  std::string ids;
  for (Label label = 0; label < tagger.n_labels(); ++label) ids.append(tagger.label_id(label)) += '|';
  return ids;
}

TEST(LabelIds, AreSavedAndLoaded) {
  const test::Folder folder;
  const std::string path = folder / "m.xylem";
  trained().save(path, false);
  EXPECT_EQ(ids_of(Tagger::load(path)), "u:1||u:3|");
}

TEST(LabelIds, StayWhenMoreIsLearned) {
  const Tagger more = trained().learn(corpus_of({{"x", "u:1"}, {"d", "u:4"}, {"b", "u:2"}}), {}, {});
  EXPECT_EQ(more.n_labels(), 4U);
  EXPECT_EQ(ids_of(more), "u:1||u:3|u:4|");
}

TEST(LabelIds, ThatMakeNoSenseAreNoticed) {
  const test::Folder folder;
  const std::string path = folder / "m.xylem";
  trained().save(path, false);
  for (const std::string& forged : test::forged_models(path)) {
    test::write_plain(folder / "forged", forged);
    const auto kind = test::kind_of_error([&] { Tagger::load(folder / "forged"); });
    if (kind) {
      EXPECT_EQ(*kind, ErrorKind::kModel);
    }
  }
  // Identifiers without names.
  std::string file = read_whole_file(path);
  for (const char* name : {"label_names.bytes", "label_names.offsets"}) {
    const std::size_t place = file.find(name);
    ASSERT_NE(place, std::string::npos);
    file.replace(place, 1, "L");
  }
  test::fix_checksum(file);
  test::write_plain(folder / "forged", file);
  EXPECT_EQ(test::kind_of_error([&] { Tagger::load(folder / "forged"); }), ErrorKind::kModel);
}

}  // namespace
}  // namespace xylem
