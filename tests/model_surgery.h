// SPDX-License-Identifier: Apache-2.0
// Model files that are wrong on purpose.
#pragma once

#include <cstring>
#include <limits>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "core/file.h"
#include "core/hash.h"
#include "kind_of_error.h"
#include "model_file/reader.h"

namespace xylem::test {

// Makes the checksum right again, as docs/model-format.md says; a file without one stays as it is.
inline void fix_checksum(std::string& file) {
  const std::string key = "\"checksum\":\"";
  if (file.find(key) == std::string::npos) return;
  const std::size_t digits = file.find(key) + key.size();
  if (digits + 16 > file.size()) return;
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
               {std::numeric_limits<float>::quiet_NaN(), std::numeric_limits<float>::infinity(), -3e38f, 3e38f})
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

// The file with one of its texts replaced, one copy for each text and each value that is likely to break something.
inline std::vector<std::string> models_with_forged_texts(const std::string& path) {
  const ModelReader reader(path);
  const std::string whole = read_whole_file(path);
  std::vector<ArrayInfo> arrays = reader.arrays();
  const std::uint64_t data_begin = arrays.empty() ? whole.size() : arrays.front().begin;
  for (ArrayInfo& array : arrays) array.begin -= data_begin;
  const std::string deep(200'000, '[');
  std::vector<std::string> result;
  for (const auto& [name, ignored] : reader.texts()) {
    if (name == "format" || name == "format_version" || name == "checksum") continue;
    for (const std::string& value : {std::string(), std::string("0"), std::string("-1"), std::string("4294967296"),
                                     std::string("nonsense"), std::string("null"), std::string("{}"), deep}) {
      std::map<std::string, std::string> texts = reader.texts();
      for (const char* own : {"format", "format_version", "checksum"}) texts.erase(own);
      texts[name] = value;
      const std::string header = header_text(texts, arrays);
      std::string file;
      for (int i = 0; i < 8; ++i) file += static_cast<char>(header.size() >> (8 * i) & 0xff);
      file += header + whole.substr(data_begin);
      fix_checksum(file);
      result.push_back(std::move(file));
    }
  }
  return result;
}

}  // namespace xylem::test
