// SPDX-License-Identifier: Apache-2.0
#include "data/text_row.h"

#include <algorithm>

#include "core/text.h"
#include "data/format.h"
#include "data/number_token.h"

namespace xylem {
namespace {

std::string_view without_blanks_before(std::string_view text) {
  return {std::find_if_not(text.begin(), text.end(), is_blank), text.end()};
}

}  // namespace

void split_labels(std::string_view list, char separator, TextList& labels) {
  for (std::string_view label : split(list, separator)) {
    label = without_blanks_before(label);
    while (!label.empty() && is_blank(label.back())) label.remove_suffix(1);
    if (!label.empty()) labels.push_back(label);
  }
}

void parse_fasttext(std::string_view line, TextRow& row) {
  line = without_blanks_before(line);
  while (line.starts_with(kFasttextPrefix)) {
    const auto end = std::find_if(line.begin(), line.end(), is_blank);
    const std::string_view name = std::string_view(line.begin(), end).substr(kFasttextPrefix.size());
    if (name.empty()) throw BadRow{"found '__label__' without a name, expected a label like '__label__name'"};
    row.labels.push_back(name);
    line = without_blanks_before({end, line.end()});
  }
  row.text = line;
}

void parse_tsv(std::string_view line, char label_separator, TextRow& row) {
  const std::size_t tab = line.find('\t');
  if (tab == std::string_view::npos) throw BadRow{"found no TAB in " + quote(line) + ", expected labels, TAB and text"};
  split_labels(line.substr(0, tab), label_separator, row.labels);
  row.text = line.substr(tab + 1);
}

}  // namespace xylem
