// SPDX-License-Identifier: Apache-2.0
// The JSON parser against nlohmann's, on random documents: right ones, and the same with a few bytes changed.
#include "data/json_row.h"

#include <gtest/gtest.h>

#include <array>
#include <nlohmann/json.hpp>
#include <optional>

#include "core/random.h"
#include "data/json_text.h"
#include "data/label_key.h"
#include "data/utf8.h"

namespace xylem {
namespace {

using Json = nlohmann::json;

std::string random_string(Random& random) {
  static const std::vector<std::string> kPieces = {"a", "word ", "ü", "\"", "\\", "\n", "\t", "\x01", "😀", "€", "/"};
  std::string text;
  for (std::size_t i = random.below(6); i > 0; --i) text += kPieces[random.below(kPieces.size())];
  return text;
}

Json random_value(Random& random, int depth) {
  switch (random.below(depth > 0 ? 8 : 6)) {
    case 0:
      return nullptr;
    case 1:
      return random.below(2) == 0;
    case 2:
      return static_cast<int>(random.below(2000)) - 1000;
    case 3:
      return random.normal() * 1e-7;
    case 4:
    case 5:
      return random_string(random);
    case 6: {
      Json list = Json::array();
      for (std::size_t i = random.below(4); i > 0; --i) list.push_back(random_value(random, depth - 1));
      return list;
    }
    default: {
      Json object = Json::object();
      static const std::vector<std::string> kKeys = {"label", "uri", "x", "y\n"};
      for (std::size_t i = random.below(4); i > 0; --i) {
        object[kKeys[random.below(kKeys.size())]] = random_value(random, depth - 1);
      }
      return object;
    }
  }
}

std::string random_document(Random& random) {
  static const std::vector<std::string> kKeys = {"text", "title", "content", "labels", "subjects", "id", "uid", "more"};
  Json object = Json::object();
  object["text"] = random_string(random);
  for (std::size_t i = random.below(4); i > 0; --i) {
    const std::string& key = kKeys[random.below(kKeys.size())];
    if (key == "labels" || key == "subjects") {
      Json list = Json::array();
      for (std::size_t n = random.below(4); n > 0; --n) list.push_back(random_string(random));
      object[key] = list;
    } else {
      object[key] = random.below(4) > 0 ? Json(random_string(random)) : random_value(random, 3);
    }
  }
  return object.dump(-1, ' ', random.below(2) == 0);
}

std::optional<std::string> scalar(const Json& value) {
  if (value.is_string()) return value.get<std::string>();
  if (value.is_number()) return value.dump();
  return std::nullopt;
}

// Nothing where the document is to be refused. Numbers are compared as integers only: their text is kept as written.
std::optional<TextRow> row_twin(const std::string& line) {
  const Json json = Json::parse(line, nullptr, false);
  if (!json.is_object()) return std::nullopt;
  const auto given = [&](const char* key) { return json.contains(key) && !json[key].is_null(); };
  TextRow row;
  for (const char* key : {"text", "title", "content"}) {
    if (given(key) && !json[key].is_string()) return std::nullopt;
  }
  if (!given("text") && !given("title") && !given("content")) return std::nullopt;
  const auto string = [&](const char* key) { return given(key) ? json[key].get<std::string>() : std::string(); };
  const std::string title = string("title"), content = string("content");
  row.text = given("text") ? string("text") : title + (title.empty() || content.empty() ? "" : "\n") + content;
  for (const char* key : {"uid", "document_id", "id"}) {
    if (!given(key)) continue;
    const auto id = scalar(json[key]);
    if (!id) return std::nullopt;
    row.id = json[key].dump();
  }
  for (const char* key : {"target_ind", "subjects", "labels"}) {
    if (!given(key)) continue;
    row.labels.clear();
    if (json[key].is_object()) return std::nullopt;
    const Json list = json[key].is_array() ? json[key] : Json::array({json[key]});
    for (const Json& entry : list) {
      std::optional<std::string> name = scalar(entry);
      if (entry.is_object()) {
        std::array<std::string, 2> parts;
        for (const std::size_t i : {0, 1}) {
          const char* part = i == 0 ? "label" : "uri";
          if (!entry.contains(part) || entry[part].is_null()) continue;
          const auto value = scalar(entry[part]);
          if (!value) return std::nullopt;
          parts[i] = *value;
        }
        const auto& [label, uri] = parts;
        name = label.empty() ? uri : label;
        if (!label.empty()) add_label_id(uri, *name);
      }
      if (!name || name->empty()) return std::nullopt;
      row.labels.push_back(*name);
    }
  }
  return row;
}

std::optional<TextRow> parsed(const std::string& line) {
  const JsonKeys keys;
  JsonRowParser parser(keys);
  TextRow row;
  try {
    parser.parse(line, is_plain_ascii(line), row);
  } catch (const BadRow& bad) {
    EXPECT_NE(bad.problem.find(", expected "), std::string::npos) << bad.problem;
    return std::nullopt;
  }
  return row;
}

void expect_agreement(const std::string& line) {
  const auto ours = parsed(line), theirs = row_twin(line);
  ASSERT_EQ(ours.has_value(), theirs.has_value()) << line;
  if (!ours) return;
  EXPECT_EQ(ours->text, theirs->text) << line;
  EXPECT_EQ(ours->labels, theirs->labels) << line;
  EXPECT_EQ(json_token_text(ours->id), json_token_text(theirs->id)) << line;
  if (!ours->id.empty()) {
    EXPECT_EQ(Json::parse(ours->id), Json::parse(theirs->id)) << line;
  }
}

TEST(JsonRow, AgreesWithItsTwinOnRandomDocuments) {
  for (std::uint64_t seed = 0; seed < 3000; ++seed) {
    Random random(seed, {3});
    expect_agreement(random_document(random));
  }
}

// Numbers are left alone: the row_twin forgets how they were written.
TEST(JsonRow, AgreesWithItsTwinOnDamagedDocuments) {
  int refused = 0;
  for (std::uint64_t seed = 0; seed < 10'000; ++seed) {
    Random random(seed, {4});
    std::string line = random_document(random);
    static const std::string kCharacters = "{}[],:\"\\ \tuntx";
    for (std::size_t i = random.below(3); i > 0; --i) {
      char& c = line[random.below(line.size())];
      if (static_cast<signed char>(c) >= 0 && (c < '+' || c > '9')) c = kCharacters[random.below(kCharacters.size())];
    }
    if (find_bad_utf8(line).size > 0) continue;
    expect_agreement(line);
    if (HasFailure()) FAIL() << "seed " << seed;
    refused += !row_twin(line);
  }
  EXPECT_GT(refused, 1000);
}

TEST(JsonRow, KeepsNumbersAsTheyAreWritten) {
  const auto row = parsed(R"({"text":"","labels":[1,-0,1.50,2e+3],"id":12345678901234567890123})");
  ASSERT_TRUE(row);
  EXPECT_EQ(row->labels.bytes, "1-01.502e+3");
  EXPECT_EQ(row->id, "12345678901234567890123");
}

TEST(JsonRow, ForgetsTheRowBefore) {
  const JsonKeys keys;
  JsonRowParser parser(keys);
  TextRow row;
  parser.parse(R"({"text":"x","labels":["a"],"id":1})", true, row);
  row.clear();
  parser.parse(R"({"title":"y"})", true, row);
  EXPECT_EQ(row.text, "y");
  EXPECT_EQ(row.labels.size(), 0U);
  EXPECT_EQ(row.id, "");
}

}  // namespace
}  // namespace xylem
