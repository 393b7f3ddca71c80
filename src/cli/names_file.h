// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>

#include "core/file.h"

namespace xylem::cli {

// A file of names beside the data, which appears after them. What it cannot hold is found out before: the text is given
// to the constructor. No path, no file.
class NamesFile {
 public:
  NamesFile(const std::string& path, const std::string& text, bool force);
  void commit();

 private:
  std::optional<OutputFile> out_;
};

}  // namespace xylem::cli
