// SPDX-License-Identifier: Apache-2.0
#include "generate/shape.h"

#include <algorithm>
#include <string>

#include "core/fail.h"
#include "core/text.h"

namespace xylem::generate {
namespace {

void check_share(std::string_view name, double value, std::string_view whole_name, int whole) {
  if (value <= whole / 5.0) return;
  fail(ErrorKind::kUsage, "option {} is {}, expected at most a fifth of the {} {}", name, value, whole, whole_name);
}

}  // namespace

const std::vector<NamedShape>& named_shapes() {
  static const std::vector<NamedShape> shapes = {
      {"eurlex-4k", {15'539, 3'809, 5'000, 3'993, 5.31, 236.8}},
      {"wiki10-31k", {14'146, 6'616, 101'938, 30'938, 18.64, 673.45}},
      {"amazoncat-13k", {1'186'239, 306'782, 203'882, 13'330, 5.04, 71.2}},
      {"amazon-670k", {490'449, 153'025, 135'909, 670'091, 5.45, 75.7}},
  };
  return shapes;
}

Shape find_shape(std::string_view name) {
  const auto found = std::ranges::find(named_shapes(), name, &NamedShape::name);
  if (found != named_shapes().end()) return found->shape;
  std::string known;
  for (const NamedShape& shape : named_shapes()) known += (known.empty() ? "" : ", ") + std::string(shape.name);
  fail(ErrorKind::kUsage, "unknown shape {}; known are {}", quote(std::string(name)), known);
}

void check_shape(const Shape& shape) {
  check_share("labels-a-row", shape.labels_a_row, "labels", shape.labels);
  check_share("nonzeros", shape.nonzeros, "features", shape.features);
}

}  // namespace xylem::generate
