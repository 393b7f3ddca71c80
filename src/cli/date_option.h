// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <CLI/CLI.hpp>
#include <string>

namespace xylem::cli {

void add_date_option(CLI::App& app, std::string& date);

// What the card of a model gets: the date that is given, or else the time in SOURCE_DATE_EPOCH, or none. The clock is
// never asked, so that the same command writes the same bytes.
std::string card_date(const std::string& given);

}  // namespace xylem::cli
