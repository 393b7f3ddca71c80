// SPDX-License-Identifier: Apache-2.0
#include "data/name_faults.h"

#include <utf8proc.h>

#include <cstdlib>
#include <memory>
#include <new>
#include <unordered_map>

namespace xylem {
namespace {

std::string_view without_any_blanks(std::string_view text) {
  constexpr std::string_view kBlanks = " \t\r\n\v\f";
  const std::size_t begin = text.find_first_not_of(kBlanks);
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(kBlanks) + 1 - begin);
}

// What names that look the same have in common. All names are UTF-8: readers see to it.
std::string folded(std::string_view name) {
  utf8proc_uint8_t* bytes = nullptr;
  const auto length =
      utf8proc_map(reinterpret_cast<const utf8proc_uint8_t*>(name.data()), static_cast<utf8proc_ssize_t>(name.size()),
                   &bytes, static_cast<utf8proc_option_t>(UTF8PROC_STABLE | UTF8PROC_COMPOSE | UTF8PROC_CASEFOLD));
  const std::unique_ptr<utf8proc_uint8_t, decltype(&std::free)> owner(bytes, &std::free);
  if (length == UTF8PROC_ERROR_NOMEM) throw std::bad_alloc();
  if (length < 0) return std::string(name);
  return {reinterpret_cast<const char*>(bytes), static_cast<std::size_t>(length)};
}

}  // namespace

NameFaults find_name_faults(const TextList& names, char label_separator) {
  NameFaults faults;
  for (const char separator : {',', ';', '|', '\t'}) faults.separators.push_back({separator, {}});
  if (std::string_view(",;|\t").find(label_separator) == std::string_view::npos) {
    faults.separators.push_back({label_separator, {}});
  }
  std::unordered_map<std::string, std::size_t> first_with;  // folded name to the first such name
  first_with.reserve(names.size());
  for (std::size_t i = 0; i < names.size(); ++i) {
    const std::string_view name = names[i], core = without_any_blanks(name);
    for (SeparatorFault& fault : faults.separators) {
      if (name.find(fault.separator) != std::string_view::npos) fault.names.add(name);
    }
    if (core.empty()) faults.blank.add(name);
    const auto [first, is_new] = first_with.emplace(folded(core), i);
    if (is_new) continue;
    faults.alike.add(name);
    if (faults.alike_to.size() < NameFault::kMaxExamples) faults.alike_to.emplace_back(names[first->second]);
  }
  std::erase_if(faults.separators, [](const SeparatorFault& fault) { return fault.names.count == 0; });
  return faults;
}

}  // namespace xylem
