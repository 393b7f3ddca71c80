// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string_view>

namespace xylem {

// While it lives, every name that a ModelWriter or ModelReader is given lies inside `name`: "knn.k" is "NAME/knn.k" of
// the file. So one file can hold several models of the same method, which never see each other's texts and arrays.
// Scopes nest.
template <class File>
class Scope {
 public:
  Scope(File& file, std::string_view name) : file_(file), outer_(file.scope_.size()) {
    file_.scope_.append(name).push_back('/');
  }
  ~Scope() { file_.scope_.resize(outer_); }
  Scope(const Scope&) = delete;
  Scope& operator=(const Scope&) = delete;

 private:
  File& file_;
  std::size_t outer_;
};

}  // namespace xylem
