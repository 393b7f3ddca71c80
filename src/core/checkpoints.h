// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <optional>
#include <string>

#include "core/folder_lock.h"
#include "xylem/run.h"

namespace xylem {

// Checkpoints as files of a folder, which is made where it is missing, and belongs to one run at a time. Each file
// carries a checksum: what was damaged counts as not written.
class FolderCheckpoints : public Checkpoints {
 public:
  // A sentence for people about what they would not expect: damaged files, a folder without locks.
  using Warn = std::function<void(const std::string&)>;

  // Throws kUsage if another run uses the folder. Removes what a killed one has left there half-written.
  explicit FolderCheckpoints(std::string folder, Warn warn = {});
  void write(std::string_view name, std::string_view bytes) override;
  std::optional<std::string> read(std::string_view name) const override;
  bool is_empty() const;
  // Forgets everything written here before.
  void clear();

 private:
  std::string path_of(std::string_view name) const;
  void remove_files(bool whole_ones) const;

  std::string folder_;
  Warn warn_;
  std::optional<FolderLock> lock_;
};

// Checkpoints of one piece of work among others that use the same names: what was written in another scope counts as
// not written. A scope is a line of text.
class ScopedCheckpoints : public Checkpoints {
 public:
  ScopedCheckpoints(Checkpoints& all, std::string_view scope) : all_(all), head_(std::string(scope) + '\n') {}
  void write(std::string_view name, std::string_view bytes) override;
  std::optional<std::string> read(std::string_view name) const override;

 private:
  Checkpoints& all_;
  std::string head_;  // of everything that is written
};

}  // namespace xylem
