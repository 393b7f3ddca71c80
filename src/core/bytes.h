// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstring>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "core/fail.h"

namespace xylem {

// Plain values as bytes, one array after the other, for what this machine reads back itself.
template <class T>
void append_bytes(std::string& bytes, std::span<const T> values) {
  static_assert(std::is_trivially_copyable_v<T>);
  bytes.append(reinterpret_cast<const char*>(values.data()), values.size_bytes());
}
template <class T>
void append_bytes(std::string& bytes, std::span<T> values) {
  append_bytes(bytes, std::span<const T>(values));
}

// For bytes of a checkpoint whose checksum is right, and that are not what this program writes.
[[noreturn]] inline void fail_foreign_checkpoint() {
  fail(ErrorKind::kUsage,
       "the checkpoint holds what this program does not write: delete its folder and begin without --resume");
}

// Fills `values` from the front of `bytes`. Throws kUsage where these are too few: somebody else has written them.
template <class T>
void take_bytes(std::string_view& bytes, std::span<T> values) {
  static_assert(std::is_trivially_copyable_v<T>);
  if (bytes.size() < values.size_bytes()) fail_foreign_checkpoint();
  if (!values.empty()) std::memcpy(values.data(), bytes.data(), values.size_bytes());
  bytes.remove_prefix(values.size_bytes());
}

// So many from the front of `bytes`.
template <class T>
std::vector<T> take_values(std::string_view& bytes, std::size_t n) {
  std::vector<T> values(n);
  take_bytes(bytes, std::span(values));
  return values;
}

}  // namespace xylem
