// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <utility>
#include <vector>

namespace xylem {

// An immutable array whose memory is its own or a part of something larger, a mapped file say. Copies share the memory,
// so that a model does not care whether it was trained or loaded, and a writer can hold on to what it will write.
template <class T>
class Array {
 public:
  Array() = default;
  Array(std::vector<T> values) {  // NOLINT: a vector is an array
    auto owned = std::make_shared<const std::vector<T>>(std::move(values));
    view_ = *owned;
    owner_ = std::move(owned);
  }
  Array(std::span<const T> view, std::shared_ptr<const void> owner) : view_(view), owner_(std::move(owner)) {}

  std::size_t size() const { return view_.size(); }
  const T* data() const { return view_.data(); }
  const T& operator[](std::size_t i) const { return view_[i]; }
  auto begin() const { return view_.begin(); }
  auto end() const { return view_.end(); }
  std::span<const T> span() const { return view_; }

 private:
  std::span<const T> view_;
  std::shared_ptr<const void> owner_;
};

}  // namespace xylem
