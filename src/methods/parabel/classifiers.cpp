// SPDX-License-Identifier: Apache-2.0
#include "methods/parabel/classifiers.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

#include "core/fail.h"
#include "core/parallel.h"

namespace xylem::parabel {
namespace {

constexpr std::size_t kKeysABucket = 4;  // at least, on average
constexpr std::size_t kNarrow = 256;     // so many children have numbers of one byte

// Weights are written as a sign and one of 128 steps of equal ratio, from the smallest to the largest: within 2 % for
// weights between 0.1 and 10.
class WeightCode {
 public:
  explicit WeightCode(const std::vector<PackedNode>& nodes) {
    float smallest = std::numeric_limits<float>::infinity();
    float largest = 0;
    for (const PackedNode& node : nodes) {
      for (const float value : node.values) {
        smallest = std::min(smallest, std::abs(value));
        largest = std::max(largest, std::abs(value));
      }
    }
    if (largest == 0) smallest = largest = 1;
    low_ = std::max(smallest, largest / kMostRatio);
    step_ = std::log(static_cast<double>(largest) / low_) / (kSteps - 1);
  }

  std::uint8_t operator()(float value) const {
    double step = 0;
    if (step_ > 0 && std::abs(value) > low_) step = std::log(std::abs(static_cast<double>(value)) / low_) / step_;
    const auto rounded = std::min<long>(kSteps - 1, std::lround(step));
    return static_cast<std::uint8_t>(rounded + (value < 0 ? kSteps : 0));
  }

  std::vector<float> values() const {
    std::vector<float> result;
    for (const double sign : {1.0, -1.0}) {
      for (int step = 0; step < kSteps; ++step) {
        result.push_back(static_cast<float>(sign * low_ * std::exp(step * step_)));
      }
    }
    return result;
  }

 private:
  static constexpr int kSteps = 128;
  static constexpr float kMostRatio = 65536;

  double low_;
  double step_;
};

template <class T>
void append(std::vector<T>& to, const auto& from) {
  for (const auto& value : from) to.push_back(static_cast<T>(value));
}

}  // namespace

FeatureHash::FeatureHash(std::size_t n_features)
    : bits_(std::max(1, static_cast<int>(std::bit_width(n_features > 0 ? n_features - 1 : 0)))),
      mask_(static_cast<std::uint32_t>((std::uint64_t{1} << bits_) - 1)) {}

PackedNode pack_node(std::vector<Weight>& weights, const FeatureHash& hash) {
  std::ranges::sort(weights, [&](const Weight& a, const Weight& b) {
    return a.feature != b.feature ? hash(a.feature) < hash(b.feature) : a.child < b.child;
  });
  const auto begins_key = [&](std::size_t i) { return i == 0 || weights[i].feature != weights[i - 1].feature; };
  std::size_t n_keys = 0;
  for (std::size_t i = 0; i < weights.size(); ++i) n_keys += begins_key(i);

  if (weights.size() > std::numeric_limits<std::uint32_t>::max()) {
    fail(ErrorKind::kMemory, "{} weights in one node, at most {} are possible: prune more, or make smaller leaves",
         weights.size(), std::numeric_limits<std::uint32_t>::max());
  }
  PackedNode node;
  const int wanted = static_cast<int>(std::bit_width(n_keys / kKeysABucket)) - 1;
  node.bucket_bits = static_cast<std::uint8_t>(std::clamp(wanted, std::max(0, hash.bits() - kKeyBits), hash.bits()));
  const int key_bits = hash.bits() - node.bucket_bits;
  const std::uint64_t n_buckets = std::uint64_t{1} << node.bucket_bits;
  const auto begin_buckets_up_to = [&](std::uint64_t bucket) {
    while (node.bucket_keys.size() <= bucket) {
      node.bucket_keys.push_back(static_cast<std::uint32_t>(node.keys.size()));
      node.bucket_weights.push_back(static_cast<std::uint32_t>(node.values.size()));
    }
  };
  for (std::size_t i = 0; i < weights.size(); ++i) {
    if (begins_key(i)) {
      const std::uint64_t place = hash(weights[i].feature);
      begin_buckets_up_to(place >> key_bits);
      node.keys.push_back(static_cast<std::uint16_t>(place & ((std::uint64_t{1} << key_bits) - 1)));
      node.counts.push_back(0);
    } else {
      ++node.counts.back();
    }
    node.children.push_back(static_cast<std::uint16_t>(weights[i].child));
    node.values.push_back(weights[i].value);
  }
  begin_buckets_up_to(n_buckets);
  return node;
}

Classifiers::Classifiers(std::vector<PackedNode> nodes, std::size_t n_features) : hash_(n_features) {
  const WeightCode code(nodes);
  std::vector<std::uint8_t> bucket_bits, codes, counts, children;
  std::vector<std::uint64_t> node_buckets{0}, node_keys{0}, node_weights{0};
  std::vector<std::uint32_t> bucket_keys, bucket_weights;
  std::vector<std::uint16_t> keys, wide_counts, wide_children;
  bool is_narrow = true;
  for (const PackedNode& node : nodes)
    is_narrow &= std::ranges::all_of(node.children, [](auto c) { return c < kNarrow; });
  for (PackedNode& node : nodes) {
    bucket_bits.push_back(node.bucket_bits);
    append(bucket_keys, node.bucket_keys);
    append(bucket_weights, node.bucket_weights);
    append(keys, node.keys);
    if (is_narrow) {
      append(counts, node.counts);
      append(children, node.children);
    } else {
      append(wide_counts, node.counts);
      append(wide_children, node.children);
    }
    for (const float value : node.values) codes.push_back(code(value));
    node_buckets.push_back(bucket_keys.size());
    node_keys.push_back(keys.size());
    node_weights.push_back(codes.size());
    node = {};
  }
  bucket_bits_ = std::move(bucket_bits);
  node_buckets_ = std::move(node_buckets);
  node_keys_ = std::move(node_keys);
  node_weights_ = std::move(node_weights);
  bucket_keys_ = std::move(bucket_keys);
  bucket_weights_ = std::move(bucket_weights);
  keys_ = std::move(keys);
  counts_ = std::move(counts);
  children_ = std::move(children);
  wide_counts_ = std::move(wide_counts);
  wide_children_ = std::move(wide_children);
  codes_ = std::move(codes);
  code_values_ = code.values();
}

void Classifiers::save(ModelWriter& out) const {
  out.array("parabel.bucket_bits", bucket_bits_);
  out.array("parabel.node_buckets", node_buckets_);
  out.array("parabel.node_keys", node_keys_);
  out.array("parabel.node_weights", node_weights_);
  out.array("parabel.bucket_keys", bucket_keys_);
  out.array("parabel.bucket_weights", bucket_weights_);
  out.array("parabel.keys", keys_);
  if (wide_children_.size() == 0) {
    out.array("parabel.counts", counts_);
    out.array("parabel.children", children_);
  } else {
    out.array("parabel.wide_counts", wide_counts_);
    out.array("parabel.wide_children", wide_children_);
  }
  out.array("parabel.codes", codes_);
  out.array("parabel.code_values", code_values_);
}

Classifiers::Classifiers(const ModelReader& in, const Array<std::uint64_t>& child_offsets, std::size_t n_features)
    : hash_(n_features) {
  const std::uint64_t n_nodes = child_offsets.size() - 1;
  bucket_bits_ = in.array<std::uint8_t>("parabel.bucket_bits", n_nodes);
  bucket_keys_ = in.array<std::uint32_t>("parabel.bucket_keys");
  bucket_weights_ = in.array<std::uint32_t>("parabel.bucket_weights", bucket_keys_.size());
  keys_ = in.array<std::uint16_t>("parabel.keys");
  codes_ = in.array<std::uint8_t>("parabel.codes");
  code_values_ = in.finite("parabel.code_values", 256);
  node_buckets_ = in.offsets("parabel.node_buckets", n_nodes, bucket_keys_.size());
  node_keys_ = in.offsets("parabel.node_keys", n_nodes, keys_.size());
  node_weights_ = in.offsets("parabel.node_weights", n_nodes, codes_.size());
  const bool is_wide = in.has_array("parabel.wide_children");
  if (is_wide) {
    wide_counts_ = in.array<std::uint16_t>("parabel.wide_counts", keys_.size());
    wide_children_ = in.array<std::uint16_t>("parabel.wide_children", codes_.size());
  } else {
    counts_ = in.array<std::uint8_t>("parabel.counts", keys_.size());
    children_ = in.array<std::uint8_t>("parabel.children", codes_.size());
  }
  parallel_for(n_nodes, 16, [&](std::size_t begin, std::size_t end) {
    for (std::size_t node = begin; node < end; ++node) {
      const std::uint64_t n_children = child_offsets[node + 1] - child_offsets[node];
      if (is_wide) {
        check_node(in, wide_counts_, wide_children_, node, n_children);
      } else {
        check_node(in, counts_, children_, node, n_children);
      }
    }
  });
}

template <class Narrow>
void Classifiers::check_node(const ModelReader& in, const Array<Narrow>& all_counts, const Array<Narrow>& all_children,
                             std::size_t node, std::uint64_t n_children) const {
  const auto expect = [&](bool right, const char* what) {
    if (!right) in.damaged(fmt::format("damaged: the classifiers of node {}: {}", node, what));
  };
  const std::uint64_t n_keys = node_keys_[node + 1] - node_keys_[node];
  const std::uint64_t n_weights = node_weights_[node + 1] - node_weights_[node];
  const int bits = bucket_bits_[node];
  expect(bits <= hash_.bits() && hash_.bits() - bits <= kKeyBits, "number of buckets");
  const std::uint64_t n_buckets = std::uint64_t{1} << bits;
  expect(node_buckets_[node + 1] - node_buckets_[node] == n_buckets + 1, "borders of buckets");
  const auto keys = bucket_keys_.span().subspan(node_buckets_[node], n_buckets + 1);
  const auto weights = bucket_weights_.span().subspan(node_buckets_[node], n_buckets + 1);
  expect(keys.front() == 0 && keys.back() == n_keys && weights.front() == 0 && weights.back() == n_weights,
         "ends of buckets");
  const auto counts = all_counts.span().subspan(node_keys_[node], n_keys);
  for (std::uint64_t bucket = 0; bucket < n_buckets; ++bucket) {
    expect(keys[bucket] <= keys[bucket + 1] && keys[bucket + 1] <= n_keys, "order of buckets");
    std::uint64_t weight = weights[bucket];
    for (std::uint32_t key = keys[bucket]; key < keys[bucket + 1]; ++key) weight += std::uint64_t{counts[key]} + 1;
    expect(weight == weights[bucket + 1], "counts of weights");
  }
  const auto children = all_children.span().subspan(node_weights_[node], n_weights);
  expect(children.empty() || std::ranges::max(children) < n_children, "number of a child");
}

template <class Narrow>
void Classifiers::add_scores_as(const Array<Narrow>& all_counts, const Array<Narrow>& all_children, std::size_t node,
                                std::span<const std::uint32_t> hashes, std::span<const float> values,
                                float* scores) const {
  const int key_bits = hash_.bits() - bucket_bits_[node];
  const auto key_mask = static_cast<std::uint32_t>((std::uint64_t{1} << key_bits) - 1);
  const std::uint32_t* bucket_keys = bucket_keys_.data() + node_buckets_[node];
  const std::uint32_t* bucket_weights = bucket_weights_.data() + node_buckets_[node];
  const std::uint16_t* keys = keys_.data() + node_keys_[node];
  const Narrow* counts = all_counts.data() + node_keys_[node];
  const Narrow* children = all_children.data() + node_weights_[node];
  const std::uint8_t* codes = codes_.data() + node_weights_[node];
  const float* code_values = code_values_.data();
  for (std::size_t i = 0; i < hashes.size(); ++i) {
    const std::uint64_t bucket = std::uint64_t{hashes[i]} >> key_bits;
    const std::uint32_t key = hashes[i] & key_mask;
    const std::uint32_t end = bucket_keys[bucket + 1];
    std::uint32_t weight = bucket_weights[bucket];
    for (std::uint32_t k = bucket_keys[bucket]; k < end; weight += counts[k++] + 1u) {
      if (keys[k] != key) continue;
      const std::uint32_t last = weight + counts[k];
      for (; weight <= last; ++weight) scores[children[weight]] += values[i] * code_values[codes[weight]];
      break;
    }
  }
}

void Classifiers::add_scores(std::size_t node, std::span<const std::uint32_t> hashes, std::span<const float> values,
                             float* scores) const {
  if (wide_children_.size() == 0) {
    add_scores_as(counts_, children_, node, hashes, values, scores);
  } else {
    add_scores_as(wide_counts_, wide_children_, node, hashes, values, scores);
  }
}

}  // namespace xylem::parabel
