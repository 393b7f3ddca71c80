// SPDX-License-Identifier: Apache-2.0
#include "tagger/model_rows.h"

#include <gtest/gtest.h>

#include <string>

#include "folder.h"
#include "text_tagger.h"
#include "xylem/error.h"

namespace xylem {
namespace {

struct AllRead {
  std::size_t rows = 0;
  LabelLists labels;
  TextList document_ids;
  AllLabels known;
  std::size_t unknown_features = 0, unknown_labels = 0, files = 0;
};

AllRead read_all(const Tagger& tagger, ModelInput input) {
  AllRead read;
  input.on_report = [&](const FileReport& file) {
    ++read.files;
    read.unknown_features += file.unknown_features;
    read.unknown_labels += file.unknown_labels;
  };
  const auto use = [&](const ModelRows& block) {
    EXPECT_EQ(block.texts.size(), tagger.takes_texts() ? block.size() : 0);
    read.rows += block.size();
    read.labels.append(block.labels);
    read.document_ids.append(block.document_ids);
  };
  read.known = read_model_rows(tagger, input, use, {});
  return read;
}

TEST(ModelRows, OfTextsHaveTheLabelsOfTheModelFirst) {
  const test::Folder folder;
  test::write_plain(folder / "a.jsonl", R"({"id": 7, "text": "the river", "labels": ["boat", "canoe"]})");
  test::write_plain(folder / "b.jsonl", R"({"text": "no money", "labels": ["u:1"]})");
  const AllRead read = read_all(test::text_tagger(), {{folder / "a.jsonl", folder / "b.jsonl"}, {}});
  EXPECT_EQ(read.rows, 2U);
  EXPECT_EQ(read.files, 2U);
  EXPECT_EQ(read.labels.ids, (std::vector<Label>{2, 3, 0}));
  EXPECT_EQ(read.document_ids[0], "7");
  ASSERT_EQ(read.known.names.size(), 4U);
  EXPECT_EQ(read.known.names[3], "canoe");
}

TEST(ModelRows, CountWhatTheModelNeverSaw) {
  const test::Folder folder;
  test::write_plain(folder / "rows.txt", "1,9 1:1 7:2 8:1\n2 2:1\n");  // counted from 1, as the model's
  const Tagger tagger = test::row_tagger();
  ModelInput input{{folder / "rows.txt"}, {}};
  const AllRead read = read_all(tagger, input);
  EXPECT_EQ(read.labels.ids, (std::vector<Label>{0, 8, 1}));
  EXPECT_EQ(read.unknown_features, 2U);
  EXPECT_EQ(read.unknown_labels, 1U);
  input.options.labels_matter = false;
  EXPECT_EQ(read_all(tagger, input).unknown_labels, 0U);
}

TEST(ModelRows, CanBePassedOver) {
  const test::Folder folder;
  test::write_plain(folder / "rows.txt", "1 1:1\n2 2:1\n");
  std::size_t passed = 0;
  ModelInput input{{folder / "rows.txt", folder / "rows.txt"}, {}};
  input.passes_over = [&](std::size_t n_rows, std::uint64_t) { return passed += n_rows, passed <= 2; };
  EXPECT_EQ(read_all(test::row_tagger(), input).rows, 2U);
}

TEST(ModelRows, AreRefusedIfTheyAreOfTheOtherKind) {
  const auto message = [](const Tagger& tagger, const char* format) {
    try {
      check_format(tagger, format);
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::kUsage);
      return std::string(error.what());
    }
    return std::string();
  };
  EXPECT_EQ(message(test::text_tagger(), "jsonl"), "");
  EXPECT_EQ(message(test::row_tagger(), "auto"), "");
  EXPECT_EQ(
      message(test::text_tagger(), "libsvm"),
      "--input-format libsvm: the model was trained on texts, but this format has sparse rows; pass texts, or a model "
      "trained on sparse rows");
  EXPECT_EQ(message(test::row_tagger(), "csv"),
            "--input-format csv: the model was trained on sparse rows, but this format has texts; pass sparse rows, or "
            "a model "
            "trained on texts");
}

}  // namespace
}  // namespace xylem
