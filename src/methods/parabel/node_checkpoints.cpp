// SPDX-License-Identifier: Apache-2.0
#include "methods/parabel/node_checkpoints.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/bytes.h"

namespace xylem::parabel {
namespace {

// All that a node consists of, in the order in which it is written.
void visit_parts(auto& node, auto&& visit) {
  visit(node.biases);
  visit(node.classifiers.ranks);
  visit(node.classifiers.counts);
  visit(node.classifiers.children);
  visit(node.classifiers.values);
}

struct PartWriter {
  std::string bytes;

  void add(const auto* values, std::size_t n) {
    bytes.append(reinterpret_cast<const char*>(values), n * sizeof(*values));
  }
  template <class T>
  void operator()(const std::vector<T>& values) {
    const std::uint64_t size = values.size();
    add(&size, 1);
    add(values.data(), values.size());
  }
};

struct PartReader {
  std::string_view rest;
  bool is_whole = true;  // so far

  template <class T>
  void take(T* values, std::size_t n) {
    is_whole = is_whole && n <= rest.size() / sizeof(T);
    if (!is_whole) return;
    rest.copy(reinterpret_cast<char*>(values), n * sizeof(T));
    rest.remove_prefix(n * sizeof(T));
  }
  template <class T>
  void operator()(std::vector<T>& values) {
    std::uint64_t size = 0;
    take(&size, 1);
    is_whole = is_whole && size <= rest.size() / sizeof(T);
    if (!is_whole) return;  // before memory is taken for a size that is none
    values.resize(size);
    take(values.data(), size);
  }
};

bool are_finite(const std::vector<float>& values) {
  return std::ranges::all_of(values, [](float value) { return std::isfinite(value); });
}

// Whether predictions can use the node. It is asked of bytes with a right checksum: a yes or no is enough.
bool is_sound(const TrainedNode& node, std::size_t n_children, std::size_t n_ranks) {
  const PackedNode& packed = node.classifiers;
  if (node.biases.size() != n_children || packed.counts.size() != packed.ranks.size() ||
      packed.children.size() != packed.values.size()) {
    return false;
  }
  std::uint64_t n_weights = 0;
  for (std::size_t i = 0; i < packed.ranks.size(); ++i) {
    if (packed.ranks[i] >= n_ranks || (i > 0 && packed.ranks[i] <= packed.ranks[i - 1])) return false;
    const std::uint64_t begin = n_weights;
    n_weights += std::uint64_t{packed.counts[i]} + 1;
    if (n_weights > packed.children.size()) return false;
    for (std::uint64_t j = begin + 1; j < n_weights; ++j) {
      if (packed.children[j] <= packed.children[j - 1]) return false;
    }
  }
  return n_weights == packed.children.size() &&
         std::ranges::all_of(packed.children, [&](auto child) { return child < n_children; }) &&
         are_finite(packed.values) && are_finite(node.biases);
}

}  // namespace

std::string write_bundle(std::span<const NodeTask> tasks, std::span<const TrainedNode> trained) {
  PartWriter out;
  for (const NodeTask& task : tasks) {
    for (const TaskNode& node : task.nodes) visit_parts(trained[node.place], out);
  }
  return std::move(out.bytes);
}

bool read_bundle(std::string_view bytes, std::span<const NodeTask> tasks, std::size_t n_ranks,
                 std::span<TrainedNode> trained) {
  PartReader in{bytes};
  for (const NodeTask& task : tasks) {
    for (const TaskNode& part : task.nodes) {
      TrainedNode& node = trained[part.place];
      visit_parts(node, in);
      if (!in.is_whole || !is_sound(node, part.n_children, n_ranks)) return false;
    }
  }
  return in.rest.empty();
}

NodeCheckpoints::NodeCheckpoints(Checkpoints* checkpoints, std::span<const NodeTask> tasks, std::uint64_t bundle_cost,
                                 std::size_t n_ranks, std::vector<TrainedNode>& trained)
    : checkpoints_(checkpoints), tasks_(tasks), trained_(trained) {
  std::uint64_t cost = 0;
  for (std::size_t task = 0; task < tasks.size(); ++task) {
    if (task == 0 || cost >= bundle_cost) {
      bundles_.push_back({task, task});
      cost = 0;
    }
    cost += tasks[task].cost;
    bundles_.back().end = task + 1;
    bundle_of_.push_back(bundles_.size() - 1);
  }
  n_missing_ = std::vector<std::atomic<std::size_t>>(bundles_.size());
  for (std::size_t i = 0; i < bundles_.size(); ++i) {
    Bundle& bundle = bundles_[i];
    n_missing_[i] = bundle.end - bundle.begin;
    if (checkpoints == nullptr) continue;
    const auto bytes = checkpoints->read(name_of(i));
    if (!bytes) continue;
    if (!read_bundle(*bytes, tasks_of(bundle), n_ranks, trained)) fail_foreign_checkpoint();
    bundle.was_read = true;
    for (const NodeTask& task : tasks_of(bundle)) n_read_ += task.nodes.size();
  }
}

void NodeCheckpoints::finished(std::size_t task) {
  if (checkpoints_ == nullptr) return;
  const std::size_t bundle = bundle_of_[task];
  if (--n_missing_[bundle] > 0) return;
  checkpoints_->write(name_of(bundle), write_bundle(tasks_of(bundles_[bundle]), trained_));
}

std::string NodeCheckpoints::name_of(std::size_t bundle) {
  return fmt::format("nodes-{}", bundle);
}

std::span<const NodeTask> NodeCheckpoints::tasks_of(const Bundle& bundle) const {
  return tasks_.subspan(bundle.begin, bundle.end - bundle.begin);
}

}  // namespace xylem::parabel
