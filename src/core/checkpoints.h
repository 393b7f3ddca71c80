// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "xylem/run.h"

namespace xylem {

// Checkpoints as files of a folder, which is made where it is missing. Each file carries a checksum: what was damaged
// counts as not written.
class FolderCheckpoints : public Checkpoints {
 public:
  explicit FolderCheckpoints(std::string folder);
  void write(std::string_view name, std::string_view bytes) override;
  std::optional<std::string> read(std::string_view name) const override;
  // Forgets everything written here before.
  void clear();

 private:
  std::string path_of(std::string_view name) const;

  std::string folder_;
};

}  // namespace xylem
