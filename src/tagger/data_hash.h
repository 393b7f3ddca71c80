// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "xylem/dataset.h"
#include "xylem/method.h"

namespace xylem {

// XXH3 of the content, whatever file it came from. With a shape, its features and labels count as so many.
std::string data_hash(const Dataset& data);
std::string data_hash(const Dataset& data, const DataShape& shape);

}  // namespace xylem
