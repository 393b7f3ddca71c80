// SPDX-License-Identifier: Apache-2.0
// The table of methods. To add one: its pair of files, a line here, its section in docs/methods.md.
#include "xylem/method.h"

#include <array>
#include <string>

#include "core/fail.h"
#include "core/text.h"
#include "methods/knn.h"
#include "methods/popular.h"

namespace xylem {

std::span<const Method* const> methods() {
  static constexpr std::array table = {
      &knn,
      &popular,
  };
  return table;
}

const Method& find_method(std::string_view name) {
  std::vector<std::string> known;
  for (const Method* method : methods()) {
    if (method->name == name) return *method;
    known.emplace_back(method->name);
  }
  const std::string hint = nearest_name_hint(name, known);
  fail(ErrorKind::kUsage, "unknown method {}{}", quote(name), hint.empty() ? "; `xylem methods` lists them" : hint);
}

DataShape shape_of(const Dataset& data) {
  return {data.size(), data.features.n_columns, data.n_labels, data.features.ids.size(), data.labels.ids.size()};
}

}  // namespace xylem
