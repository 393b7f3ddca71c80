// SPDX-License-Identifier: Apache-2.0
// Which keys JSON objects have for text, labels and id.
#include <fmt/format.h>

#include <algorithm>
#include <unordered_set>

#include "data/column_names.h"
#include "data/format_hints.h"
#include "data/json_scanner.h"
#include "data/layout_parts.h"
#include "data/number_token.h"
#include "data/trimmed.h"
#include "data/utf8.h"

namespace xylem {
namespace {

// The keys of all objects, in the order in which they first occur, and the first character of their first values.
struct Keys {
  std::vector<std::string> names;
  std::string values;
  std::unordered_set<std::string> seen;

  void add(std::string name, char value) {
    if (!seen.insert(name).second) return;
    names.push_back(std::move(name));
    values += value;
  }
  bool has(const std::string& name) const { return seen.contains(name); }
  bool has_any(std::span<const std::string> wanted) const {
    return std::ranges::any_of(wanted, [&](const std::string& name) { return has(name); });
  }
  void remove(const std::string& name) {
    const auto found = std::ranges::find(names, name);
    if (found == names.end()) return;
    values.erase(static_cast<std::size_t>(found - names.begin()), 1);
    names.erase(found);
    seen.erase(name);
  }
};

// False if the line is not an object from its begin to its end: then no key of it is taken.
bool add_keys(std::string_view line, Keys& keys) {
  if (line.find('\0') != std::string_view::npos) return false;
  Keys found;
  try {
    JsonScanner json(line, is_plain_ascii(line));
    json.expect('{');
    if (!json.take('}')) {
      do {
        std::string name;
        json.string(name);
        json.expect(':');
        found.add(std::move(name), json.peek());
        json.skip_value();
      } while (json.take(','));
      json.expect('}');
    }
    json.expect_end();
  } catch (const BadRow&) {
    return false;
  }
  for (std::size_t i = 0; i < found.names.size(); ++i) keys.add(std::move(found.names[i]), found.values[i]);
  return true;
}

// JSON that is not one object per line.
void refuse_other_json(const FileStart& start, const std::vector<std::string_view>& lines) {
  const std::size_t number = first_line(start.lines).number;
  if (without_blanks_before(lines.front()).starts_with('[')) {
    start.fail_at(number, std::string(kJsonArrayProblem));
  }
  Keys ignored;
  if (add_keys(lines[0], ignored)) return;
  const std::string_view first = without_blanks_before(lines.front());
  if (first.starts_with("{'")) {
    start.fail_at(number, "found single quotes, expected JSON, which has double ones: Python's json.dumps writes it");
  }
  if (first.ends_with("},") && add_keys(first.substr(0, first.size() - 1), ignored)) {
    start.fail_at(number, "found a comma behind the object, expected none between lines: `sed 's/,$//' OLD > NEW`");
  }
  if (lines.size() < 2) return;
  const std::string_view second = without_blanks_before(lines[1]);
  if (second.starts_with('"') || second.starts_with('}') || second.starts_with(']') || second.starts_with('[')) {
    start.fail_at(number,
                  "found a JSON object over several lines, expected one object per line (JSONL): `jq -c . OLD > NEW`");
  }
}

// Needs no quotes in a program for jq.
bool is_plain(const std::string& key) {
  return !key.empty() && std::ranges::all_of(key, [](char c) {
    return is_digit(c) || c == '_' || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
  });
}

// The text is somewhere else, or has another name.
[[noreturn]] void fail_without(const FileStart& start, const Keys& keys, std::string_view expected) {
  std::string problem = keys.names.empty() ? "found no key" : fmt::format("found the keys {}", list_names(keys.names));
  problem += fmt::format(", expected {}: --text-column KEY and --label-column KEY name others", expected);
  for (std::size_t i = 0; i < keys.names.size(); ++i) {
    if (!is_plain(keys.names[i])) continue;
    if (keys.values[i] == '{') {
      problem += fmt::format("; `jq -c '.{}'` takes out a nested object", keys.names[i]);
      break;
    }
    if (keys.values[i] == '[' && keys.names.size() == 1) {
      problem += fmt::format("; `jq -c '.{}[]'` makes lines of a list", keys.names[i]);
    }
  }
  start.fail_at(first_line(start.lines).number, problem);
}

// What pandas writes unless it is told to write records.
void refuse_columns_as_objects(const FileStart& start, const Keys& keys) {
  const auto text = find_known(keys.names, known_text_names());
  if (!text || keys.values[*text] != '{') return;
  start.fail_at(first_line(start.lines).number,
                fmt::format("found an object for the key {}, expected a string; pandas writes a row per line with "
                            "`to_json(\"new.jsonl\", orient=\"records\", lines=True)`",
                            list_names({&keys.names[*text], 1})));
}

std::string chosen_key(const FileStart& start, const Keys& keys, const std::string& wanted) {
  const auto found = find_name(keys.names, wanted);
  if (!found) fail_without(start, keys, list_names({&wanted, 1}));
  return keys.names[*found];
}

void choose_text(const FileStart& start, const Keys& keys, TextLayout& layout) {
  JsonKeys& use = layout.keys;
  if (!start.options.text_column.empty()) {
    use.text = {chosen_key(start, keys, start.options.text_column)};
    use.title = use.content = {};
    return;
  }
  refuse_columns_as_objects(start, keys);
  if (keys.has("text") || keys.has("content")) return;
  const auto other = find_known(keys.names, known_text_names());
  const auto title = find_name(keys.names, kTitleName);
  if (!other && !title) fail_without(start, keys, "\"text\", \"title\" or \"content\"");
  if (title) use.title = keys.names[*title];
  if (!other) return;
  // Beside a title it is what "content" is elsewhere.
  const bool is_text = folded_name(keys.names[*other]) == known_text_names().front();
  (title && !is_text ? use.content : use.text.emplace_back()) = keys.names[*other];
  layout.remarks.push_back(fmt::format("texts are read from the key {}", list_names({&keys.names[*other], 1})));
}

// The key that the user names is no text, whatever it is called.
void take_chosen_labels(const FileStart& start, Keys& keys, JsonKeys& use) {
  const std::string chosen = chosen_key(start, keys, start.options.label_column);
  if (!start.options.text_column.empty() && chosen == chosen_key(start, keys, start.options.text_column)) {
    fail_without(start, keys, "one for the text and another for the labels");
  }
  use.labels = {chosen};
  std::erase(use.text, chosen);
  if (use.title == chosen) use.title.clear();
  if (use.content == chosen) use.content.clear();
  keys.remove(chosen);
}

void choose_labels(const FileStart& start, const Keys& keys, TextLayout& layout) {
  JsonKeys& use = layout.keys;
  if (keys.has_any(use.labels)) return;
  if (const auto other = find_known(keys.names, known_label_names())) {
    use.labels = {keys.names[*other]};
    layout.remarks.push_back(fmt::format("labels are read from the key {}", list_names(use.labels)));
    return;
  }
  std::vector<std::string> unknown = keys.names;
  std::erase_if(unknown, [&](const std::string& name) {
    const auto is = [&](const std::vector<std::string>& some) { return std::ranges::find(some, name) != some.end(); };
    return is(use.text) || is(use.ids) || name == use.title || name == use.content;
  });
  if (unknown.empty() || !start.options.labels_matter) return;
  layout.remarks.push_back(
      fmt::format("no labels are read: of the keys {} none is a known name for them; --label-column KEY names one",
                  list_names(unknown)));
}

}  // namespace

void lay_out_json(const FileStart& start, TextLayout& layout) {
  const std::vector<std::string_view> lines = sample_lines(start.lines);
  refuse_other_json(start, lines);
  Keys keys;
  bool any = false;
  for (const std::string_view line : lines) any |= add_keys(line, keys);
  layout.keys.label_separator = start.options.label_separator;
  if (!any) return;  // the reader says what is wrong with the first
  const bool labels_are_chosen = !start.options.label_column.empty();
  if (labels_are_chosen) take_chosen_labels(start, keys, layout.keys);
  choose_text(start, keys, layout);
  if (!labels_are_chosen) choose_labels(start, keys, layout);
  if (keys.has_any(layout.keys.ids)) return;
  if (const auto id = find_known(keys.names, known_id_names())) layout.keys.ids = {keys.names[*id]};
}

}  // namespace xylem
