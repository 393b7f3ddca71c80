// SPDX-License-Identifier: Apache-2.0
#include "core/text.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <numeric>

#include "core/numbers.h"

namespace xylem {
namespace {

std::size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 1; i <= a.size(); ++i) {
    std::size_t diagonal = row[0];
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t replaced = diagonal + (a[i - 1] != b[j - 1]);
      diagonal = row[j];
      row[j] = std::min({row[j] + 1, row[j - 1] + 1, replaced});
    }
  }
  return row.back();
}

struct Unit {
  std::string_view name;
  std::uint64_t bytes;
};
constexpr Unit kUnits[] = {{"T", 1'000'000'000'000}, {"G", 1'000'000'000}, {"M", 1'000'000}, {"K", 1'000}};

}  // namespace

std::string nearest_name_hint(std::string_view name, std::span<const std::string> candidates) {
  const std::string* best = nullptr;
  std::size_t best_distance = std::max<std::size_t>(2, name.size() / 2) + 1;  // farther is no misspelling
  for (const std::string& candidate : candidates) {
    const std::size_t distance = edit_distance(name, candidate);
    if (distance < best_distance) {
      best = &candidate;
      best_distance = distance;
    }
  }
  return best == nullptr ? "" : fmt::format(" (did you mean '{}'?)", *best);
}

std::string quote(std::string_view text) {
  constexpr std::size_t kLongest = 40;
  std::string result = "'";
  for (const char c : text.substr(0, kLongest)) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte < 32 || byte > 126) {
      result += fmt::format("\\x{:02x}", byte);
    } else {
      result += c;
    }
  }
  return result + (text.size() > kLongest ? "...'" : "'");
}

std::string quote_name(std::string_view name) {
  constexpr std::size_t kLongest = 40;
  const auto byte_at = [&](std::size_t i) { return i < name.size() ? static_cast<unsigned char>(name[i]) : 0u; };
  std::string result = "'";
  std::size_t i = 0;
  for (; i < name.size() && (i < kLongest || (byte_at(i) & 0xc0) == 0x80); ++i) {  // to the end of a character
    const unsigned byte = byte_at(i), next = byte_at(i + 1);
    const bool second_controls = byte == 0xc2 && next >= 0x80 && next < 0xa0;  // U+0080 .. U+009F
    if (byte < 32 || byte == 127 || second_controls) {
      result += fmt::format("\\x{:02x}", second_controls ? next : byte);
      i += second_controls;
    } else {
      result += name[i];
    }
  }
  return result + (i < name.size() ? "...'" : "'");
}

std::string format_bytes(std::uint64_t bytes) {
  for (const Unit& unit : kUnits) {
    if (bytes >= unit.bytes - unit.bytes / 20'000) {  // from 999.95 on, the smaller unit would print 1000.0
      return fmt::format("{:.1f} {}B", static_cast<double>(bytes) / static_cast<double>(unit.bytes), unit.name);
    }
  }
  return fmt::format("{} bytes", bytes);
}

std::optional<std::uint64_t> parse_bytes(std::string_view text) {
  if (text.size() > 1 && text.back() == 'B') text.remove_suffix(1);
  double unit_bytes = 1;
  for (const Unit& unit : kUnits) {
    if (!text.empty() && text.back() == unit.name.front()) {
      unit_bytes = static_cast<double>(unit.bytes);
      text.remove_suffix(1);
      break;
    }
  }
  const auto value = parse_number<double>(text);
  if (!value || *value < 0 || *value * unit_bytes > 1e18) return std::nullopt;
  return static_cast<std::uint64_t>(*value * unit_bytes);
}

std::string without_trailing_blanks(std::string text) {
  text.erase(text.find_last_not_of(' ') + 1);
  return text;
}

std::string as_field(std::string_view text) {
  std::string field(text);
  std::ranges::replace_if(
      field, [](unsigned char c) { return c < ' '; }, ' ');
  return field;
}

std::vector<std::string_view> split(std::string_view text, char separator) {
  std::vector<std::string_view> parts;
  while (!text.empty()) {
    const std::size_t end = text.find(separator);
    parts.push_back(text.substr(0, end));
    if (end == std::string_view::npos) break;
    text.remove_prefix(end + 1);
    if (text.empty()) parts.push_back(text);
  }
  return parts;
}

}  // namespace xylem
