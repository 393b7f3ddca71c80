// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace xylem {

// Many texts in one piece of memory. UTF-8 without NUL bytes.
struct TextList {
  std::string bytes;
  std::vector<std::uint64_t> offsets{0};

  std::size_t size() const { return offsets.size() - 1; }
  std::string_view operator[](std::size_t i) const {
    return std::string_view(bytes).substr(offsets[i], offsets[i + 1] - offsets[i]);
  }
  void push_back(std::string_view text) {
    bytes.append(text);
    offsets.push_back(bytes.size());
  }
  void append(const TextList& more) {
    const std::uint64_t base = bytes.size();
    bytes += more.bytes;
    for (std::size_t i = 0; i < more.size(); ++i) offsets.push_back(base + more.offsets[i + 1]);
  }
  // Makes the list at least `n` long, with empty texts.
  void pad(std::size_t n) {
    if (size() < n) offsets.resize(n + 1, bytes.size());
  }
  void clear() {
    bytes.clear();
    offsets.assign(1, 0);
  }
  bool operator==(const TextList&) const = default;
};

// Texts that can be gone through several times, block by block, so that they need not be in memory all at once.
class TextBlocks {
 public:
  virtual ~TextBlocks() = default;
  virtual std::size_t size() const = 0;
  // Calls use(texts) for the blocks in order, on the thread of the caller. Each time the same texts, or an Error.
  virtual void for_each(const std::function<void(const TextList& texts)>& use) const = 0;
};

// Those of a list, which must outlive it.
class ListedTexts final : public TextBlocks {
 public:
  explicit ListedTexts(const TextList& texts) : texts_(texts) {}
  std::size_t size() const override { return texts_.size(); }
  void for_each(const std::function<void(const TextList& texts)>& use) const override { use(texts_); }

 private:
  const TextList& texts_;
};

}  // namespace xylem
