// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/array.h"
#include "model_file/dtype.h"

namespace xylem {

struct ArrayInfo {
  std::string name;
  Dtype dtype;
  std::vector<std::uint64_t> shape;
  std::uint64_t size;   // elements
  std::uint64_t begin;  // bytes from the start of the file
  std::uint64_t bytes;
};

// A model file, mapped. Opening checks everything that can be checked without knowing the method: container, checksum,
// names, types, shapes, offsets. The content of arrays is checked by whoever asks for them, with the check_ functions.
// Whatever is wrong is an Error of kind kModel that begins with the file's name; the file is treated as hostile.
class ModelReader {
 public:
  // Throws kIo where the file cannot be opened, kModel where it is no model.
  explicit ModelReader(const std::string& path);

  const std::string& path() const { return path_; }
  const std::vector<ArrayInfo>& arrays() const { return arrays_; }  // in the order of the file
  const std::map<std::string, std::string>& texts() const { return texts_; }
  std::uint64_t file_size() const { return file_size_; }

  const std::string& text(std::string_view name) const;
  // A whole number written as a text, at most `max`.
  std::uint64_t number(std::string_view name, std::uint64_t max) const;

  bool has_array(std::string_view name) const;
  // The array with its element type checked; it shares the mapping, which lives as long as any array of it.
  template <class T>
  Array<T> array(std::string_view name) const {
    const ArrayInfo& info = find(name, dtype_of<T>);
    return {{reinterpret_cast<const T*>(mapped_.get() + info.begin), info.size}, mapped_};
  }
  // The same, with its number of elements checked.
  template <class T>
  Array<T> array(std::string_view name, std::uint64_t size) const {
    Array<T> result = array<T>(name);
    if (result.size() != size) fail_size(name, result.size(), size);
    return result;
  }
  std::vector<std::string> strings(const std::string& name) const;

  // CSR offsets: n + 1 of them, from 0, never falling, the last equal to `end`.
  Array<std::uint64_t> offsets(std::string_view name, std::uint64_t n, std::uint64_t end) const;
  // Ids that are all below `bound`.
  Array<std::uint32_t> ids(std::string_view name, std::uint64_t size, std::uint64_t bound) const;
  // Numbers none of which is infinite or NaN.
  Array<float> finite(std::string_view name, std::uint64_t size) const;

  // Throws kModel with the file's name in front.
  [[noreturn]] void damaged(const std::string& what) const;

 private:
  const ArrayInfo& find(std::string_view name, Dtype dtype) const;
  [[noreturn]] void fail_size(std::string_view name, std::uint64_t found, std::uint64_t expected) const;

  std::string path_;
  std::shared_ptr<const char> mapped_;
  std::uint64_t file_size_ = 0;
  std::map<std::string, std::string> texts_;
  std::vector<ArrayInfo> arrays_;
};

}  // namespace xylem
