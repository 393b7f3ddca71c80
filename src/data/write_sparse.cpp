// SPDX-License-Identifier: Apache-2.0
#include "data/write_sparse.h"

#include <iterator>
#include <string>

#include "core/file.h"
#include "data/format.h"

namespace xylem {

void append_sparse_row(std::span<const Label> labels, SparseRow features, FirstIds first_ids, fmt::memory_buffer& out) {
  const auto end = std::back_inserter(out);
  const char* separator = "";
  for (const Label label : labels) {
    fmt::format_to(end, "{}{}", separator, label + first_ids.label);
    separator = ",";
  }
  // The blank of a row with nothing else keeps it from being taken for the end of the file.
  if (labels.empty() && features.size() == 0) out.push_back(' ');
  for (std::size_t i = 0; i < features.size(); ++i) {
    fmt::format_to(end, " {}:{}", features.ids[i] + first_ids.feature, features.values[i]);
  }
  out.push_back('\n');
}

void write_dataset(const Dataset& data, std::string_view format, const std::string& path, bool replace) {
  check_output_format(format, dataset_formats());
  OutputFile file(path, replace ? IfExists::kReplace : IfExists::kFail);
  fmt::memory_buffer line;
  if (format == "xmlrepo") {
    fmt::format_to(std::back_inserter(line), "{} {} {}\n", data.size(), data.features.n_columns, data.n_labels);
  }
  for (std::size_t row = 0; row < data.size(); ++row) {
    append_sparse_row(data.labels[row], data.features[row], data.first_ids, line);
    file.write({line.data(), line.size()});
    line.clear();
  }
  file.write({line.data(), line.size()});  // a header without rows
  file.commit();
}

}  // namespace xylem
