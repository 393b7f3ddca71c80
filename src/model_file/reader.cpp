// SPDX-License-Identifier: Apache-2.0
#include "model_file/reader.h"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <bit>
#include <limits>
#include <optional>

#include "core/fail.h"
#include "core/hash.h"
#include "core/numbers.h"
#include "core/parallel.h"
#include "core/text.h"

namespace xylem {
namespace {

constexpr std::size_t kBlock = std::size_t{1} << 23;  // bytes loaded and hashed at a time
constexpr std::size_t kChunk = std::size_t{1} << 18;  // elements that a thread checks at a time
constexpr auto kNone = std::numeric_limits<std::size_t>::max();

std::uint64_t little_endian(const char* bytes) {
  std::uint64_t value = 0;
  for (std::size_t i = kLengthBytes; i-- > 0;) value = value << 8 | static_cast<unsigned char>(bytes[i]);
  return value;
}

// Elements of a shape, or nothing where 64 bits cannot count them.
std::optional<std::uint64_t> elements(const std::vector<std::uint64_t>& shape) {
  std::uint64_t product = 1;
  for (const std::uint64_t dimension : shape) {
    if (__builtin_mul_overflow(product, dimension, &product)) return std::nullopt;
  }
  return product;
}

// The first place in 0 .. n-1 that is wrong, or kNone; the same for any number of threads. `suspicious(begin, end)` is
// a loop without branches that the compiler turns into vector instructions; `wrong(i)` decides, and is only asked where
// something is suspicious.
template <class Suspicious, class Wrong>
std::size_t first_wrong(std::size_t n, Suspicious suspicious, Wrong wrong) {
  std::atomic<std::size_t> first{kNone};
  parallel_for(n, kChunk, [&](std::size_t begin, std::size_t end) {
    if (!suspicious(begin, end)) return;
    while (begin < end && !wrong(begin)) ++begin;
    if (begin == end) return;
    std::size_t known = first.load();
    while (begin < known && !first.compare_exchange_weak(known, begin)) {
    }
  });
  return first;
}

}  // namespace

ModelReader::ModelReader(const std::string& path) : path_(path), file_(map_file(path)) {
  if (file_.size < kLengthBytes) {
    damaged(fmt::format("not a xylem model: it is {} bytes long, expected at least {}", file_.size, kLengthBytes));
  }
  load_pages(file_, 0, kLengthBytes, path_);
  const std::uint64_t length = little_endian(file_.bytes.get());
  const std::uint64_t longest = std::min<std::uint64_t>(kMaxHeaderBytes, file_.size - kLengthBytes);
  if (length > longest) {
    damaged(fmt::format("not a xylem model, or cut off: its header would be {} bytes long, at most {} are possible",
                        length, longest));
  }
  const std::string_view text(file_.bytes.get() + kLengthBytes, length);
  load_pages(file_, 0, kLengthBytes + length, path_);
  Header header = parse_model_header(text);
  check_format(header);
  check_sum(text);
  check_layout(header.arrays, kLengthBytes + length);
  texts_ = std::move(header.texts);
  arrays_ = std::move(header.arrays);
}

// Who wrote it comes first: the header of a stranger or of a later version may be odd and yet not damaged.
void ModelReader::check_format(const Header& header) const {
  const auto format = header.texts.find("format");
  if (format == header.texts.end() || format->second != kFormat) {
    damaged(fmt::format("not a xylem model: {}", !header.complaint.empty() ? "in its header, " + header.complaint
                                                 : format == header.texts.end()
                                                     ? "its metadata has no format"
                                                     : "its format is " + quote(format->second)));
  }
  const auto text = header.texts.find("format_version");
  const auto version = text == header.texts.end() ? std::nullopt : parse_number<std::uint64_t>(text->second);
  if (version.value_or(0) > kFormatVersion) {
    damaged(fmt::format("written by a newer version of xylem: its format is {}, this program reads up to {}", *version,
                        kFormatVersion));
  }
  if (!header.complaint.empty()) damaged("damaged: in its header, " + header.complaint);
  if (version.value_or(0) == 0) {
    damaged(fmt::format("damaged: its format_version is {}, expected a number from 1 to {}",
                        text == header.texts.end() ? "missing" : quote(text->second), kFormatVersion));
  }
}

// Block by block, so that a file larger than the memory is read once. Loading ahead on another thread was tried: it
// gains nothing in a warm cache on two cores, with large pages nor small ones.
void ModelReader::check_sum(std::string_view header) const {
  const std::size_t digits = find_checksum(header);
  if (digits == std::string_view::npos) {
    damaged(fmt::format("damaged: its metadata must hold one checksum of {} lower-case hexadecimal digits",
                        kChecksumDigits));
  }
  const std::string found(header.substr(digits, kChecksumDigits));
  const char* bytes = file_.bytes.get();
  const std::size_t at = kLengthBytes + digits;
  Hasher hasher;
  hasher.add({bytes, at});
  hasher.add(checksum_text(0));
  for (std::size_t begin = 0, done = at + kChecksumDigits; begin < file_.size; begin += kBlock) {
    const std::size_t end = std::min(begin + kBlock, file_.size);
    load_pages(file_, begin, end - begin, path_);
    if (end <= done) continue;
    hasher.add({bytes + done, end - done});
    done = end;
  }
  const std::string expected = checksum_text(hasher.digest());
  if (found != expected) {
    damaged(fmt::format("damaged: its checksum is {}, the content gives {}", found, expected));
  }
}

// Fills in what parsing left open, and leaves the arrays in the order of the file.
void ModelReader::check_layout(std::vector<ArrayInfo>& arrays, std::uint64_t data_begin) const {
  if (data_begin % kDataAlignment != 0) {
    damaged(fmt::format("damaged: the data begin at byte {}, expected a multiple of {}", data_begin, kDataAlignment));
  }
  std::ranges::stable_sort(arrays, {}, [](const ArrayInfo& array) { return std::pair(array.begin, array.bytes); });
  std::uint64_t end = 0;  // counted as in the header
  for (ArrayInfo& array : arrays) {
    const auto size = elements(array.shape);
    std::uint64_t bytes = 0;
    if (!size || __builtin_mul_overflow(*size, dtype_size(array.dtype), &bytes) || bytes != array.bytes) {
      damaged(fmt::format("damaged: array {} has {} bytes, its shape needs {}", quote(array.name), array.bytes,
                          size ? fmt::format("{} times {}", *size, dtype_size(array.dtype)) : "more than 2^64"));
    }
    if (array.begin != end) {
      damaged(fmt::format("damaged: array {} begins at {}, expected {}, where the one before ends", quote(array.name),
                          array.begin, end));
    }
    if (array.begin % dtype_size(array.dtype) != 0) {
      damaged(fmt::format("damaged: array {} begins at {}, expected a multiple of {}", quote(array.name), array.begin,
                          dtype_size(array.dtype)));
    }
    if (array.bytes > file_.size - data_begin - end) {
      damaged(fmt::format("damaged: array {} has {} bytes, the file holds {} more", quote(array.name), array.bytes,
                          file_.size - data_begin - end));
    }
    end += array.bytes;
    array.size = *size;
    array.begin += data_begin;
  }
  if (end != file_.size - data_begin) {
    damaged(fmt::format("damaged: the arrays have {} bytes, the file holds {}", end, file_.size - data_begin));
  }
}

const std::string& ModelReader::text(std::string_view name) const {
  const auto found = texts_.find(full_name(name));
  if (found == texts_.end()) damaged(fmt::format("damaged: it has no text '{}'", full_name(name)));
  return found->second;
}

std::map<std::string, std::string, std::less<>> ModelReader::texts_below(std::string_view prefix) const {
  const std::string begin = full_name(prefix);
  std::map<std::string, std::string, std::less<>> result;
  for (auto text = texts_.lower_bound(begin); text != texts_.end() && text->first.starts_with(begin); ++text) {
    result.emplace(text->first.substr(begin.size()), text->second);
  }
  return result;
}

std::uint64_t ModelReader::number(std::string_view name, std::uint64_t max) const {
  const std::string& found = text(name);
  const auto value = parse_number<std::uint64_t>(found);
  if (!value || *value > max) {
    damaged(fmt::format("damaged: '{}' is {}, expected a whole number up to {}", full_name(name), quote(found), max));
  }
  return *value;
}

bool ModelReader::has_array(std::string_view name) const {
  return std::ranges::find(arrays_, full_name(name), &ArrayInfo::name) != arrays_.end();
}

TextList ModelReader::strings(const std::string& name) const {
  const auto bytes = array<std::uint8_t>(name + ".bytes");
  const std::string offsets_name = name + ".offsets";
  const std::uint64_t n_offsets = find(offsets_name, Dtype::kU64).size;
  const auto borders = offsets(offsets_name, n_offsets == 0 ? 0 : n_offsets - 1, bytes.size());
  return {{bytes.begin(), bytes.end()}, {borders.begin(), borders.end()}};
}

Array<std::uint64_t> ModelReader::offsets(std::string_view name, std::uint64_t n, std::uint64_t end) const {
  Array<std::uint64_t> result = array<std::uint64_t>(name);
  if (result.size() == 0 || result.size() - 1 != n) {  // n + 1 may be more than 64 bits hold
    damaged(
        fmt::format("damaged: array '{}' has {} elements, expected 1 more than {}", full_name(name), result.size(), n));
  }
  const std::uint64_t* values = result.data();
  if (values[0] != 0) damaged(fmt::format("damaged: {}[0] is {}, expected 0", full_name(name), values[0]));
  if (values[n] != end) damaged(fmt::format("damaged: {}[{}] is {}, expected {}", full_name(name), n, values[n], end));
  const auto suspicious = [values](std::size_t from, std::size_t to) {
    // A fall sets the top bit of the difference, as long as no offset itself has it.
    std::uint64_t top_bits = 0;
    for (std::size_t i = from; i < to; ++i) top_bits |= values[i] | (values[i + 1] - values[i]);
    return top_bits >> 63 != 0;
  };
  const std::size_t wrong = first_wrong(n, suspicious, [values](std::size_t i) { return values[i] > values[i + 1]; });
  if (wrong != kNone) {
    damaged(fmt::format("damaged: {}[{}] is {}, expected at least {}, the one before", full_name(name), wrong + 1,
                        values[wrong + 1], values[wrong]));
  }
  return result;
}

Array<std::uint32_t> ModelReader::ids(std::string_view name, std::uint64_t size, std::uint64_t bound) const {
  Array<std::uint32_t> result = array<std::uint32_t>(name, size);
  const std::uint32_t* values = result.data();
  const auto suspicious = [values, bound](std::size_t from, std::size_t to) {
    std::uint32_t largest = 0;
    for (std::size_t i = from; i < to; ++i) largest = std::max(largest, values[i]);
    return largest >= bound;
  };
  const std::size_t wrong = first_wrong(size, suspicious, [=](std::size_t i) { return values[i] >= bound; });
  if (wrong != kNone) {
    damaged(fmt::format("damaged: {}[{}] is {}, expected less than {}", full_name(name), wrong, values[wrong], bound));
  }
  return result;
}

Array<float> ModelReader::finite(std::string_view name, std::uint64_t size) const {
  Array<float> result = array<float>(name, size);
  const float* values = result.data();
  // Without the sign, the bits of infinity and of every NaN are the largest.
  constexpr std::uint32_t kInfinity = 0x7f800000;
  const auto bits = [values](std::size_t i) { return std::bit_cast<std::uint32_t>(values[i]) & 0x7fffffff; };
  const auto suspicious = [bits](std::size_t from, std::size_t to) {
    std::uint32_t largest = 0;
    for (std::size_t i = from; i < to; ++i) largest = std::max(largest, bits(i));
    return largest >= kInfinity;
  };
  const std::size_t wrong = first_wrong(size, suspicious, [bits](std::size_t i) { return bits(i) >= kInfinity; });
  if (wrong != kNone) {
    damaged(fmt::format("damaged: {}[{}] is {}, expected a finite number", full_name(name), wrong, values[wrong]));
  }
  return result;
}

void ModelReader::damaged(const std::string& what) const {
  fail(ErrorKind::kModel, "{}: {}", path_, what);
}

const ArrayInfo& ModelReader::find(std::string_view name, Dtype dtype) const {
  const std::string full = full_name(name);
  const auto found = std::ranges::find(arrays_, full, &ArrayInfo::name);
  if (found == arrays_.end()) damaged(fmt::format("damaged: it has no array '{}'", full));
  if (found->dtype != dtype) {
    damaged(fmt::format("damaged: array '{}' is {}, expected {}", full, dtype_name(found->dtype), dtype_name(dtype)));
  }
  return *found;
}

void ModelReader::fail_size(std::string_view name, std::uint64_t found, std::uint64_t expected) const {
  damaged(fmt::format("damaged: array '{}' has {} elements, expected {}", full_name(name), found, expected));
}

}  // namespace xylem
