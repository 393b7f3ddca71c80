// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <iterator>
#include <string>

#include "core/file.h"
#include "data/format.h"
#include "xylem/dataset.h"

namespace xylem {

void write_dataset(const Dataset& data, std::string_view format, const std::string& path, bool replace) {
  check_output_format(format, dataset_formats());
  OutputFile file(path, replace ? IfExists::kReplace : IfExists::kFail);
  fmt::memory_buffer line;
  const auto out = std::back_inserter(line);
  if (format == "xmlrepo") {
    fmt::format_to(out, "{} {} {}\n", data.size(), data.features.n_columns, data.n_labels);
  }
  for (std::size_t row = 0; row < data.size(); ++row) {
    const char* separator = "";
    for (const Label label : data.labels[row]) {
      fmt::format_to(out, "{}{}", separator, label + data.first_ids.label);
      separator = ",";
    }
    const SparseRow features = data.features[row];
    // The blank of a row with nothing else keeps it from being taken for the end of the file.
    if (data.labels[row].empty() && features.size() == 0) line.push_back(' ');
    for (std::size_t i = 0; i < features.size(); ++i) {
      fmt::format_to(out, " {}:{}", features.ids[i] + data.first_ids.feature, features.values[i]);
    }
    line.push_back('\n');
    file.write({line.data(), line.size()});
    line.clear();
  }
  file.write({line.data(), line.size()});  // a header without rows
  file.commit();
}

}  // namespace xylem
