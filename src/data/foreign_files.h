// SPDX-License-Identifier: Apache-2.0
// Files that are no lines of UTF-8 at all, known by their first bytes.
#pragma once

#include <string>
#include <string_view>

namespace xylem {

// What a file is that begins with `bytes`, and what to do with it, as a sentence "found ..., expected ..."; empty if it
// may be lines of text.
std::string foreign_file_problem(std::string_view bytes);

// The same for lines that end in a carriage return alone, as they did on old Macs.
std::string line_end_problem(std::string_view bytes);

// Throws kData with that sentence. If `any_line` is a text, it may be full of carriage returns. `name` is for the
// message.
void refuse_foreign_file(std::string_view bytes, bool any_line, const std::string& name);

}  // namespace xylem
