// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>
#include <vector>

namespace xylem {

// Throw kUsage, with the names there are, where `format` is none of `known`; input may also be "auto".
void check_input_format(std::string_view format, std::vector<std::string_view> known);
void check_output_format(std::string_view format, const std::vector<std::string_view>& known);

}  // namespace xylem
