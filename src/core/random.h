// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <span>
#include <utility>

namespace xylem {

// A stream of random numbers that depends only on its keys: (seed, tree, node), say, never on a thread or the clock.
// xoshiro256++ started by splitmix64; the same numbers on every machine, which <random>'s distributions do not promise.
class Random {
 public:
  Random(std::uint64_t seed, std::initializer_list<std::uint64_t> stream) {
    std::uint64_t key = seed;
    // mix(0) is 0: without the step, (0, {a, b}) would be the stream of (a, {b}).
    for (const std::uint64_t part : stream) key = mix(key + kStep) ^ part;
    for (std::uint64_t& word : state_) word = mix(key += kStep);
  }

  std::uint64_t bits() {
    const std::uint64_t result = std::rotl(state_[0] + state_[3], 23) + state_[0];
    const std::uint64_t t = state_[1] << 17;
    state_[2] ^= state_[0];
    state_[3] ^= state_[1];
    state_[1] ^= state_[2];
    state_[0] ^= state_[3];
    state_[2] ^= t;
    state_[3] = std::rotl(state_[3], 45);
    return result;
  }
  // In [0, 1).
  double uniform() { return static_cast<double>(bits() >> 11) * 0x1p-53; }
  // In 0 .. n-1, each equally likely; n is not 0.
  std::uint64_t below(std::uint64_t n) {
    __extension__ using Wide = unsigned __int128;
    Wide product = static_cast<Wide>(bits()) * n;
    if (static_cast<std::uint64_t>(product) < n) {
      const std::uint64_t refused = (0 - n) % n;
      while (static_cast<std::uint64_t>(product) < refused) product = static_cast<Wide>(bits()) * n;
    }
    return static_cast<std::uint64_t>(product >> 64);
  }
  // Standard normal, by the polar method.
  double normal() {
    while (true) {
      const double x = 2 * uniform() - 1;
      const double y = 2 * uniform() - 1;
      const double s = x * x + y * y;
      if (s > 0 && s < 1) return x * std::sqrt(-2 * std::log(s) / s);
    }
  }
  template <class T>
  void shuffle(std::span<T> values) {
    for (std::size_t i = values.size(); i > 1; --i) std::swap(values[i - 1], values[below(i)]);
  }

 private:
  static constexpr std::uint64_t kStep = 0x9e3779b97f4a7c15;  // splitmix64's

  static std::uint64_t mix(std::uint64_t x) {
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9;
    x = (x ^ (x >> 27)) * 0x94d049bb133111eb;
    return x ^ (x >> 31);
  }

  std::uint64_t state_[4];
};

}  // namespace xylem
