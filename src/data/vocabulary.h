// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "core/array.h"
#include "model_file/reader.h"
#include "model_file/writer.h"
#include "xylem/sparse.h"

namespace xylem {

// Finds the feature that a hash stands for. Two arrays that are used as they lie in the model file.
class Vocabulary {
 public:
  Vocabulary() = default;
  // Feature i has hashes[i]; no two are equal.
  explicit Vocabulary(std::vector<std::uint64_t> hashes);
  Vocabulary(const ModelReader& in, const std::string& prefix);
  void save(ModelWriter& out, const std::string& prefix) const;

  std::size_t size() const { return hashes_.size(); }

  // Puts into features[i] the one of hashes[i], or size() where there is none. Many at once, because each would wait
  // for memory on its own.
  void find(std::span<const std::uint64_t> hashes, std::vector<Feature>& features) const;

 private:
  Array<std::uint64_t> hashes_;
  // Open addressing: a power of two of slots, at least one empty, which holds size(). A hash is looked for from the
  // slot that its low bits name on, up to an empty one.
  Array<Feature> slots_;
};

}  // namespace xylem
