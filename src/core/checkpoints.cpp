// SPDX-License-Identifier: Apache-2.0
#include "core/checkpoints.h"

#include <fmt/format.h>

#include <filesystem>
#include <system_error>
#include <utility>

#include "core/fail.h"
#include "core/file.h"
#include "core/hash.h"

namespace xylem {
namespace {

constexpr std::size_t kDigits = 16;  // of the checksum in front of the bytes
constexpr const char* kEnding = ".checkpoint";

std::string checksum(std::string_view bytes) {
  return fmt::format("{:016x}", hash_bytes(bytes));
}

}  // namespace

FolderCheckpoints::FolderCheckpoints(std::string folder) : folder_(std::move(folder)) {
  std::error_code error;
  std::filesystem::create_directories(folder_, error);
  if (error) fail(ErrorKind::kIo, "cannot make the folder {}: {}", folder_, error.message());
}

std::string FolderCheckpoints::path_of(std::string_view name) const {
  return fmt::format("{}/{}{}", folder_, name, kEnding);
}

void FolderCheckpoints::write(std::string_view name, std::string_view bytes) {
  OutputFile file(path_of(name), IfExists::kReplace);
  file.write(checksum(bytes));
  file.write(bytes);
  file.commit();
}

std::optional<std::string> FolderCheckpoints::read(std::string_view name) const {
  const std::string path = path_of(name);
  std::error_code error;
  if (!std::filesystem::exists(path, error) && !error) return std::nullopt;  // other errors: reading says which
  std::string bytes = read_whole_file(path);
  if (bytes.size() < kDigits || bytes.substr(0, kDigits) != checksum(std::string_view(bytes).substr(kDigits))) {
    return std::nullopt;
  }
  return bytes.substr(kDigits);
}

void FolderCheckpoints::clear() {
  for (const auto& entry : std::filesystem::directory_iterator(folder_)) {
    if (entry.path().extension() == kEnding) std::filesystem::remove(entry.path());
  }
}

}  // namespace xylem
