// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "xylem/method.h"

namespace xylem {

struct PopularOptions {
  void fields(auto&&) {}
};

extern const Method popular;

}  // namespace xylem
