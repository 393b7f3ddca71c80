// SPDX-License-Identifier: Apache-2.0
#include "data/format.h"

#include <fmt/format.h>

#include <algorithm>
#include <span>

#include "core/fail.h"
#include "core/text.h"
#include "xylem/dataset.h"

namespace xylem {
namespace {

void check_format(std::string_view format, std::span<const std::string_view> known) {
  if (std::find(known.begin(), known.end(), format) != known.end()) return;
  const std::vector<std::string> names(known.begin(), known.end());
  fail(ErrorKind::kUsage, "no data format is called {}; there are {}{}", quote(format), fmt::join(names, ", "),
       nearest_name_hint(format, names));
}

}  // namespace

std::vector<std::string_view> dataset_formats() {
  return {"xmlrepo", "libsvm"};
}

void check_input_format(std::string_view format, std::vector<std::string_view> known) {
  known.insert(known.begin(), "auto");
  check_format(format, known);
}

void check_output_format(std::string_view format, const std::vector<std::string_view>& known) {
  check_format(format, known);
}

}  // namespace xylem
