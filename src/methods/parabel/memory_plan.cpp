// SPDX-License-Identifier: Apache-2.0
// The memory of the steps of training, one after the other; the largest counts. The sizes of all arrays follow from
// those of the data, but for the number of weights and of the label vectors' entries, which are estimated.
#include "methods/parabel/memory_plan.h"

#include <algorithm>
#include <cmath>

#include "algorithms/lane_solver.h"

namespace xylem::parabel {
namespace {

// Weights of a tree that survive pruning at 0.1, for labels^2/3 non-zeros^1/3: with default options 45 on eurlex57k and
// 44 on tibkat-gnd, with binary trees, which have more inner nodes, 56 and 64.
double surviving_share(const TreeOptions& tree) {
  constexpr int kNarrow = 16;
  return tree.arity < kNarrow ? 70 : 55;
}
// Entries of the label vectors, likewise: 85 and 59.
constexpr double kVectorEntries = 95;

// Vectors that grow element by element have room for up to twice as many.
constexpr double kGrown = 1.5;
constexpr double kKeysAWeight = 0.6;  // in a node; 0.14 to 0.56 in the four models above

struct Sizes {
  double rows, features, labels, nonzeros, pairs, threads;
  double trees, nodes, children;  // nodes of a tree; children of a node, at most

  Sizes(const DataShape& shape, const ParabelOptions& options, std::size_t n_threads)
      : rows(static_cast<double>(shape.rows)),
        features(static_cast<double>(shape.features)),
        labels(static_cast<double>(shape.labels)),
        nonzeros(static_cast<double>(shape.nonzeros)),
        pairs(static_cast<double>(shape.label_pairs)),
        threads(static_cast<double>(n_threads)),
        trees(options.trees) {
    const TreeOptions& tree = options.tree;
    nodes = tree.balanced ? 4 * (labels / tree.max_leaf + 1) : 2 * labels + 1;
    const double deepest = labels / std::pow(tree.arity, tree.max_depth);  // what a leaf at max_depth has, about
    const double leaf = tree.balanced || tree.max_depth >= 100 ? std::max<double>(tree.max_leaf, 2 * deepest) : labels;
    children = std::min({labels, std::max<double>(tree.arity, leaf), double{kMostChildren}});
  }
};

// What is found in common by so many labels grows less than these.
double shared(double labels, double nonzeros) {
  return std::cbrt(labels * labels * nonzeros);
}

// Of so many labels, with all rows.
double surviving_weights(const Sizes& sizes, const ParabelOptions& options, double labels, double classifiers) {
  const double estimate = surviving_share(options.tree) * shared(labels, sizes.nonzeros) *
                          std::max(1.0, 0.1 / std::max(options.prune, 1e-9)) *
                          std::max(1.0, std::sqrt(options.linear.cost));
  return std::min(estimate, classifiers * std::min(sizes.features, sizes.nonzeros));
}

double ranked_bytes(const Sizes& sizes) {  // RankedRows, FeatureRanks
  return 8 * sizes.nonzeros + 12 * sizes.rows + 8 * sizes.features + 4 * sizes.pairs + 8 * sizes.labels;
}

// Label vectors, in chunks and as they are put together, and what splits them.
double clustering_bytes(const Sizes& sizes, const TreeOptions& options) {
  // The labels' rows have so many, if long rows have no more labels than others.
  const double added_up = kGrown * sizes.pairs * sizes.nonzeros / std::max(1.0, sizes.rows);
  const double entries =
      std::min({kVectorEntries * shared(sizes.labels, sizes.nonzeros), sizes.labels * sizes.features, added_up});
  const double vectors = 8 * entries * (1 + 2) + 8 * sizes.labels;
  const double summing = sizes.threads * (24 * sizes.features + kGrown * 8 * sizes.rows);  // LabelSummer
  double splitting = sizes.threads * 8 * sizes.features + 28 * sizes.labels;  // SplitScratch, leanings, moves
  if (!options.balanced) {                                                    // copies of vectors, numbers, means
    const double clusters = std::min<double>(options.arity, sizes.labels);
    splitting += 8 * entries * kGrown + sizes.threads * 4 * sizes.features * (1 + clusters);
  }
  return vectors + std::max(summing, splitting);
}

// The rows of a node and their non-zeros: at the root all, or a sample.
Sizes node_sizes(Sizes sizes, const ParabelOptions& options) {
  if (options.max_node_rows == 0 || sizes.rows <= options.max_node_rows) return sizes;
  sizes.nonzeros *= options.max_node_rows / sizes.rows;
  sizes.rows = options.max_node_rows;
  return sizes;
}

double problem_bytes(const Sizes& sizes, double weights_of_node) {
  const double entry = sizes.features > NarrowEntry::kMostFeatures ? sizeof(WideEntry) : sizeof(NarrowEntry);
  const double rows = entry * sizes.nonzeros + (kGrown * (12 + 4) + 5) * sizes.rows;  // LocalRows, lists of the scratch
  const double pairs = kGrown * 4 * sizes.pairs + 8 * sizes.children;                 // child_rows
  const double features = (kGrown * 4 + 0.25) * sizes.features;  // of the problem, and which are present
  constexpr double kCollected = 12 + 8 + 6 + 6;                  // a Weight in its group, sorted, packed, joined
  return rows + pairs + features + kCollected * weights_of_node;
}

// The nodes of a level that each row is sent to, the rows sent to each node, and a copy of the inner nodes, which send
// them.
double sending_bytes(const Sizes& sizes, const ParabelOptions& options) {
  if (options.negatives == Negatives::kNode) return 0;
  const double sent = std::min<double>(options.negatives_beam, sizes.nodes) * sizes.rows;
  const double weights = surviving_weights(sizes, options, std::min(sizes.nodes, sizes.labels), sizes.nodes);
  return sizes.trees * ((8 + 4) * sent + (6 + 6 * kKeysAWeight) * weights);
}

double solver_bytes(const Sizes& sizes) {  // LaneScratch, members, positives, the weights of sixteen children
  return (4 * kLanes + 16) * sizes.rows + 4 * kLanes * (sizes.features + 1);
}

std::uint64_t whole_bytes(double bytes) {
  constexpr double kMost = 9e18;
  return static_cast<std::uint64_t>(std::min(bytes, kMost));
}

}  // namespace

MemoryPlan plan_memory(const DataShape& shape, const ParabelOptions& options, std::size_t threads) {
  const Sizes sizes(shape, options, threads);
  const double weights = sizes.trees * surviving_weights(sizes, options, sizes.labels, sizes.labels + sizes.nodes);
  const double weights_of_node = surviving_weights(sizes, options, sizes.children, sizes.children);
  const double nodes = sizes.trees * sizes.nodes;
  // A weight takes 6 bytes, child and value, and in the model 2 or 3; a feature of a node with its share of the bitmaps
  // takes 6. A node has a region for each 4096 features, and every feature a rank. As long as it is trained a node is a
  // task and some vectors, which take 500 bytes however small they are.
  const double tables = nodes * (96 + 16 * (sizes.features / 4096)) + 4 * sizes.features;
  const double trees = sizes.trees * (8 * sizes.labels + 72 * sizes.nodes);
  const double trained = kGrown * (6 + 6 * kKeysAWeight) * weights + tables + trees + 500 * nodes;
  const double model = (3 + 6 * kKeysAWeight) * weights + tables + trees;

  const Sizes node = node_sizes(sizes, options);
  const double sampling = options.max_node_rows > 0 ? 8 * sizes.rows + 4 * sizes.pairs : 0;
  const double solving = std::min(sizes.threads, nodes) * (problem_bytes(node, weights_of_node) + sampling) +
                         sizes.threads * solver_bytes(node);
  const double ranking = ranked_bytes(sizes) + 12 * sizes.features + 8 * sizes.labels;
  const double clustering = ranked_bytes(sizes) + clustering_bytes(sizes, options.tree);
  const double training = ranked_bytes(sizes) + solving + sending_bytes(sizes, options) + trained;
  const double assembling = trained + kGrown * model;
  return {.training = whole_bytes(std::max({ranking, clustering, training, assembling}) + 4096),
          .model = whole_bytes(model + 4096)};
}

}  // namespace xylem::parabel
