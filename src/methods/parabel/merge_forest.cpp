// SPDX-License-Identifier: Apache-2.0
#include "methods/parabel/merge_forest.h"

#include <utility>

namespace xylem::parabel {

Forest merge_forest(const std::vector<LabelTree>& trees, std::vector<TrainedNode> trained,
                    std::vector<std::uint32_t> rank_of) {
  std::vector<std::uint32_t> roots, children;
  std::vector<std::uint8_t> is_leaf;
  std::vector<std::uint64_t> child_offsets{0};
  std::vector<float> biases;
  std::vector<PackedNode> classifiers;
  for (const LabelTree& tree : trees) {
    const auto root = static_cast<std::uint32_t>(is_leaf.size());
    roots.push_back(root);
    for (const TreeNode& node : tree.nodes) {
      TrainedNode& done = trained[is_leaf.size()];
      is_leaf.push_back(node.is_leaf() || done.biases.empty());
      for (std::uint32_t i = 0; i < done.biases.size(); ++i) {
        children.push_back(node.is_leaf() ? tree.labels[node.begin + i] : root + node.first_child + i);
      }
      child_offsets.push_back(children.size());
      biases.insert(biases.end(), done.biases.begin(), done.biases.end());
      classifiers.push_back(std::move(done.classifiers));
    }
  }
  Classifiers packed(std::move(classifiers), child_offsets, std::move(rank_of));
  return {std::move(roots),    std::move(is_leaf), std::move(child_offsets),
          std::move(children), std::move(biases),  std::move(packed)};
}

}  // namespace xylem::parabel
