// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

#include "xylem/text_list.h"

namespace xylem {

// Throws kUsage if a character cannot stand between labels.
void check_label_separator(char separator);

// Throws kData if lines of this format cannot hold a label, as whoever reads them would take it for something else.
// `separator` stands between labels in tsv and csv.
void check_labels_fit(const TextList& labels, std::string_view format, char separator);

// A warning if labels with identifiers share names, since a file of this format has names alone; else empty.
std::string shared_names_warning(const TextList& names, const TextList& ids, std::string_view format);

}  // namespace xylem
