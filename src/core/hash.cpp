// SPDX-License-Identifier: Apache-2.0
#include "core/hash.h"

#define XXH_INLINE_ALL  // compiled here, for this build's instruction set; Debian's library is built for the oldest CPU
#include <xxhash.h>

namespace xylem {

std::uint64_t hash_bytes(std::string_view bytes) {
  return XXH3_64bits(bytes.data(), bytes.size());
}

struct alignas(64) Hasher::State {
  XXH3_state_t xxh;
};

Hasher::Hasher() : state_(std::make_unique<State>()) {
  XXH3_64bits_reset(&state_->xxh);
}
Hasher::~Hasher() = default;

void Hasher::add(std::string_view bytes) {
  XXH3_64bits_update(&state_->xxh, bytes.data(), bytes.size());
}

std::uint64_t Hasher::digest() const {
  return XXH3_64bits_digest(&state_->xxh);
}

}  // namespace xylem
