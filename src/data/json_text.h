// SPDX-License-Identifier: Apache-2.0
// JSON strings as they are written, and back.
#pragma once

#include <string>
#include <string_view>

#include "xylem/text_list.h"

namespace xylem {

// Appends `text`, which is UTF-8, as a JSON string with its quotes.
void append_json_string(std::string_view text, std::string& out);

// What people see of a JSON string or number: the string without quotes and escapes, the number as it is written. The
// token is one that append_json_string or JsonScanner::number has made.
std::string json_token_text(std::string_view token);
// The same for each of a list, whose empty ones stay empty.
TextList json_token_texts(const TextList& tokens);

}  // namespace xylem
