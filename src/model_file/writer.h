// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "core/array.h"
#include "core/file.h"
#include "model_file/dtype.h"
#include "model_file/scope.h"
#include "xylem/text_list.h"

namespace xylem {

// Collects the texts and arrays of a model, or of several inside scopes, then writes them as one safetensors file
// (docs/model-format.md).
class ModelWriter {
 public:
  // A short text of the metadata; long ones belong into arrays.
  void text(std::string name, std::string value);

  // Keeps the array until the file is written. The product of the shape is the array's size; no shape: one dimension.
  template <class T>
  void array(std::string name, Array<T> values, std::vector<std::uint64_t> shape = {}) {
    add({std::move(name),
         dtype_of<T>,
         std::move(shape),
         values.size(),
         {reinterpret_cast<const char*>(values.data()), values.size() * sizeof(T)},
         std::make_shared<Array<T>>(values)});
  }

  // A list of strings: the bytes one after the other as `name.bytes` (U8), and where each begins, and the last ends, as
  // `name.offsets` (U64). They are not copied: the list must outlive the writer.
  void strings(const std::string& name, const TextList& values);
  void strings(const std::string& name, TextList&& values) = delete;

  // Writes the whole file or none. The same texts and arrays give the same bytes.
  void write(const std::string& path, IfExists if_exists) const;

 private:
  friend class Scope<ModelWriter>;
  struct Entry {
    std::string name;
    Dtype dtype;
    std::vector<std::uint64_t> shape;
    std::uint64_t size;
    std::string_view bytes;
    std::shared_ptr<const void> owner;
  };
  void add(Entry entry);

  std::string scope_;  // of the names given now; empty, or ends with a slash
  std::map<std::string, std::string> texts_;
  std::vector<Entry> entries_;
};

}  // namespace xylem
