// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <string>

#include "core/checkpoints.h"

namespace xylem::test {

struct Death {};

// Ends the run as a kill would, when so many checkpoints have been written.
class DeadlyCheckpoints : public FolderCheckpoints {
 public:
  DeadlyCheckpoints(const std::string& folder, int writes) : FolderCheckpoints(folder), writes_left_(writes) {}
  void write(std::string_view name, std::string_view bytes) override {
    if (writes_left_ <= 0) throw Death();
    FolderCheckpoints::write(name, bytes);
    if (--writes_left_ <= 0) throw Death();
  }

 private:
  std::atomic<int> writes_left_;
};

bool dies(const auto& work) {
  try {
    work();
  } catch (const Death&) {
    return true;
  }
  return false;
}

}  // namespace xylem::test
