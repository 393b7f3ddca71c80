// SPDX-License-Identifier: Apache-2.0
#include "data/json_row.h"

#include <fmt/format.h>

#include <algorithm>

#include "data/column_names.h"
#include "data/json_text.h"
#include "data/label_key.h"
#include "data/number_token.h"

namespace xylem {
namespace {

template <class Values>
auto first_given(Values& values) {
  return std::find_if(values.begin(), values.end(), [](const auto& value) { return value.given; });
}

// ['a', "b"] in one string, as programs print their lists; [a] may be a name.
bool is_printed_list(std::string_view labels) {
  if (list_content(labels).empty()) return false;
  return labels == "[]" || labels[1] == '\'' || labels[1] == '"';
}

}  // namespace

void JsonRowParser::parse(std::string_view line, bool plain, TextRow& row) {
  for (Value* value : {&title_, &content_}) value->given = false;
  for (std::vector<Value>* values : {&texts_, &ids_}) {
    for (Value& value : *values) value.given = false;
  }
  for (Labels& labels : labels_) labels.given = false;

  JsonScanner json(line, plain);
  if (!json.take('{')) json.bad("a JSON object: '{'");
  if (!json.take('}')) {
    do {
      if (json.peek() == '}') json.bad("another key: JSON has no comma before '}'");
      member(json);
    } while (json.take(','));
    if (!json.take('}')) json.bad("',' or '}'");
  }
  json.expect_end();

  if (const auto text = first_given(texts_); text != texts_.end()) {
    row.text.swap(text->text);
  } else if (title_.given || content_.given) {
    join_title(title_.given ? title_.text : "", content_.given ? content_.text : "", row);
  } else {
    throw BadRow{"found no text, expected the key " + expected_text()};
  }
  if (const auto id = first_given(ids_); id != ids_.end()) row.id.swap(id->text);
  if (const auto labels = first_given(labels_); labels != labels_.end()) {
    std::swap(row.labels, labels->names);
    if (labels->one_string && row.labels.size() == 1 && row.labels[0].find_first_of(",;|") != std::string_view::npos) {
      row.joined_label = row.labels[0];
    }
  }
}

void JsonRowParser::member(JsonScanner& json) {
  key_.clear();
  json.string(key_);
  json.expect(':');
  if (const std::size_t i = place_of(key_, keys_.text); i < texts_.size()) return text_value(json, texts_[i]);
  if (!key_.empty() && key_ == keys_.title) return text_value(json, title_);
  if (!key_.empty() && key_ == keys_.content) return text_value(json, content_);
  if (const std::size_t i = place_of(key_, keys_.labels); i < labels_.size()) return labels_value(json, labels_[i]);
  if (const std::size_t i = place_of(key_, keys_.ids); i < ids_.size()) return id_value(json, ids_[i]);
  json.skip_value();
}

std::string JsonRowParser::expected_text() const {
  std::vector<std::string> keys = keys_.text;
  for (const std::string* key : {&keys_.title, &keys_.content}) {
    if (!key->empty()) keys.push_back(*key);
  }
  std::string list;
  for (std::size_t i = 0; i < keys.size(); ++i) {
    list += fmt::format("{}\"{}\"", i == 0 ? "" : i + 1 < keys.size() ? ", " : " or ", keys[i]);
  }
  return list;
}

void JsonRowParser::text_value(JsonScanner& json, Value& value) {
  value.given = !json.take_null();
  if (!value.given) return;
  if (json.peek() != '"') json.bad(fmt::format("a string for \"{}\"", key_));
  value.text.clear();
  json.string(value.text);
}

void JsonRowParser::id_value(JsonScanner& json, Value& value) {
  value.given = !json.take_null();
  if (!value.given) return;
  value.text.clear();
  if (json.peek() == '"') {
    name_.clear();
    json.string(name_);
    append_json_string(name_, value.text);
  } else if (json.at_number()) {
    value.text = json.number();
  } else {
    json.bad(fmt::format("a string or a number for \"{}\"", key_));
  }
}

// A list of labels, or one by itself.
void JsonRowParser::labels_value(JsonScanner& json, Labels& labels) {
  labels.names.clear();
  labels.given = !json.take_null();
  labels.one_string = false;
  if (!labels.given) return;
  if (!json.take('[')) {
    labels.one_string = json.peek() == '"';
    if (labels.one_string && keys_.label_separator) {
      name_.clear();
      json.string(name_);
      return split_labels(name_, {LabelSyntax::kSeparated, *keys_.label_separator}, labels.names);
    }
    if (json.peek() == '{' || !label(json)) json.bad(fmt::format("a list of labels for \"{}\"", key_));
    if (labels.one_string && is_printed_list(name_)) {
      labels.one_string = false;
      return split_labels(name_, {LabelSyntax::kList}, labels.names);
    }
    labels.names.push_back(name_);
    return;
  }
  if (json.take(']')) return;
  do {
    if (!label(json)) json.bad("a label: a string, a number or an object with \"label\" or \"uri\"");
    labels.names.push_back(name_);
  } while (json.take(','));
  if (!json.take(']')) json.bad("',' or ']'");
}

// Puts the label that comes next into name_; false where none comes.
bool JsonRowParser::label(JsonScanner& json) {
  name_.clear();
  const char next = json.peek();
  if (next == '"') {
    json.string(name_);
  } else if (json.at_number()) {
    name_ = json.number();
  } else if (next == '{') {
    label_object(json);
  } else {
    return false;
  }
  if (name_.empty()) throw BadRow{"found an empty label, expected a name"};
  return true;
}

// Annif's subjects: the label and its URI, or one of them.
void JsonRowParser::label_object(JsonScanner& json) {
  uri_.clear();
  json.expect('{');
  if (!json.take('}')) {
    std::string key;
    do {
      key.clear();
      json.string(key);
      json.expect(':');
      std::string* const value = key == "label" ? &name_ : key == "uri" || key == "id" ? &uri_ : nullptr;
      if (value == nullptr) {
        json.skip_value();
        continue;
      }
      value->clear();
      if (json.take_null()) continue;
      if (json.at_number()) {
        *value = json.number();
      } else {
        json.string(*value);
      }
    } while (json.take(','));
    if (!json.take('}')) json.bad("',' or '}'");
  }
  if (name_.empty()) name_.swap(uri_);
  add_label_id(uri_, name_);
}

}  // namespace xylem
