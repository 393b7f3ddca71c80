// SPDX-License-Identifier: Apache-2.0
#include "cli/names_file.h"

#include "cli/output_checks.h"

namespace xylem::cli {

NamesFile::NamesFile(const std::string& path, const std::string& text, bool force) {
  if (path.empty()) return;
  out_.emplace(path, output_policy(path, force));
  out_->write(text);
}

void NamesFile::commit() {
  if (out_) out_->commit();
}

}  // namespace xylem::cli
