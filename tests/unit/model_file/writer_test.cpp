// SPDX-License-Identifier: Apache-2.0
#include "model_file/writer.h"

#include <sys/resource.h>

#include <csignal>
#include <cstring>
#include <deque>
#include <nlohmann/json.hpp>
#include <utility>

#include "unit/model_file/model_files.h"

namespace xylem {
namespace {

using ModelWriterTest = ModelFiles;

template <class T>
Array<T> list(std::vector<T> values) {
  return Array<T>(std::move(values));
}

TextList list_of(std::initializer_list<const char*> texts) {
  TextList list;
  for (const char* text : texts) list.push_back(text);
  return list;
}

// They outlive every writer.
const TextList kNames = list_of({"", "Äpfel", "a\nb", "", "日本"});
const TextList kNoNames;

ModelWriter model_of_all_types() {
  ModelWriter writer;
  writer.text("method", "knn");
  writer.text("card", R"({"name": "quotes \" and \\ and ünïcode", "checksum":"ffffffffffffffff"})");
  writer.array("u8", list<std::uint8_t>({1, 255, 3}));
  writer.array("i8", list<std::int8_t>({-128, 127}));
  writer.array("u16", list<std::uint16_t>({65535}));
  writer.array("none", list<float>({}));
  writer.array("u32", list<std::uint32_t>({1, 2, 3, 4, 5, 4294967295}), {2, 3});
  writer.array("u64", list<std::uint64_t>({0, ~std::uint64_t{0}}));
  writer.array("f32", list<float>({1.5F, -0.0F, 3e38F}));
  writer.array("bf16", list<Bf16>({{0x3f80}, {0xc000}, {0}}));
  writer.array("f64", list<double>({1e300}));
  writer.strings("names", kNames);
  writer.strings("nobody", kNoNames);
  return writer;
}

ErrorKind kind_of(const std::function<void()>& action) {
  try {
    action();
  } catch (const Error& error) {
    return error.kind();
  }
  ADD_FAILURE() << "expected an Error";
  return ErrorKind::kOther;
}

TEST_F(ModelWriterTest, ScopesKeepModelsApart) {
  ModelWriter writer;
  std::deque<TextList> names;  // which outlive the writer
  const auto save = [&](const std::string& k, std::uint32_t id) {
    writer.text("knn.k", k);
    writer.array("knn.labels", list<std::uint32_t>({id}));
    names.emplace_back().push_back(k);
    writer.strings("names", names.back());
  };
  save("1", 10);
  for (const char* member : {"a", "b"}) {
    const Scope inside(writer, member);
    save(member, static_cast<std::uint32_t>(*member));
    const Scope further(writer, "deep");
    writer.text("only", member);
  }
  writer.text("last", "outside");
  writer.write(path(), IfExists::kFail);

  ModelReader reader(path());
  EXPECT_EQ(reader.text("knn.k"), "1");
  EXPECT_EQ(reader.text("a/deep/only"), "a");
  for (const char* member : {"a", "b"}) {
    const Scope inside(reader, member);
    EXPECT_EQ(reader.text("knn.k"), member);
    EXPECT_EQ(reader.ids("knn.labels", 1, 1000)[0], static_cast<std::uint32_t>(*member));
    EXPECT_EQ(reader.strings("names")[0], member);
    EXPECT_FALSE(reader.has_text("last"));
    EXPECT_FALSE(reader.has_array("b/knn.labels"));
    EXPECT_EQ(reader.texts_below("knn.").size(), 1U);
    const Scope further(reader, "deep");
    EXPECT_EQ(reader.text("only"), member);
  }
  EXPECT_EQ(reader.text("last"), "outside");
  EXPECT_EQ(reader.texts_below("a/deep/").at("only"), "a");
}

TEST_F(ModelWriterTest, MessagesNameTheScope) {
  ModelWriter().write(path(), IfExists::kFail);
  ModelReader reader(path());
  const Scope inside(reader, "first");
  try {
    reader.array<float>("weights");
    FAIL();
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("it has no array 'first/weights'"), std::string::npos) << error.what();
  }
}

TEST_F(ModelWriterTest, WhatIsWrittenIsReadBack) {
  model_of_all_types().write(path(), IfExists::kFail);
  const ModelReader reader(path());
  EXPECT_EQ(reader.path(), path());
  EXPECT_EQ(reader.file_size(), std::filesystem::file_size(path()));
  EXPECT_EQ(reader.text("method"), "knn");
  EXPECT_EQ(reader.text("card"), R"({"name": "quotes \" and \\ and ünïcode", "checksum":"ffffffffffffffff"})");
  EXPECT_EQ(reader.text("format"), "xylem");
  EXPECT_EQ(reader.texts().size(), 5U);
  const auto equal = [](const auto& array, const auto& expected) {
    return array.size() == expected.size() &&
           (array.size() == 0 || std::memcmp(array.data(), expected.data(), array.span().size_bytes()) == 0);
  };
  EXPECT_TRUE(equal(reader.array<std::uint8_t>("u8"), std::vector<std::uint8_t>{1, 255, 3}));
  EXPECT_TRUE(equal(reader.array<std::int8_t>("i8"), std::vector<std::int8_t>{-128, 127}));
  EXPECT_TRUE(equal(reader.array<std::uint16_t>("u16"), std::vector<std::uint16_t>{65535}));
  EXPECT_TRUE(equal(reader.array<float>("none", 0), std::vector<float>{}));
  EXPECT_TRUE(equal(reader.array<std::uint32_t>("u32", 6), std::vector<std::uint32_t>{1, 2, 3, 4, 5, 4294967295}));
  EXPECT_TRUE(equal(reader.array<std::uint64_t>("u64"), std::vector<std::uint64_t>{0, ~std::uint64_t{0}}));
  EXPECT_TRUE(equal(reader.array<float>("f32"), std::vector<float>{1.5F, -0.0F, 3e38F}));
  EXPECT_TRUE(equal(reader.array<Bf16>("bf16"), std::vector<Bf16>{{0x3f80}, {0xc000}, {0}}));
  EXPECT_TRUE(equal(reader.array<double>("f64"), std::vector<double>{1e300}));
  EXPECT_EQ(reader.strings("names"), kNames);
  EXPECT_EQ(reader.strings("nobody"), kNoNames);
  EXPECT_TRUE(reader.has_array("names.bytes"));
  EXPECT_FALSE(reader.has_array("names"));
  std::map<std::string, std::vector<std::uint64_t>> shapes;
  for (const ArrayInfo& info : reader.arrays()) shapes[info.name] = info.shape;
  EXPECT_EQ(shapes["u32"], (std::vector<std::uint64_t>{2, 3}));
  EXPECT_EQ(shapes["none"], std::vector<std::uint64_t>{0});
}

TEST_F(ModelWriterTest, ModelOfNothingIsReadBack) {
  ModelWriter().write(path(), IfExists::kFail);
  const ModelReader reader(path());
  EXPECT_TRUE(reader.arrays().empty());
  EXPECT_EQ(reader.texts().size(), 3U);
}

TEST_F(ModelWriterTest, ArraysOutliveTheReader) {
  model_of_all_types().write(path(), IfExists::kFail);
  const Array<float> values = ModelReader(path()).finite("f32", 3);
  std::filesystem::remove(path());
  EXPECT_EQ(values[0], 1.5F);
}

TEST_F(ModelWriterTest, LargerElementsComeFirstThenTheOrderOfAddition) {
  model_of_all_types().write(path(), IfExists::kFail);
  std::vector<std::string> names;
  const ModelReader reader(path());
  for (const ArrayInfo& info : reader.arrays()) names.push_back(info.name);
  EXPECT_EQ(names, (std::vector<std::string>{"u64", "f64", "names.offsets", "nobody.offsets", "none", "u32", "f32",
                                             "u16", "bf16", "u8", "i8", "names.bytes", "nobody.bytes"}));
}

// Reads the file by the public description of safetensors alone.
TEST_F(ModelWriterTest, BytesFollowTheRulesOfSafetensors) {
  model_of_all_types().write(path(), IfExists::kFail);
  const std::string bytes = read_whole_file(path());
  std::uint64_t length = 0;
  std::memcpy(&length, bytes.data(), 8);
  ASSERT_LE(length, bytes.size() - 8);
  EXPECT_EQ((8 + length) % 64, 0U);
  EXPECT_EQ(bytes[8], '{');
  const auto header = nlohmann::json::parse(bytes.substr(8, length));
  const std::map<std::string, std::size_t> sizes = {{"U8", 1},  {"I8", 1},  {"U16", 2}, {"U32", 4},
                                                    {"U64", 8}, {"F32", 4}, {"F64", 8}, {"BF16", 2}};
  std::vector<std::pair<std::size_t, std::size_t>> ranges;
  for (const auto& [name, info] : header.items()) {
    if (name == "__metadata__") {
      for (const auto& value : info) EXPECT_TRUE(value.is_string());
      continue;
    }
    EXPECT_EQ(info.size(), 3U);
    std::size_t n = sizes.at(info["dtype"]);
    for (const std::size_t dimension : info["shape"]) n *= dimension;
    const std::size_t begin = info["data_offsets"][0];
    const std::size_t end = info["data_offsets"][1];
    EXPECT_EQ(end - begin, n) << name;
    EXPECT_EQ((8 + length + begin) % sizes.at(info["dtype"]), 0U) << name;
    ranges.emplace_back(begin, end);
  }
  EXPECT_EQ(ranges.size(), 13U);
  std::ranges::sort(ranges);
  std::size_t covered = 0;
  for (const auto& [begin, end] : ranges) {
    EXPECT_EQ(begin, covered);
    covered = end;
  }
  EXPECT_EQ(8 + length + covered, bytes.size());
  const std::size_t u32 = 8 + length + header["u32"]["data_offsets"][0].get<std::size_t>();
  EXPECT_EQ(bytes.substr(u32 + 4, 4), std::string("\2\0\0\0", 4));
}

TEST_F(ModelWriterTest, SameContentGivesTheSameBytes) {
  model_of_all_types().write(path(), IfExists::kFail);
  model_of_all_types().write(path("other"), IfExists::kFail);
  EXPECT_EQ(read_whole_file(path()), read_whole_file(path("other")));
}

TEST_F(ModelWriterTest, ChecksumIsTheHashOfTheFileWithItsOwnDigitsZero) {
  model_of_all_types().write(path(), IfExists::kFail);
  std::string bytes = read_whole_file(path());
  const std::size_t digits = bytes.find("\"checksum\":\"") + 12;
  const std::string found = bytes.substr(digits, 16);
  bytes.replace(digits, 16, 16, '0');
  EXPECT_EQ(found, checksum_text(hash_bytes(bytes)));
}

TEST_F(ModelWriterTest, TextThatIsNotUtf8IsRefused) {
  ModelWriter writer;
  EXPECT_EQ(kind_of([&] { writer.text("card", "\xff"); }), ErrorKind::kUsage);
}

TEST_F(ModelWriterTest, MetadataBeyondTheLimitIsRefused) {
  ModelWriter writer;
  writer.text("card", std::string(kMaxHeaderBytes, 'x'));
  EXPECT_EQ(kind_of([&] { writer.write(path(), IfExists::kFail); }), ErrorKind::kUsage);
  EXPECT_EQ(files_in_folder(), 0U);
}

TEST_F(ModelWriterTest, ExistingFileIsLeftAloneUnlessReplaced) {
  put("old");
  EXPECT_EQ(kind_of([&] { model_of_all_types().write(path(), IfExists::kFail); }), ErrorKind::kUsage);
  EXPECT_EQ(read_whole_file(path()), "old");
  model_of_all_types().write(path(), IfExists::kReplace);
  EXPECT_EQ(ModelReader(path()).text("method"), "knn");
  EXPECT_EQ(files_in_folder(), 1U);
}

TEST_F(ModelWriterTest, FullDeviceIsAnError) {
  EXPECT_EQ(kind_of([] { model_of_all_types().write("/dev/full", IfExists::kReplace); }), ErrorKind::kIo);
}

TEST_F(ModelWriterTest, FullDiskLeavesTheOldFileAndNothingElse) {
  put("old");
  ModelWriter writer;
  writer.array("big", list(std::vector<float>(1'000'000)));
  rlimit before{};
  ASSERT_EQ(::getrlimit(RLIMIT_FSIZE, &before), 0);
  const rlimit small{1'000'000, before.rlim_max};
  const auto handler = std::signal(SIGXFSZ, SIG_IGN);
  ASSERT_EQ(::setrlimit(RLIMIT_FSIZE, &small), 0);
  const ErrorKind kind = kind_of([&] { writer.write(path(), IfExists::kReplace); });
  ::setrlimit(RLIMIT_FSIZE, &before);
  std::signal(SIGXFSZ, handler);
  EXPECT_EQ(kind, ErrorKind::kIo);
  EXPECT_EQ(read_whole_file(path()), "old");
  EXPECT_EQ(files_in_folder(), 1U);
}

}  // namespace
}  // namespace xylem
