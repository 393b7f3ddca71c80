// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>
#include <vector>

#include "core/options.h"

namespace xylem::generate {

// How large a generated data set is. The means of labels and non-zeros hold for training and test rows.
struct Shape {
  int rows = 10'000;
  int test_rows = 2'000;
  int features = 5'000;
  int labels = 1'000;
  double labels_a_row = 3;
  double nonzeros = 60;
  int rows_times = 1;

  void fields(auto&& field) {
    field("rows", rows, "training rows", Range{1, 1e8});
    field("test-rows", test_rows, "test rows", Range{1, 1e8});
    field("features", features, "features", Range{10, 1e7});
    field("labels", labels, "labels", Range{5, 1e7});
    field("labels-a-row", labels_a_row, "mean, at most a fifth of the labels", Range{1, 1e4});
    field("nonzeros", nonzeros, "mean of a row, at most a fifth of the features", Range{2, 1e5});
    field("rows-times", rows_times,
          "so many times the training rows; the first of them, the test rows and all else stay as they are",
          Range{1, 1000});
  }
};

struct NamedShape {
  std::string_view name;
  Shape shape;
};
// Sizes of data sets of the Extreme Classification Repository.
const std::vector<NamedShape>& named_shapes();

// Throws kUsage with the known names.
Shape find_shape(std::string_view name);
// Throws kUsage where the sizes do not go together.
void check_shape(const Shape& shape);

}  // namespace xylem::generate
