// SPDX-License-Identifier: Apache-2.0
#include "data/write_sparse.h"

#include <iterator>

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

SparseFile::SparseFile(std::string_view format, const SparseSizes& sizes, FirstIds first_ids, const std::string& path,
                       IfExists if_exists)
    : file_((check_output_format(format, dataset_formats()), path), if_exists), first_ids_(first_ids) {
  if (format == "xmlrepo") file_.write(fmt::format("{} {} {}\n", sizes.rows, sizes.features, sizes.labels));
}

void SparseFile::write(std::span<const Label> labels, SparseRow features) {
  line_.clear();
  append_sparse_row(labels, features, first_ids_, line_);
  file_.write({line_.data(), line_.size()});
}

void write_dataset(const Dataset& data, std::string_view format, const std::string& path, bool replace) {
  SparseFile file(format, {data.size(), data.features.n_columns, data.n_labels}, data.first_ids, path,
                  replace ? IfExists::kReplace : IfExists::kFail);
  for (std::size_t row = 0; row < data.size(); ++row) file.write(data.labels[row], data.features[row]);
  file.commit();
}

}  // namespace xylem
