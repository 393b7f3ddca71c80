// SPDX-License-Identifier: Apache-2.0
// The table of methods. To add one: its pair of files (in the list of CMakeLists.txt), a line here, its section in
// docs/methods.md.
#include "xylem/method.h"

#include <fmt/ranges.h>

#include <array>
#include <string>

#include "core/fail.h"
#include "core/text.h"
#include "methods/dxml/dxml.h"
#include "methods/glas/glas.h"
#include "methods/knn.h"
#include "methods/mnn/mnn.h"
#include "methods/parabel/parabel.h"
#include "methods/popular.h"
#include "methods/rank_ae/rank_ae.h"

namespace xylem {

std::span<const Method* const> methods() {
  static constexpr std::array table = {
      &parabel_method, &dxml_method, &mnn_method, &glas_method, &rank_ae_method, &knn, &popular,
  };
  return table;
}

const Method& find_method(std::string_view name) {
  std::vector<std::string> known;
  for (const Method* method : methods()) {
    if (method->name == name) return *method;
    known.emplace_back(method->name);
  }
  fail(ErrorKind::kUsage, "unknown method {}{}, there are {}", quote(name), nearest_name_hint(name, known),
       fmt::join(known, ", "));
}

std::unique_ptr<Model> Model::learn(const Dataset&, const CheckedOptions&, const Run&) const {
  fail(ErrorKind::kUsage, "models of this method cannot learn more rows");
}

DataShape shape_of(const Dataset& data) {
  return {data.size(), data.features.n_columns, data.n_labels, data.features.ids.size(), data.labels.ids.size()};
}

}  // namespace xylem
