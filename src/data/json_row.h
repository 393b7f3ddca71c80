// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <string>
#include <string_view>

#include "data/json_scanner.h"
#include "data/text_row.h"

namespace xylem {

// Rows of JSONL: `text`, or `title` and `content`; `labels`, Annif's `subjects` or the XML repository's `target_ind`;
// `id`, `document_id` or `uid`. Of several keys for the same thing the first of these counts, of the same key twice the
// last. null is as good as no key, other keys are ignored. Kept from row to row for its memory.
class JsonRowParser {
 public:
  // `plain`: the line is printable ASCII.
  void parse(std::string_view line, bool plain, TextRow& row);

 private:
  struct Value {
    bool given = false;
    std::string text;
  };
  struct Labels {
    bool given = false;
    TextList names;
  };
  void member(JsonScanner& json);
  void text_value(JsonScanner& json, Value& value);
  void id_value(JsonScanner& json, Value& value);
  void labels_value(JsonScanner& json, Labels& labels);
  bool label(JsonScanner& json);
  void label_object(JsonScanner& json);

  Value text_, title_, content_;
  std::array<Value, 3> ids_;
  std::array<Labels, 3> labels_;
  std::string key_, name_, uri_;
};

}  // namespace xylem
