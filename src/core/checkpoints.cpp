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
constexpr std::string_view kEnding = ".checkpoint";

std::string checksum(std::string_view bytes) {
  return fmt::format("{:016x}", hash_bytes(bytes));
}

}  // namespace

FolderCheckpoints::FolderCheckpoints(std::string folder, Warn warn)
    : folder_(std::move(folder)), warn_(std::move(warn)) {
  std::error_code error;
  std::filesystem::create_directories(folder_, error);
  if (error) fail(ErrorKind::kIo, "cannot make the folder {}: {}", folder_, error.message());
  lock_.emplace(folder_);
  if (!lock_->is_held() && warn_) {
    warn_(fmt::format("{}: its file system has no locks; see to it that no second run uses the folder", folder_));
  }
  remove_files(false);
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
    if (warn_) {
      warn_(fmt::format("{} is damaged: its checksum does not match its content; this part is trained again", path));
    }
    return std::nullopt;
  }
  bytes.erase(0, kDigits);
  return bytes;
}

bool FolderCheckpoints::is_empty() const {
  std::error_code ignored;
  for (const auto& file : std::filesystem::directory_iterator(folder_, ignored)) {
    if (file.path().filename().string().ends_with(kEnding)) return false;
  }
  return true;
}

void FolderCheckpoints::clear() {
  remove_files(true);
}

void FolderCheckpoints::remove_files(bool whole_ones) const {
  std::error_code error;
  const std::string half_written = std::string(kEnding) + kPartMark;
  for (std::filesystem::directory_iterator file(folder_, error), end; !error && file != end; file.increment(error)) {
    const std::string name = file->path().filename().string();
    if (name.find(half_written) != std::string::npos || (whole_ones && name.ends_with(kEnding))) {
      std::filesystem::remove(file->path(), error);
      if (error) break;
    }
  }
  if (error) fail(ErrorKind::kIo, "cannot clear the folder {}: {}", folder_, error.message());
}

void ScopedCheckpoints::write(std::string_view name, std::string_view bytes) {
  std::string all = head_;
  all += bytes;
  all_.write(name, all);
}

std::optional<std::string> ScopedCheckpoints::read(std::string_view name) const {
  std::optional<std::string> bytes = all_.read(name);
  if (!bytes || !bytes->starts_with(head_)) return std::nullopt;
  bytes->erase(0, head_.size());
  return bytes;
}

}  // namespace xylem
