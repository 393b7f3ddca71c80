// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace xylem {

// Throws kUsage unless it is empty, or a day or a second of UTC as ISO 8601 has them: 2026-01-31,
// 2026-01-31T12:00:00Z.
void check_date(const std::string& date);

}  // namespace xylem
