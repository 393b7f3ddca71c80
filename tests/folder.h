// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <stdlib.h>

#include <cstddef>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <stdexcept>
#include <string>
#include <string_view>

namespace xylem::test {

// An empty folder of a test's own, removed with all it holds when it goes.
class Folder {
 public:
  Folder() : path_((std::filesystem::temp_directory_path() / "xylem-test-XXXXXX").string()) {
    if (::mkdtemp(path_.data()) == nullptr) throw std::runtime_error("cannot make a folder for the test");
  }
  ~Folder() { std::filesystem::remove_all(path_); }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;

  const std::string& path() const { return path_; }
  std::string operator/(const std::string& name) const { return path_ + "/" + name; }
  std::size_t entries() const {
    const std::filesystem::directory_iterator list(path_);
    return static_cast<std::size_t>(std::distance(begin(list), end(list)));
  }

 private:
  std::string path_;
};

inline void write_plain(const std::string& path, std::string_view bytes) {
  std::filesystem::remove(path);  // ext4 flushes a file that is emptied and written anew, which takes milliseconds
  std::ofstream(path, std::ios::binary) << bytes;
}

}  // namespace xylem::test
