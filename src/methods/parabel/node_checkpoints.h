// SPDX-License-Identifier: Apache-2.0
// Trained nodes in a checkpoint. There may be tens of thousands of them: they are kept in bundles, stretches of the
// list of tasks, each of which is written when the last of its nodes is trained.
#pragma once

#include <atomic>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "methods/parabel/node_tasks.h"
#include "methods/parabel/train_node.h"
#include "xylem/run.h"

namespace xylem::parabel {

// The nodes of a bundle, `trained` by their places.
std::string write_bundle(std::span<const NodeTask> tasks, std::span<const TrainedNode> trained);
// False where these bytes are not whole nodes with that many children, and features of lower rank than `n_ranks`;
// `trained` may then hold some of them.
bool read_bundle(std::string_view bytes, std::span<const NodeTask> tasks, std::size_t n_ranks,
                 std::span<TrainedNode> trained);

class NodeCheckpoints {
 public:
  // Cuts `tasks`, which are to outlive this as `trained` does, into bundles of about `bundle_cost`, and puts into
  // `trained` what an earlier run has written. Without `checkpoints` nothing is written or read. Throws kUsage where
  // no run can have written what is there.
  NodeCheckpoints(Checkpoints* checkpoints, std::span<const NodeTask> tasks, std::uint64_t bundle_cost,
                  std::size_t n_ranks, std::vector<TrainedNode>& trained);

  // Whether an earlier run has trained it, or all from `begin` to before `end`, and how many there are.
  bool has(std::size_t task) const { return bundles_[bundle_of_[task]].was_read; }
  bool has_all(std::size_t begin, std::size_t end) const {
    while (begin < end && has(begin)) ++begin;
    return begin == end;
  }
  std::size_t n_read() const { return n_read_; }

  // Of a task whose node is in its place in `trained`. Any number of threads may call it, once for each task.
  void finished(std::size_t task);

 private:
  struct Bundle {
    std::size_t begin, end;  // of its tasks
    bool was_read = false;
  };
  static std::string name_of(std::size_t bundle);
  std::span<const NodeTask> tasks_of(const Bundle& bundle) const;

  Checkpoints* checkpoints_;
  std::span<const NodeTask> tasks_;
  std::vector<TrainedNode>& trained_;
  std::vector<Bundle> bundles_;
  std::vector<std::size_t> bundle_of_;               // of each task
  std::vector<std::atomic<std::size_t>> n_missing_;  // of each bundle
  std::size_t n_read_ = 0;
};

}  // namespace xylem::parabel
