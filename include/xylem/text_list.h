// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace xylem {

// A text that begins with its title, which has so many bytes; 0 if no title is known. A view, owns nothing.
struct TextView {
  std::string_view text;
  std::size_t title_bytes = 0;
};

// Many texts in one piece of memory. UTF-8 without NUL bytes.
struct TextList {
  std::string bytes;
  std::vector<std::uint64_t> offsets{0};
  std::vector<std::uint64_t> title_bytes = {};  // as in TextView; none at all while no text has a title

  std::size_t size() const { return offsets.size() - 1; }
  std::string_view operator[](std::size_t i) const {
    return std::string_view(bytes).substr(offsets[i], offsets[i + 1] - offsets[i]);
  }
  TextView view(std::size_t i) const { return {(*this)[i], title_bytes.empty() ? 0 : title_bytes[i]}; }
  void push_back(std::string_view text, std::size_t its_title_bytes = 0) {
    if (its_title_bytes > 0) title_bytes.resize(size(), 0);
    bytes.append(text);
    offsets.push_back(bytes.size());
    if (its_title_bytes > 0 || !title_bytes.empty()) title_bytes.push_back(its_title_bytes);
  }
  void append(const TextList& more) {
    if (!more.title_bytes.empty()) title_bytes.resize(size(), 0);
    title_bytes.insert(title_bytes.end(), more.title_bytes.begin(), more.title_bytes.end());
    const std::uint64_t base = bytes.size();
    bytes += more.bytes;
    for (std::size_t i = 0; i < more.size(); ++i) offsets.push_back(base + more.offsets[i + 1]);
    if (!title_bytes.empty()) title_bytes.resize(size(), 0);
  }
  // Makes the list at least `n` long, with empty texts.
  void pad(std::size_t n) {
    if (size() >= n) return;
    offsets.resize(n + 1, bytes.size());
    if (!title_bytes.empty()) title_bytes.resize(n, 0);
  }
  void clear() {
    bytes.clear();
    offsets.assign(1, 0);
    title_bytes.clear();
  }
  bool operator==(const TextList&) const = default;
};

// All texts of a list, which must outlive the result.
inline std::vector<TextView> views_of(const TextList& texts) {
  std::vector<TextView> views;
  for (std::size_t i = 0; i < texts.size(); ++i) views.push_back(texts.view(i));
  return views;
}

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
