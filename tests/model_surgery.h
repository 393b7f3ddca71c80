// SPDX-License-Identifier: Apache-2.0
// Model files that are wrong on purpose.
#pragma once

#include <cstring>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "core/file.h"
#include "core/hash.h"
#include "model_file/reader.h"
#include "xylem/error.h"

namespace xylem::test {

// The kind of the Error that `work` throws; nothing if it throws none.
inline std::optional<ErrorKind> kind_of_error(const auto& work) {
  try {
    work();
  } catch (const Error& error) {
    return error.kind();
  }
  return std::nullopt;
}

// Makes the checksum right again, as docs/model-format.md says.
inline void fix_checksum(std::string& file) {
  const std::string key = "\"checksum\":\"";
  const std::size_t digits = file.find(key) + key.size();
  file.replace(digits, 16, std::string(16, '0'));
  file.replace(digits, 16, fmt::format("{:016x}", hash_bytes(file)));
}

// The file with element `i` of an array replaced, one copy for each value that is likely to break something.
inline std::vector<std::string> forged_models(const std::string& path) {
  const std::string whole = read_whole_file(path);
  std::vector<std::string> result;
  const auto forge = [&](std::uint64_t place, auto value) {
    std::string forged = whole;
    std::memcpy(forged.data() + place, &value, sizeof(value));
    fix_checksum(forged);
    result.push_back(std::move(forged));
  };
  const ModelReader reader(path);
  for (const ArrayInfo& array : reader.arrays()) {
    const std::size_t element = dtype_size(array.dtype);
    for (std::uint64_t i = 0; i < array.size; ++i) {
      const std::uint64_t place = array.begin + i * element;
      switch (array.dtype) {
        case Dtype::kF32:
          for (const float value :
               {std::numeric_limits<float>::quiet_NaN(), std::numeric_limits<float>::infinity(), -3e38f})
            forge(place, value);
          break;
        case Dtype::kU32:
          for (const std::uint32_t value : {0u, 3u, 0x7fffffffu, 0xffffffffu}) forge(place, value);
          break;
        case Dtype::kU64:
          for (const std::uint64_t value : {0ull, 5ull, 1ull << 32, 1ull << 62, ~0ull}) forge(place, value);
          break;
        case Dtype::kU16:
        case Dtype::kBF16:
          for (const std::uint16_t value : {std::uint16_t{0}, std::uint16_t{0x7f80}, std::uint16_t{0xffff}})
            forge(place, value);
          break;
        case Dtype::kU8:
        case Dtype::kI8:
          for (const std::uint8_t value : {std::uint8_t{0}, std::uint8_t{0x80}, std::uint8_t{0xff}})
            forge(place, value);
          break;
        case Dtype::kF64:
          forge(place, std::numeric_limits<double>::quiet_NaN());
          break;
      }
    }
  }
  return result;
}

}  // namespace xylem::test
