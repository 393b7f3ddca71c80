// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "methods/rank_ae/options.h"
#include "xylem/method.h"

namespace xylem {

extern const Method rank_ae_method;

}  // namespace xylem
