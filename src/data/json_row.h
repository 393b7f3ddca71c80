// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "data/json_scanner.h"
#include "data/text_row.h"

namespace xylem {

// Rows of JSONL: the text, or title and content; labels; id. Of several keys for the same thing the first of `keys`
// counts, of the same key twice the last. null is as good as no key, other keys are ignored. Kept from row to row for
// its memory.
class JsonRowParser {
 public:
  explicit JsonRowParser(const JsonKeys& keys)
      : keys_(keys), texts_(keys.text.size()), ids_(keys.ids.size()), labels_(keys.labels.size()) {}

  // `plain`: the line is printable ASCII.
  void parse(std::string_view line, bool plain, TextRow& row);

 private:
  struct Value {
    bool given = false;
    std::string text;
  };
  struct Labels {
    bool given = false;
    bool one_string = false;  // not a list
    TextList names;
  };
  void member(JsonScanner& json);
  std::string expected_text() const;
  void text_value(JsonScanner& json, Value& value);
  void id_value(JsonScanner& json, Value& value);
  void labels_value(JsonScanner& json, Labels& labels);
  bool label(JsonScanner& json);
  void label_object(JsonScanner& json);

  const JsonKeys& keys_;
  Value title_, content_;
  std::vector<Value> texts_, ids_;
  std::vector<Labels> labels_;
  std::string key_, name_, uri_;
};

}  // namespace xylem
