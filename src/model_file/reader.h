// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/array.h"
#include "model_file/dtype.h"
#include "model_file/header.h"
#include "model_file/mapping.h"
#include "model_file/scope.h"
#include "xylem/text_list.h"

namespace xylem {

// A model file, mapped. Opening checks everything that can be checked without knowing the method: container, checksum,
// names, types, shapes, offsets. The content of arrays is checked by whoever asks for them, by asking for offsets(),
// ids() or finite(), on all threads of the calling arena. Whatever is wrong is an Error of kind kModel that begins with
// the file's name; the file is treated as hostile.
class ModelReader {
 public:
  // Throws kIo where the file cannot be opened, kModel where it is no model.
  explicit ModelReader(const std::string& path);

  const std::string& path() const { return path_; }
  const std::vector<ArrayInfo>& arrays() const { return arrays_; }  // in the order of the file
  // All of the file; scopes do not matter.
  const std::map<std::string, std::string>& texts() const { return texts_; }
  std::uint64_t file_size() const { return file_.size; }

  bool has_text(std::string_view name) const { return texts_.contains(full_name(name)); }
  const std::string& text(std::string_view name) const;
  // Those whose names begin with `prefix`, which is left out of the names here.
  std::map<std::string, std::string, std::less<>> texts_below(std::string_view prefix) const;
  // A whole number written as a text, at most `max`.
  std::uint64_t number(std::string_view name, std::uint64_t max) const;

  bool has_array(std::string_view name) const;
  // The array with its element type checked; it shares the mapping, which lives as long as any array of it.
  template <class T>
  Array<T> array(std::string_view name) const {
    const ArrayInfo& info = find(name, dtype_of<T>);
    return {{reinterpret_cast<const T*>(file_.bytes.get() + info.begin), info.size}, file_.bytes};
  }
  // The same, with its number of elements checked.
  template <class T>
  Array<T> array(std::string_view name, std::uint64_t size) const {
    Array<T> result = array<T>(name);
    if (result.size() != size) fail_size(name, result.size(), size);
    return result;
  }
  // A list written with ModelWriter::strings.
  TextList strings(const std::string& name) const;

  // CSR offsets: n + 1 of them, from 0, never falling, the last equal to `end`.
  Array<std::uint64_t> offsets(std::string_view name, std::uint64_t n, std::uint64_t end) const;
  // Ids that are all below `bound`.
  Array<std::uint32_t> ids(std::string_view name, std::uint64_t size, std::uint64_t bound) const;
  // Numbers none of which is infinite or NaN.
  Array<float> finite(std::string_view name, std::uint64_t size) const;

  // Throws kModel with the file's name in front: "m.xylem: " and `what`.
  [[noreturn]] void damaged(const std::string& what) const;

 private:
  friend class Scope<ModelReader>;
  std::string full_name(std::string_view name) const { return scope_ + std::string(name); }
  void check_format(const Header& header) const;
  void check_sum(std::string_view header) const;
  void check_layout(std::vector<ArrayInfo>& arrays, std::uint64_t data_begin) const;
  const ArrayInfo& find(std::string_view name, Dtype dtype) const;
  [[noreturn]] void fail_size(std::string_view name, std::uint64_t found, std::uint64_t expected) const;

  std::string scope_;  // of the names asked for now; empty, or ends with a slash
  std::string path_;
  MappedFile file_;
  std::map<std::string, std::string> texts_;
  std::vector<ArrayInfo> arrays_;
};

}  // namespace xylem
