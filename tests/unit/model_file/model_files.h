// SPDX-License-Identifier: Apache-2.0
// What the tests of model files share: files made by hand, and what opening them says.
#pragma once

#include <gtest/gtest.h>

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

#include "core/file.h"
#include "core/hash.h"
#include "folder.h"
#include "model_file/reader.h"
#include "model_file/writer.h"
#include "xylem/error.h"

namespace xylem {

class ModelFiles : public testing::Test {
 protected:
  std::string path(const std::string& name = "m.xylem") const { return folder_ / name; }
  std::size_t files_in_folder() const { return folder_.entries(); }

  std::string put(std::string_view bytes) const {
    test::write_plain(path(), bytes);
    return path();
  }

  // What opening a file of these bytes says, without the path in front; "" where it opens. Anything but an Error of
  // kind kModel whose message begins with the path is a failure.
  std::string complaint(std::string_view bytes) const {
    put(bytes);
    return complaint([this] { ModelReader reader(path()); });
  }
  std::string complaint(const std::function<void()>& action) const {
    try {
      action();
    } catch (const Error& error) {
      const std::string message = error.what();
      EXPECT_EQ(error.kind(), ErrorKind::kModel) << message;
      EXPECT_TRUE(message.starts_with(path() + ": ")) << message;
      return message.substr(path().size() + 2);
    }
    return "";
  }

 private:
  test::Folder folder_;
};

inline std::string length_bytes(std::uint64_t length) {
  std::string bytes;
  for (int i = 0; i < 8; ++i) bytes += static_cast<char>(length >> (8 * i) & 0xff);
  return bytes;
}

inline constexpr std::string_view kNoChecksum = R"("checksum":"0000000000000000")";

// A file of this header and data whose checksum is right if the header has the text kNoChecksum.
inline std::string file_of(std::string header, std::string_view data) {
  while ((8 + header.size()) % 64 != 0) header += ' ';
  std::string bytes = length_bytes(header.size()) + header + std::string(data);
  const std::size_t at = bytes.find(kNoChecksum);
  if (at != std::string::npos) bytes.replace(at + 12, 16, checksum_text(hash_bytes(bytes)));
  return bytes;
}

// The same with the metadata of a good model in front of `arrays`.
inline std::string file_with_arrays(std::string_view arrays, std::string_view data) {
  const std::string comma = arrays.empty() ? "" : ",";
  return file_of(R"({"__metadata__":{)" + std::string(kNoChecksum) + R"(,"format":"xylem","format_version":"1"})" +
                     comma + std::string(arrays) + "}",
                 data);
}

}  // namespace xylem
