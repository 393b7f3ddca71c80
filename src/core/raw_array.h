// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <memory>

namespace xylem {

// An array that is not filled before use; its pages cost nothing until they are touched.
template <class T>
class RawArray {
 public:
  // Room for `size` values, of which the first `kept` stay.
  void reserve(std::size_t size, std::size_t kept = 0) {
    if (size <= capacity_) return;
    auto values = std::make_unique_for_overwrite<T[]>(size);
    std::copy_n(values_.get(), kept, values.get());
    values_ = std::move(values);
    capacity_ = size;
  }
  std::size_t capacity() const { return capacity_; }
  T* data() { return values_.get(); }
  const T* data() const { return values_.get(); }

 private:
  std::unique_ptr<T[]> values_;
  std::size_t capacity_ = 0;
};

}  // namespace xylem
