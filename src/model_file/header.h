// SPDX-License-Identifier: Apache-2.0
// The JSON header of a model file: to text and back. docs/model-format.md describes the bytes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "model_file/dtype.h"

namespace xylem {

inline constexpr std::string_view kFormat = "xylem";
inline constexpr std::uint64_t kFormatVersion = 1;
inline constexpr std::size_t kLengthBytes = 8;     // the header's length stands in front of it
inline constexpr std::size_t kDataAlignment = 64;  // of the first byte after the header: a cache line
inline constexpr std::size_t kMaxHeaderBytes = std::size_t{64} << 20;  // bounds what a hostile header can cost
inline constexpr std::size_t kMaxDimensions = 8;

struct ArrayInfo {
  std::string name;
  Dtype dtype;
  std::vector<std::uint64_t> shape;
  std::uint64_t size;   // elements
  std::uint64_t begin;  // bytes from the start of the file
  std::uint64_t bytes;
};

// Not empty, and printable ASCII that JSON writes as it is.
bool is_plain_name(std::string_view name);

// The header of arrays that begin where `begin` says, here counted from the first byte after the header; padded, and
// with `checksum` 0.
std::string header_text(const std::map<std::string, std::string>& texts, const std::vector<ArrayInfo>& arrays);

struct Header {
  std::map<std::string, std::string> texts;
  std::vector<ArrayInfo>
      arrays;             // as header_text takes them; `size` is not yet known, nothing is compared with anything
  std::string complaint;  // why the text is no header, or empty; what came before it is in texts and arrays
};
// Takes hostile text: time and memory are in proportion to its length, whatever its nesting.
Header parse_model_header(std::string_view text);

// The 16 digits of the checksum in the text of a header: where they begin, or npos unless there is exactly one such
// place.
inline constexpr std::size_t kChecksumDigits = 16;
std::size_t find_checksum(std::string_view header);
std::string checksum_text(std::uint64_t checksum);

}  // namespace xylem
