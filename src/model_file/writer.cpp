// SPDX-License-Identifier: Apache-2.0
#include "model_file/writer.h"

#include <algorithm>
#include <cassert>
#include <nlohmann/json.hpp>
#include <numeric>

#include "core/fail.h"
#include "core/hash.h"
#include "core/text.h"
#include "model_file/header.h"

namespace xylem {
namespace {

std::string little_endian(std::uint64_t value) {
  std::string bytes(kLengthBytes, '\0');
  for (char& byte : bytes) {
    byte = static_cast<char>(value & 0xff);
    value >>= 8;
  }
  return bytes;
}

bool is_utf8(const std::string& text) {
  try {
    (void)nlohmann::json(text).dump();
    return true;
  } catch (const nlohmann::json::exception&) {
    return false;
  }
}

}  // namespace

void ModelWriter::text(std::string name, std::string value) {
  name.insert(0, scope_);
  assert(is_plain_name(name) && !texts_.contains(name));
  assert(name != "format" && name != "format_version" && name != "checksum");
  if (!is_utf8(value)) fail(ErrorKind::kUsage, "the text '{}' of a model must be UTF-8, found {}", name, quote(value));
  texts_.emplace(std::move(name), std::move(value));
}

void ModelWriter::add(Entry entry) {
  entry.name.insert(0, scope_);
  assert(is_plain_name(entry.name) && entry.name != "__metadata__");
  assert(std::ranges::none_of(entries_, [&](const Entry& other) { return other.name == entry.name; }));
  if (entry.shape.empty()) entry.shape = {entry.size};
  assert(entry.shape.size() <= kMaxDimensions);
  assert(std::accumulate(entry.shape.begin(), entry.shape.end(), std::uint64_t{1}, std::multiplies<>()) == entry.size);
  entries_.push_back(std::move(entry));
}

void ModelWriter::strings(const std::string& name, const TextList& values) {
  add({name + ".bytes", dtype_of<std::uint8_t>, {}, values.bytes.size(), values.bytes, nullptr});
  array(name + ".offsets", Array<std::uint64_t>(values.offsets, nullptr));
}

void ModelWriter::write(const std::string& path, IfExists if_exists) const {
  // Element sizes are powers of two, so larger ones first makes every array aligned without holes.
  std::vector<const Entry*> order;
  for (const Entry& entry : entries_) order.push_back(&entry);
  std::ranges::stable_sort(order, std::greater<>(), [](const Entry* entry) { return dtype_size(entry->dtype); });

  std::vector<ArrayInfo> arrays;
  std::uint64_t begin = 0;
  for (const Entry* entry : order) {
    arrays.push_back({entry->name, entry->dtype, entry->shape, entry->size, begin, entry->bytes.size()});
    begin += entry->bytes.size();
  }
  std::string header = header_text(texts_, arrays);
  if (header.size() > kMaxHeaderBytes) {
    fail(ErrorKind::kUsage, "cannot write {}: its metadata takes {}, at most {} are allowed", path,
         format_bytes(header.size()), format_bytes(kMaxHeaderBytes));
  }
  const std::string length = little_endian(header.size());

  OutputFile file(path, if_exists);  // before the hash: what cannot be written should not take time
  Hasher hasher;
  hasher.add(length);
  hasher.add(header);
  for (const Entry* entry : order) hasher.add(entry->bytes);
  header.replace(find_checksum(header), kChecksumDigits, checksum_text(hasher.digest()));

  file.write(length);
  file.write(header);
  for (const Entry* entry : order) file.write(entry->bytes);
  file.commit();
}

}  // namespace xylem
