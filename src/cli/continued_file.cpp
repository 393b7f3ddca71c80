// SPDX-License-Identifier: Apache-2.0
#include "cli/continued_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cinttypes>
#include <cstdio>
#include <optional>
#include <utility>

#include "core/fail.h"
#include "core/part_files.h"

namespace xylem::cli {
namespace {

constexpr std::string_view kFirstLine = "xylem predict 1";  // the version of this file

std::string head_of(const RunIdentity& identity) {
  return fmt::format("{}\nmodel {}\noptions {}\n", kFirstLine, identity.model, identity.options);
}

std::string line_of(const Place& place) {
  return fmt::format("{} {:016x} {} {:016x}\n", place.rows, place.input_hash, place.output_bytes, place.output_hash);
}

std::optional<Place> place_in(const std::string& line) {
  Place place;
  int end = 0;
  const int n = std::sscanf(line.c_str(), "%" SCNu64 " %" SCNx64 " %" SCNu64 " %" SCNx64 "%n", &place.rows,
                            &place.input_hash, &place.output_bytes, &place.output_hash, &end);
  if (n != 4 || static_cast<std::size_t>(end) != line.size()) return std::nullopt;
  return place;
}

// The next line of `text`, which is taken away; nothing if the last one is torn.
std::optional<std::string> take_line(std::string_view& text) {
  const std::size_t end = text.find('\n');
  if (end == std::string_view::npos) return std::nullopt;
  std::string line(text.substr(0, end));
  text.remove_prefix(end + 1);
  return line;
}

// `name` is what messages call the file.
FileHandle open_file(const std::string& path, int flags, const std::string& name) {
  FileHandle file(::open(path.c_str(), flags | O_CLOEXEC, 0666));
  if (file.get() < 0) fail_io(fmt::format("cannot write {}", name));
  return file;
}

}  // namespace

ContinuedFile::ContinuedFile(std::string path, const RunIdentity& identity, Start start, bool can_be_continued)
    : path_(std::move(path)),
      target_(follow_links(path_)),
      part_path_(target_ + ".part"),
      state_path_(part_path_ + ".state"),
      identity_(identity),
      can_be_continued_(can_be_continued) {
  const bool exists = ::access(part_path_.c_str(), F_OK) == 0;
  if (exists && start == Start::kNew) {
    fail(ErrorKind::kUsage, "{} is left of a run that was stopped; --continue goes on with it, --force begins again",
         part_path_);
  }
  if (!exists && start == Start::kContinue) {
    fail(ErrorKind::kUsage, "--continue: there is no {} to go on with; leave the option out", part_path_);
  }
  if (start == Start::kContinue) go_on();
}

ContinuedFile::~ContinuedFile() {
  if (is_ours_ && !worth_keeping()) {
    ::unlink(state_path_.c_str());
    ::unlink(part_path_.c_str());
  }
  if (!can_be_continued_) forget_part_file(part_path_.c_str());
}

void ContinuedFile::open_part() {
  part_ = open_file(part_path_, O_RDWR | O_CREAT, path_);
  if (::flock(part_.get(), LOCK_EX | LOCK_NB) != 0) {
    fail(ErrorKind::kUsage, "{} is being written by another process; wait for its end, or choose another file",
         part_path_);
  }
}

void ContinuedFile::begin_new() {
  if (!can_be_continued_) note_part_file(part_path_.c_str());
  open_part();
  is_ours_ = true;
  if (::ftruncate(part_.get(), 0) != 0) fail_io(fmt::format("cannot write {}", path_));
  if (!can_be_continued_) return;
  state_ = open_file(state_path_, O_WRONLY | O_CREAT | O_TRUNC | O_APPEND, path_);
  append_state(head_of(identity_));
}

void ContinuedFile::go_on() {
  open_part();
  const std::string state = read_whole_file(state_path_);
  std::string_view rest = state;
  const auto refuse = [&](const std::string& why) {
    fail(ErrorKind::kUsage, "--continue: {}: {}; --force without --continue begins again", part_path_, why);
  };
  if (take_line(rest) != kFirstLine) refuse("its state file is not one of this program");
  if (take_line(rest) != "model " + identity_.model) refuse("it was begun with another model");
  if (const auto options = take_line(rest); options != "options " + identity_.options) {
    refuse(fmt::format("it was begun with other options ({})",
                       options.value_or("").substr(std::string_view("options ").size())));
  }
  while (const auto line = take_line(rest)) {
    const std::optional<Place> place = place_in(*line);
    if (!place) refuse("its state file is damaged");
    begin_ = *place;
  }
  const std::uint64_t n = read_first(part_, begin_.output_bytes, part_path_, [&](auto bytes) { output_.add(bytes); });
  if (n < begin_.output_bytes || (begin_.rows > 0 && output_.digest() != begin_.output_hash)) {
    refuse("it is not as it was left");
  }
  if (::ftruncate(part_.get(), static_cast<off_t>(begin_.output_bytes)) != 0 || ::lseek(part_.get(), 0, SEEK_END) < 0) {
    fail_io(fmt::format("cannot write {}", path_));
  }
  is_ours_ = true;
  place_ = begin_;
  state_ = open_file(state_path_, O_WRONLY | O_CREAT | O_TRUNC | O_APPEND, path_);  // without a torn last line
  append_state(head_of(identity_) + (begin_.rows > 0 ? line_of(begin_) : ""));
}

void ContinuedFile::write(std::string_view bytes, std::size_t n_rows, std::uint64_t input_hash) {
  if (part_.get() < 0) begin_new();
  write_bytes(part_, bytes, path_);
  output_.add(bytes);
  place_ = {place_.rows + n_rows, input_hash, place_.output_bytes + bytes.size(), output_.digest()};
  append_state(line_of(place_));
}

void ContinuedFile::append_state(std::string_view line) {
  if (!can_be_continued_) return;
  write_bytes(state_, line, path_);
}

void ContinuedFile::commit(std::string_view header, IfExists if_exists) {
  if (part_.get() < 0) begin_new();
  if (header.empty()) {
    take_over_rights(part_, target_);
    publish_file(part_, part_path_, target_, path_, if_exists);
  } else {
    OutputFile file(path_, if_exists);
    file.write(header);
    read_first(part_, place_.output_bytes, part_path_, [&](auto bytes) { file.write(bytes); });
    file.commit();
    ::unlink(part_path_.c_str());
  }
  ::unlink(state_path_.c_str());
  is_ours_ = false;
}

}  // namespace xylem::cli
