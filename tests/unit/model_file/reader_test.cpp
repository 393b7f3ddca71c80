// SPDX-License-Identifier: Apache-2.0
#include "model_file/reader.h"

#include <algorithm>
#include <limits>

#include "core/parallel.h"
#include "unit/model_file/model_files.h"

namespace xylem {
namespace {

class ModelReaderTest : public ModelFiles {
 protected:
  // Opens a file with one array called "a".
  template <class T>
  ModelReader reader_of(std::vector<T> values) const {
    ModelWriter writer;
    writer.array("a", Array<T>(std::move(values)));
    writer.write(path(), IfExists::kReplace);
    return ModelReader(path());
  }
};

std::string small_model(const std::string& path) {
  const TextList names{"abc", {0, 1, 3}};
  ModelWriter writer;
  writer.text("method", "knn");
  writer.array("ids", Array(std::vector<std::uint32_t>{1, 2, 3}));
  writer.strings("names", names);
  writer.write(path, IfExists::kReplace);
  return read_whole_file(path);
}

TEST_F(ModelReaderTest, FileCutAtAnyLengthIsRefused) {
  const std::string bytes = small_model(path());
  for (std::size_t length = 0; length < bytes.size(); ++length) {
    ASSERT_NE(complaint(bytes.substr(0, length)), "") << length;
  }
  ASSERT_NE(complaint(bytes + '\0'), "");
  ASSERT_EQ(complaint(bytes), "");
}

TEST_F(ModelReaderTest, AnyFlippedBitIsNoticed) {
  std::string bytes = small_model(path());
  for (std::size_t bit = 0; bit < bytes.size() * 8; ++bit) {
    const auto flip = [&] { bytes[bit / 8] = static_cast<char>(bytes[bit / 8] ^ 1 << bit % 8); };
    flip();
    ASSERT_NE(complaint(bytes), "") << "bit " << bit;
    flip();
  }
  ASSERT_EQ(complaint(bytes), "");
}

TEST_F(ModelReaderTest, DamageIsToldWithBothChecksums) {
  std::string bytes = file_with_arrays("", "");
  const std::string right = bytes.substr(bytes.find("\"checksum\":\"") + 12, 16);
  const std::string wrong = right == "0123456789abcdef" ? "1123456789abcdef" : "0123456789abcdef";
  bytes.replace(bytes.find(right), 16, wrong);
  EXPECT_EQ(complaint(bytes), "damaged: its checksum is " + wrong + ", the content gives " + right);
}

struct Bad {
  std::string what;  // a part of what is said
  std::string bytes;
};

// Every file here has the right checksum, wherever it has one.
std::vector<Bad> bad_files() {
  const std::string sum(kNoChecksum);
  const std::string good = sum + R"(,"format":"xylem","format_version":"1")";
  const auto metadata = [](const std::string& texts) { return file_of(R"({"__metadata__":{)" + texts + "}}", ""); };
  const auto array = [](const std::string& entry, std::size_t bytes) {
    return file_with_arrays(R"("a":{)" + entry + "}", std::string(bytes, '\1'));
  };
  const auto repeat = [](const std::string& part, std::size_t n) {
    std::string result;
    for (std::size_t i = 0; i < n; ++i) result += part;
    return result;
  };
  std::string unaligned = length_bytes(0) + "{\"__metadata__\":{" + good + "}}";
  while (unaligned.size() % 64 != 8) unaligned += ' ';
  unaligned.replace(0, 8, length_bytes(unaligned.size() - 8));
  unaligned.replace(unaligned.find(sum) + 12, 16, checksum_text(hash_bytes(unaligned)));
  std::string uppercase = metadata(good);
  for (int i = 0; std::ranges::none_of(uppercase.substr(uppercase.find(":\"") + 2, 16), ::isalpha); ++i) {
    uppercase = metadata(good + ",\"i\":\"" + std::to_string(i) + '"');
  }
  const std::size_t digits = uppercase.find("\"checksum\":\"") + 12;
  std::transform(uppercase.begin() + digits, uppercase.begin() + digits + 16, uppercase.begin() + digits, ::toupper);

  return {
      // the container
      {"it is 0 bytes long", ""},
      {"it is 7 bytes long", "1234567"},
      {"does not begin with '{'", length_bytes(0)},
      {"header would be 9223372036854775808 bytes", length_bytes(std::uint64_t{1} << 63) + "{}"},
      {"header would be 18446744073709551615 bytes", length_bytes(~std::uint64_t{0}) + "{}"},
      {"at most 2 are possible", length_bytes(3) + "{}"},
      {"at most 67108864 are possible", length_bytes(67108865) + std::string(67108870, ' ')},
      {"does not begin with '{'", file_of("[1]", "")},
      {"does not begin with '{'", file_of("\xef\xbb\xbf{}", "")},
      {"NUL byte", file_of(std::string("{}\0", 3), "")},
      {"no JSON", file_of("{\"a", "")},
      {"no JSON", file_of("{}{}", "")},
      {"no JSON", metadata(good + ",\"x\":\"\xff\"")},
      {"no JSON", array(R"("dtype":"U8","shape":[1e999],"data_offsets":[0,1])", 1)},
      {"multiple of 64", unaligned},
      // metadata
      {"not a xylem model: its metadata has no format", file_of("{}", "")},
      {"not a xylem model: its metadata has no format", metadata("")},
      {"not a xylem model: its format is 'pt'", metadata(R"("format":"pt")")},
      {"not a xylem model: in its header, array 'w' has an unknown dtype 'I64'",
       file_of(R"({"w":{"dtype":"I64","shape":[1],"data_offsets":[0,8]}})", "12345678")},
      {"newer version of xylem: its format is 2, this program reads up to 1",
       metadata(sum + R"(,"format":"xylem","format_version":"2")")},
      {"newer version", file_of(R"({"__metadata__":{"format":"xylem","format_version":"7"},"new":[null]})", "")},
      {"format_version is missing", metadata(sum + R"(,"format":"xylem")")},
      {"format_version is '0'", metadata(sum + R"(,"format":"xylem","format_version":"0")")},
      {"format_version is '-1'", metadata(sum + R"(,"format":"xylem","format_version":"-1")")},
      {"format_version is '1 '", metadata(sum + R"(,"format":"xylem","format_version":"1 ")")},
      {"must hold one checksum", metadata(R"("format":"xylem","format_version":"1")")},
      {"must hold one checksum", metadata(R"("checksum" : "0","format":"xylem","format_version":"1")")},
      {"must hold one checksum", metadata(R"("checksum":"12","format":"xylem","format_version":"1")")},
      {"must hold one checksum", metadata(R"("format":"xylem","format_version":"1","checksum":"0000000000000000a")")},
      {"must hold one checksum", uppercase},
      {"the text 'checksum' stands there twice", metadata(good + "," + sum)},
      {"the text 'x' stands there twice", metadata(good + R"(,"x":"1","x":"1")")},
      {"a text is called ''", metadata(good + R"(,"":"1")")},
      {"the text 'x' is '-1', expected a string", metadata(good + R"(,"x":-1)")},
      {"the text 'x' is 'a number', expected a string", metadata(good + R"(,"x":1)")},
      {"the text 'x' is 'null', expected a string", metadata(good + R"(,"x":null)")},
      {"the text 'x' is 'a truth value', expected a string", metadata(good + R"(,"x":true)")},
      {"the text 'x' is 'an object', expected a string", metadata(good + R"(,"x":{})")},
      {"the text 'x' is 'a list', expected a string", metadata(good + R"(,"x":[])")},
      {"'__metadata__' is 'a string', expected an object", file_of(R"({"__metadata__":"xylem"})", "")},
      {"the name '__metadata__' stands there twice", file_with_arrays(R"("__metadata__":{})", "")},
      // nesting
      {"'x' is 'a list', expected an object", file_with_arrays("\"x\":" + repeat("[", 100'000), "")},
      {"is or holds 'an object'", file_with_arrays(repeat("\"shape\":{", 100'000), "")},
      {"the shape of array 'a' is or holds 'a list'", array("\"shape\":" + repeat("[", 100'000), 0)},
      // arrays
      {"'a' is 'a number', expected an object", file_with_arrays("\"a\":1", "")},
      {"an array is called 'a\\x00'", file_with_arrays(R"("a\u0000":{})", "")},
      {"an array is called 'a\"'", file_with_arrays(R"("a\"":{})", "")},
      {"the name 'a' stands there twice",
       file_with_arrays(R"("a":{"dtype":"U8","shape":[0],"data_offsets":[0,0]},"a":{})", "")},
      {"needs dtype, shape and data_offsets", array("", 0)},
      {"needs dtype, shape and data_offsets", array(R"("shape":[0],"data_offsets":[0,0])", 0)},
      {"needs dtype, shape and data_offsets", array(R"("dtype":"U8","data_offsets":[0,0])", 0)},
      {"needs dtype, shape and data_offsets", array(R"("dtype":"U8","shape":[0])", 0)},
      {"array 'a' has an unknown key 'more'", array(R"("more":"U8")", 0)},
      {"array 'a' has two keys 'shape'", array(R"("shape":[1],"shape":[1])", 0)},
      {"array 'a' has an unknown dtype 'u8'", array(R"("dtype":"u8","shape":[1],"data_offsets":[0,1])", 1)},
      {"the dtype of array 'a' is or holds 'a number'", array(R"("dtype":8)", 0)},
      {"the dtype of array 'a' is or holds 'a list'", array(R"("dtype":["U8"])", 0)},
      {"the shape of array 'a' is or holds 'a string'", array(R"("shape":"1")", 0)},
      {"the shape of array 'a' is or holds 'a string'", array(R"("shape":["1"])", 0)},
      {"the shape of array 'a' is or holds 'a number'", array(R"("shape":1)", 0)},
      {"the shape of array 'a' is or holds '1.0'", array(R"("dtype":"U8","shape":[1.0],"data_offsets":[0,1])", 1)},
      {"the shape of array 'a' is or holds '1e0'", array(R"("dtype":"U8","shape":[1e0],"data_offsets":[0,1])", 1)},
      {"the shape of array 'a' is or holds '-1'", array(R"("dtype":"U8","shape":[-1],"data_offsets":[0,1])", 1)},
      {"the shape of array 'a' is or holds '18446744073709551616'", array(R"("shape":[18446744073709551616])", 0)},
      {"more than 8 numbers", array(R"("shape":[1,1,1,1,1,1,1,1,1])", 1)},
      {"data_offsets of array 'a' are []", array(R"("data_offsets":[])", 0)},
      {"data_offsets of array 'a' are [0, 1, 2]", array(R"("data_offsets":[0,1,2])", 0)},
      {"data_offsets of array 'a' are [1, 0]", array(R"("data_offsets":[1,0])", 0)},
      {"array 'a' has 8 bytes, its shape needs 4611686018427387904 times 4",
       array(R"("dtype":"F32","shape":[4611686018427387904],"data_offsets":[0,8])", 8)},
      {"array 'a' has 0 bytes, its shape needs 4611686018427387904 times 4",
       array(R"("dtype":"F32","shape":[4611686018427387904],"data_offsets":[0,0])", 0)},
      {"array 'a' has 0 bytes, its shape needs more than 2^64",
       array(R"("dtype":"U8","shape":[4294967296,4294967296],"data_offsets":[0,0])", 0)},
      {"array 'a' has 4611686018427387904 bytes, the file holds 8 more",
       array(R"("dtype":"U8","shape":[4611686018427387904],"data_offsets":[0,4611686018427387904])", 8)},
      {"array 'a' has 18446744073709551615 bytes, the file holds 8 more",
       array(R"("dtype":"U8","shape":[18446744073709551615],"data_offsets":[0,18446744073709551615])", 8)},
      {"array 'a' has 3 bytes, its shape needs 1 times 4",
       array(R"("dtype":"F32","shape":[1],"data_offsets":[0,3])", 3)},
      {"array 'a' begins at 1, expected 0", array(R"("dtype":"U8","shape":[1],"data_offsets":[1,2])", 2)},
      {"array 'b' begins at 2, expected 1, where the one before ends",
       file_with_arrays(R"("b":{"dtype":"U8","shape":[1],"data_offsets":[2,3]},)"
                        R"("a":{"dtype":"U8","shape":[1],"data_offsets":[0,1]})",
                        "123")},
      {"array 'b' begins at 1, expected 2, where the one before ends",
       file_with_arrays(R"("a":{"dtype":"U8","shape":[2],"data_offsets":[0,2]},)"
                        R"("b":{"dtype":"U8","shape":[2],"data_offsets":[1,3]})",
                        "123")},
      {"array 'b' begins at 1, expected a multiple of 4",
       file_with_arrays(R"("a":{"dtype":"U8","shape":[1],"data_offsets":[0,1]},)"
                        R"("b":{"dtype":"F32","shape":[1],"data_offsets":[1,5]})",
                        "12345")},
      {"the arrays have 1 bytes, the file holds 2", array(R"("dtype":"U8","shape":[1],"data_offsets":[0,1])", 2)},
      {"the arrays have 0 bytes, the file holds 1", file_with_arrays("", "1")},
  };
}

TEST_F(ModelReaderTest, CraftedFilesAreRefusedWithTheReason) {
  for (const Bad& bad : bad_files()) {
    const std::string said = complaint(bad.bytes);
    EXPECT_NE(said.find(bad.what), std::string::npos)
        << "expected: " << bad.what << "\nsaid:     " << said << "\nfile:     " << bad.bytes.substr(0, 300);
  }
}

TEST_F(ModelReaderTest, AnyOrderOfKeysAndBlanksBetweenThemAreAccepted) {
  const std::string bytes = file_of(
      "{ \"b\" : {\"shape\":[ ],\n\"data_offsets\":[4,5], \"dtype\":\"U8\"}, \"e\":{\"dtype\":\"F64\",\"shape\":[3,0],"
      "\"data_offsets\":[0,0]}, \"a\":{\"dtype\":\"F32\",\"shape\":[1],\"data_offsets\":[0,4]},\"__metadata__\":{" +
          std::string(kNoChecksum) + ",\"format_version\":\"1\",\"format\":\"xylem\"}}",
      "12345");
  EXPECT_EQ(complaint(bytes), "");
  const ModelReader reader(path());
  EXPECT_EQ(reader.array<std::uint8_t>("b", 1)[0], '5');
  EXPECT_EQ(reader.array<double>("e").size(), 0U);
}

TEST_F(ModelReaderTest, MissingTextAndArrayAreNamed) {
  put(small_model(path()));
  const ModelReader reader(path());
  EXPECT_EQ(complaint([&] { (void)reader.text("card"); }), "damaged: it has no text 'card'");
  EXPECT_EQ(complaint([&] { (void)reader.array<float>("w"); }), "damaged: it has no array 'w'");
  EXPECT_EQ(complaint([&] { (void)reader.array<float>("ids"); }), "damaged: array 'ids' is U32, expected F32");
  EXPECT_EQ(complaint([&] { (void)reader.array<std::uint32_t>("ids", 4); }),
            "damaged: array 'ids' has 3 elements, expected 4");
}

TEST_F(ModelReaderTest, NumbersAreWholeAndWithinTheirBound) {
  ModelWriter writer;
  writer.text("n", "17");
  writer.text("most", "18446744073709551615");
  for (const std::string bad : {"", "-1", "+1", " 1", "1 ", "1.0", "0x1", "18446744073709551616"}) {
    writer.text("bad" + bad, bad);
  }
  writer.write(path(), IfExists::kFail);
  const ModelReader reader(path());
  EXPECT_EQ(reader.number("n", 17), 17U);
  EXPECT_EQ(complaint([&] { (void)reader.number("n", 16); }), "damaged: 'n' is '17', expected a whole number up to 16");
  constexpr auto kMost = std::numeric_limits<std::uint64_t>::max();
  EXPECT_EQ(reader.number("most", kMost), kMost);
  for (const auto& entry : reader.texts()) {
    if (!entry.first.starts_with("bad")) continue;
    EXPECT_NE(complaint([&] { (void)reader.number(entry.first, kMost); }), "") << entry.first;
  }
}

TEST_F(ModelReaderTest, OffsetsMustRiseFromZeroToTheEnd) {
  using V = std::vector<std::uint64_t>;
  const auto said = [&](V values, std::uint64_t n, std::uint64_t end) {
    const ModelReader reader = reader_of(std::move(values));
    return complaint([&] { (void)reader.offsets("a", n, end); });
  };
  constexpr auto kMost = std::numeric_limits<std::uint64_t>::max();
  EXPECT_EQ(said({0}, 0, 0), "");
  EXPECT_EQ(said({0, 0, 3, 3}, 3, 3), "");
  EXPECT_EQ(said({0, kMost}, 1, kMost), "");
  EXPECT_EQ(said({}, 0, 0), "damaged: array 'a' has 0 elements, expected 1 more than 0");
  EXPECT_EQ(said({}, kMost, 0), "damaged: array 'a' has 0 elements, expected 1 more than 18446744073709551615");
  EXPECT_EQ(said({0, 1}, 2, 1), "damaged: array 'a' has 2 elements, expected 1 more than 2");
  EXPECT_EQ(said({1, 1}, 1, 1), "damaged: a[0] is 1, expected 0");
  EXPECT_EQ(said({0, 1}, 1, 2), "damaged: a[1] is 1, expected 2");
  EXPECT_EQ(said({0, 2, 1, 2}, 3, 2), "damaged: a[2] is 1, expected at least 2, the one before");
  EXPECT_EQ(said({0, kMost, 2}, 2, 2), "damaged: a[2] is 2, expected at least 18446744073709551615, the one before");
  EXPECT_EQ(said({0, std::uint64_t{1} << 63, 2}, 2, 2),
            "damaged: a[2] is 2, expected at least 9223372036854775808, the one before");
}

TEST_F(ModelReaderTest, IdsMustBeBelowTheirBound) {
  const ModelReader reader = reader_of<std::uint32_t>({4, 0, 4294967295, 7});
  EXPECT_EQ(complaint([&] { (void)reader.ids("a", 4, std::uint64_t{1} << 32); }), "");
  EXPECT_EQ(complaint([&] { (void)reader.ids("a", 4, 4294967295); }),
            "damaged: a[2] is 4294967295, expected less than 4294967295");
  EXPECT_EQ(complaint([&] { (void)reader.ids("a", 4, 0); }), "damaged: a[0] is 4, expected less than 0");
  EXPECT_EQ(complaint([&] { (void)reader.ids("a", 5, 0); }), "damaged: array 'a' has 4 elements, expected 5");
  EXPECT_EQ(reader_of<std::uint32_t>({}).ids("a", 0, 0).size(), 0U);
}

TEST_F(ModelReaderTest, FloatsMustBeFinite) {
  constexpr float kInfinity = std::numeric_limits<float>::infinity();
  constexpr float kLargest = std::numeric_limits<float>::max();
  const auto said = [&](std::vector<float> values) {
    const ModelReader reader = reader_of(values);
    return complaint([&] { (void)reader.finite("a", values.size()); });
  };
  EXPECT_EQ(said({}), "");
  EXPECT_EQ(said({0, -0.0F, kLargest, -kLargest, 1e-45F}), "");
  EXPECT_EQ(said({0, kInfinity}), "damaged: a[1] is inf, expected a finite number");
  EXPECT_EQ(said({-kInfinity}), "damaged: a[0] is -inf, expected a finite number");
  EXPECT_EQ(said({0, 1, std::numeric_limits<float>::quiet_NaN()}), "damaged: a[2] is nan, expected a finite number");
  EXPECT_NE(said({-std::numeric_limits<float>::signaling_NaN()}), "");
}

// Several chunks, so that threads share the work.
TEST_F(ModelReaderTest, FirstMistakeOfALargeArrayIsReportedForAnyNumberOfThreads) {
  constexpr std::size_t kSize = 3'000'000;
  std::vector<std::uint32_t> ids(kSize, 5);
  for (std::size_t i = 1'234'567; i < kSize; i += 1000) ids[i] = 10;
  std::vector<std::uint64_t> offsets(kSize + 1);
  for (std::size_t i = 0; i <= kSize; ++i) offsets[i] = i;
  for (std::size_t i = 2'000'000; i < kSize; i += 1000) offsets[i] = 0;
  for (const int threads : {1, 2, 5}) {
    with_threads(threads, [&] {
      const ModelReader id_reader = reader_of(ids);
      EXPECT_EQ(complaint([&] { (void)id_reader.ids("a", kSize, 10); }),
                "damaged: a[1234567] is 10, expected less than 10");
      EXPECT_EQ(complaint([&] { (void)id_reader.ids("a", kSize, 11); }), "");
      const ModelReader offset_reader = reader_of(offsets);
      EXPECT_EQ(complaint([&] { (void)offset_reader.offsets("a", kSize, kSize); }),
                "damaged: a[2000000] is 0, expected at least 1999999, the one before");
    });
  }
}

TEST_F(ModelReaderTest, StringsNeedOffsetsThatFitTheirBytes) {
  const auto said = [&](std::vector<std::uint64_t> offsets) {
    ModelWriter writer;
    writer.array("s.bytes", Array(std::vector<std::uint8_t>{'a', 'b'}));
    writer.array("s.offsets", Array(std::move(offsets)));
    writer.write(path(), IfExists::kReplace);
    const ModelReader reader(path());
    return complaint([&] { (void)reader.strings("s"); });
  };
  EXPECT_EQ(said({0, 2}), "");
  EXPECT_NE(said({}), "");
  EXPECT_NE(said({0}), "");
  EXPECT_NE(said({0, 1}), "");
  EXPECT_NE(said({0, 3}), "");
  EXPECT_NE(said({0, 3, 2}), "");
  EXPECT_EQ(complaint([&] { (void)ModelReader(path()).strings("t"); }), "damaged: it has no array 't.bytes'");
}

}  // namespace
}  // namespace xylem
