// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "xylem/run.h"

namespace xylem {

// Checkpoints as files of a folder, which is made where it is missing. Each file carries a checksum: what was damaged
// counts as not written.
class FolderCheckpoints : public Checkpoints {
 public:
  // Removes what a killed run has left there half-written.
  explicit FolderCheckpoints(std::string folder);
  void write(std::string_view name, std::string_view bytes) override;
  std::optional<std::string> read(std::string_view name) const override;
  bool is_empty() const;
  // Forgets everything written here before.
  void clear();

 private:
  std::string path_of(std::string_view name) const;
  void remove_files(bool whole_ones) const;

  std::string folder_;
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
