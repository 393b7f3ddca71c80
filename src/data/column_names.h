// SPDX-License-Identifier: Apache-2.0
// What people call the columns of tables and the keys of JSON objects.
#pragma once

#include <algorithm>
#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace xylem {

// In lower case, by precedence.
std::span<const std::string_view> known_text_names();
std::span<const std::string_view> known_label_names();
std::span<const std::string_view> known_id_names();
constexpr std::string_view kTitleName = "title";

// The place of `name` among `names`, as it is written; their number if it is not there.
std::size_t place_of(std::string_view name, const auto& names) {
  return static_cast<std::size_t>(std::find(names.begin(), names.end(), name) - names.begin());
}

// In lower case as far as ASCII goes, without blanks around it.
std::string folded_name(std::string_view name);

// Which of `names` is the first of `known`, whatever their case; nothing if none is known, or only the one at `except`.
std::optional<std::size_t> find_known(std::span<const std::string> names, std::span<const std::string_view> known,
                                      std::optional<std::size_t> except = {});

// Which of `names` the user means: the one that is written so, or so but for case and blanks; nothing if there is none.
std::optional<std::size_t> find_name(std::span<const std::string> names, std::string_view wanted);

// "'a', 'b' and 'c'", at most ten of them.
std::string list_names(std::span<const std::string> names);

}  // namespace xylem
