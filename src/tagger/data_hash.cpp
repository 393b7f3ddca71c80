// SPDX-License-Identifier: Apache-2.0
#include "tagger/data_hash.h"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "core/bytes.h"
#include "core/hash.h"
#include "core/row_blocks.h"

namespace xylem {
namespace {

template <class T>
std::string_view bytes_between(const std::vector<T>& values, std::uint64_t begin, std::uint64_t end) {
  return {reinterpret_cast<const char*>(values.data() + begin), (end - begin) * sizeof(T)};
}

}  // namespace

std::string data_hash(const Dataset& data) {
  return data_hash(data, shape_of(data));
}

std::string data_hash(const Dataset& data, const DataShape& shape) {
  std::vector<std::uint64_t> blocks;
  for (std::size_t first = 0; first < data.size(); first += kBlockRows) {
    blocks.push_back(block_hash(data, first, std::min(kBlockRows, data.size() - first)));
  }
  return hash_of_blocks(blocks, shape);
}

std::uint64_t block_hash(const Dataset& data, std::size_t first, std::size_t n) {
  const std::vector<std::uint64_t>& features = data.features.offsets;
  const std::vector<std::uint64_t>& labels = data.labels.offsets;
  std::vector<std::uint64_t> lengths;  // of every row: how many features, how many labels
  for (std::size_t row = first; row < first + n; ++row) {
    lengths.push_back(features[row + 1] - features[row]);
    lengths.push_back(labels[row + 1] - labels[row]);
  }
  Hasher hasher;
  hasher.add(bytes_of(lengths));
  hasher.add(bytes_between(data.features.ids, features[first], features[first + n]));
  hasher.add(bytes_between(data.features.values, features[first], features[first + n]));
  hasher.add(bytes_between(data.labels.ids, labels[first], labels[first + n]));
  return hasher.digest();
}

std::string hash_of_blocks(std::span<const std::uint64_t> blocks, const DataShape& shape) {
  std::vector<std::uint64_t> parts = {shape.features, shape.labels};
  parts.insert(parts.end(), blocks.begin(), blocks.end());
  return fmt::format("{:016x}", hash_bytes(bytes_of(parts)));
}

}  // namespace xylem
