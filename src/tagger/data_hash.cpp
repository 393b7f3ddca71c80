// SPDX-License-Identifier: Apache-2.0
#include "tagger/data_hash.h"

#include <fmt/format.h>

#include <cstdint>
#include <vector>

#include "core/bytes.h"
#include "core/hash.h"

namespace xylem {

std::string data_hash(const Dataset& data) {
  return data_hash(data, shape_of(data));
}

std::string data_hash(const Dataset& data, const DataShape& shape) {
  Hasher hasher;
  const std::vector<std::uint64_t> sizes = {shape.features, shape.labels};
  hasher.add(bytes_of(sizes));
  hasher.add(bytes_of(data.features.offsets));
  hasher.add(bytes_of(data.features.ids));
  hasher.add(bytes_of(data.features.values));
  hasher.add(bytes_of(data.labels.offsets));
  hasher.add(bytes_of(data.labels.ids));
  return fmt::format("{:016x}", hasher.digest());
}

}  // namespace xylem
