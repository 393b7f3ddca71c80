// SPDX-License-Identifier: Apache-2.0
#include "data/prediction_rows.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "core/numbers.h"
#include "core/text.h"
#include "data/column_names.h"
#include "data/format.h"
#include "data/json_scanner.h"
#include "data/label_key.h"
#include "data/number_token.h"

namespace xylem {
namespace {

constexpr std::string_view kFieldBlanks = " \t";

// By precedence.
constexpr std::array<std::string_view, 4> kLabelKeys = {"labels", "results", "suggestions", "subjects"};

// The next word of `line`, which then begins behind it; empty at the end.
std::string_view next_word(std::string_view& line) {
  const std::size_t begin = std::min(line.find_first_not_of(kFieldBlanks), line.size());
  const std::size_t end = std::min(line.find_first_of(kFieldBlanks, begin), line.size());
  const std::string_view word = line.substr(begin, end - begin);
  line.remove_prefix(end);
  return word;
}

float parse_score(std::string_view text) {
  // As a double first: a number too small for a float is 0, not an error.
  const std::optional<double> score = parse_number<double>(text);
  if (!score || !std::isfinite(static_cast<float>(*score))) {
    throw BadRow{fmt::format("found {}, expected a finite score", quote(text))};
  }
  return static_cast<float>(*score);
}

// What was found of scores in a row with so many labels so far.
void check_scores(const PredictedRow& row, std::size_t n_labels) {
  if (row.scores.empty() || row.scores.size() == n_labels) return;
  throw BadRow{"found a label without a score beside one that has a score, expected scores for all labels or none"};
}

class JsonPredictionParser {
 public:
  JsonPredictionParser(std::string_view line, PredictedRow& row) : json_(line, false), row_(row) {}

  void parse();

 private:
  void member();
  void document_id(std::size_t key);
  void labels(std::size_t key);
  void label();
  void label_object();
  std::string scalar(std::string_view expected);

  JsonScanner json_;
  PredictedRow& row_;
  std::string key_;
  std::size_t id_key_ = known_id_names().size(), label_key_ = kLabelKeys.size();  // the best so far
};

void JsonPredictionParser::parse() {
  json_.expect('{');
  if (!json_.take('}')) {
    do member();
    while (json_.take(','));
    if (!json_.take('}')) json_.bad("',' or '}'");
  }
  json_.expect_end();
  if (label_key_ == kLabelKeys.size()) throw BadRow{"found no predicted labels, expected the key \"labels\""};
}

void JsonPredictionParser::member() {
  key_.clear();
  json_.string(key_);
  json_.expect(':');
  const std::size_t id = place_of(folded_name(key_), known_id_names()), labels_at = place_of(key_, kLabelKeys);
  if (json_.take_null()) return;
  if (id <= id_key_ && id < known_id_names().size()) return document_id(id);
  if (labels_at <= label_key_ && labels_at < kLabelKeys.size()) return labels(labels_at);
  json_.skip_value();
}

std::string JsonPredictionParser::scalar(std::string_view expected) {
  std::string text;
  if (json_.peek() == '"') {
    json_.string(text);
  } else if (json_.at_number()) {
    text = json_.number();
  } else {
    json_.bad(expected);
  }
  return text;
}

void JsonPredictionParser::document_id(std::size_t key) {
  id_key_ = key;
  row_.document_id = scalar("a string or a number for the document's id");
}

void JsonPredictionParser::labels(std::size_t key) {
  label_key_ = key;
  row_.labels.clear();
  row_.scores.clear();
  if (!json_.take('[')) json_.bad(fmt::format("a list of labels for \"{}\"", key_));
  if (json_.take(']')) return;
  do label();
  while (json_.take(','));
  if (!json_.take(']')) json_.bad("',' or ']'");
}

void JsonPredictionParser::label() {
  if (json_.peek() == '{') {
    label_object();
  } else {
    row_.labels.push_back(scalar("a label: a string, a number or an object with \"label\""));
  }
  check_scores(row_, row_.labels.size());
  if (row_.labels[row_.labels.size() - 1].empty()) throw BadRow{"found an empty label, expected a name"};
}

void JsonPredictionParser::label_object() {
  std::string name, id;
  json_.expect('{');
  if (!json_.take('}')) {
    std::string key;
    do {
      key.clear();
      json_.string(key);
      json_.expect(':');
      if (json_.take_null()) continue;
      if (key == "score") {
        if (!json_.at_number()) json_.bad("a number for \"score\"");
        row_.scores.push_back(parse_score(json_.number()));
      } else if (key == "label") {
        name = scalar("a string for \"label\"");
      } else if (key == "id" || key == "uri") {
        id = scalar("a string for the label's identifier");
      } else {
        json_.skip_value();
      }
    } while (json_.take(','));
    if (!json_.take('}')) json_.bad("',' or '}'");
  }
  if (name.empty()) name.swap(id);
  add_label_id(id, name);
  row_.labels.push_back(name);
}

}  // namespace

void parse_fasttext_predictions(std::string_view line, PredictedRow& row) {
  for (std::string_view word = next_word(line); !word.empty(); word = next_word(line)) {
    if (word.starts_with(kFasttextPrefix)) {
      check_scores(row, row.labels.size());
      if (word == kFasttextPrefix)
        throw BadRow{"found '__label__' without a name, expected a label like '__label__name'"};
      row.labels.push_back(word.substr(kFasttextPrefix.size()));
    } else if (row.scores.size() + 1 == row.labels.size()) {
      row.scores.push_back(parse_score(word));
    } else {
      throw BadRow{fmt::format("found {}, expected a label like '__label__name'", quote(word))};
    }
  }
  check_scores(row, row.labels.size());
}

void parse_json_predictions(std::string_view line, PredictedRow& row) {
  JsonPredictionParser(line, row).parse();
}

}  // namespace xylem
