// SPDX-License-Identifier: Apache-2.0
#include "data/vocabulary.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <limits>

namespace xylem {

Vocabulary::Vocabulary(std::vector<std::uint64_t> hashes) : hashes_(std::move(hashes)) {
  const auto empty = static_cast<Feature>(size());
  std::vector<Feature> slots(std::bit_ceil(2 * size() + 1), empty);
  const std::size_t mask = slots.size() - 1;
  for (Feature feature = 0; feature < empty; ++feature) {
    std::size_t slot = hashes_[feature] & mask;
    while (slots[slot] != empty) slot = (slot + 1) & mask;
    slots[slot] = feature;
  }
  slots_ = std::move(slots);
}

Vocabulary::Vocabulary(const ModelReader& in, const std::string& prefix)
    : hashes_(in.array<std::uint64_t>(prefix + ".hashes")) {
  if (size() >= std::numeric_limits<Feature>::max()) {
    in.damaged(fmt::format("damaged: {} features, expected fewer than 2^32 - 1", size()));
  }
  const std::string name = prefix + ".slots";
  const std::size_t n_slots = in.array<Feature>(name).size();
  if (!std::has_single_bit(n_slots)) {
    in.damaged(fmt::format("damaged: array '{}' has {} elements, expected a power of two", name, n_slots));
  }
  slots_ = in.ids(name, n_slots, size() + 1);
  if (std::ranges::find(slots_, static_cast<Feature>(size())) == slots_.end()) {
    in.damaged(fmt::format("damaged: array '{}' has no empty slot, expected one that is {}", name, size()));
  }
}

void Vocabulary::save(ModelWriter& out, const std::string& prefix) const {
  out.array(prefix + ".hashes", hashes_);
  out.array(prefix + ".slots", slots_);
}

void Vocabulary::find(std::span<const std::uint64_t> hashes, std::vector<Feature>& features) const {
  constexpr std::size_t kBlock = 32;  // lookups under way at once
  const std::uint64_t* const known = hashes_.data();
  const Feature* const slots = slots_.data();
  const auto empty = static_cast<Feature>(size());
  const std::size_t mask = slots_.size() - 1;
  features.resize(hashes.size());
  for (std::size_t begin = 0; begin < hashes.size(); begin += kBlock) {
    const std::size_t end = std::min(begin + kBlock, hashes.size());
    for (std::size_t i = begin; i < end; ++i) __builtin_prefetch(slots + (hashes[i] & mask));
    for (std::size_t i = begin; i < end; ++i) {
      features[i] = slots[hashes[i] & mask];
      __builtin_prefetch(known + features[i]);
    }
    for (std::size_t i = begin; i < end; ++i) {
      Feature feature = features[i];
      for (std::size_t slot = hashes[i] & mask; feature != empty && known[feature] != hashes[i];) {
        slot = (slot + 1) & mask;
        feature = slots[slot];
      }
      features[i] = feature;
    }
  }
}

}  // namespace xylem
