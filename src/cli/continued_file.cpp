// SPDX-License-Identifier: Apache-2.0
#include "cli/continued_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cinttypes>
#include <cstdio>
#include <nlohmann/json.hpp>
#include <optional>
#include <utility>
#include <vector>

#include "core/fail.h"
#include "core/file_lock.h"
#include "core/part_files.h"
#include "core/text.h"

namespace xylem::cli {
namespace {

constexpr std::string_view kFirstLine = "xylem predict 1";  // the version of this file

std::string head_of(const RunIdentity& identity) {
  return fmt::format("{}\nmodel {}\noptions {}\n", kFirstLine, identity.model, identity.options);
}

std::string line_of(const Place& place) {
  return fmt::format("{} {:016x} {} {:016x}\n", place.rows, place.input_hash, place.output_bytes, place.output_hash);
}

// Nothing if the line is damaged.
std::optional<Place> place_in(const std::string& line) {
  Place place;
  const int n = std::sscanf(line.c_str(), "%" SCNu64 " %" SCNx64 " %" SCNu64 " %" SCNx64, &place.rows,
                            &place.input_hash, &place.output_bytes, &place.output_hash);
  if (n != 4 || line_of(place) != line + '\n') return std::nullopt;
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

std::string shown(const nlohmann::json& value) {
  if (value.is_null() || value == "") return "none";
  return value.is_string() ? quote(value.get<std::string>()) : value.dump();
}

// "-k 5 then, 4 now; --format 'jsonl' then, 'xmlrepo' now", of two JSON objects.
std::string changes_text(const std::string& then, const std::string& now) {
  const auto before = nlohmann::json::parse(then, nullptr, false), after = nlohmann::json::parse(now, nullptr, false);
  if (!before.is_object() || !after.is_object()) return quote(then);
  nlohmann::json names = before;
  names.update(after);
  std::vector<std::string> changes;
  for (const auto& [name, value] : names.items()) {
    const nlohmann::json old_value = before.value(name, nlohmann::json()),
                         new_value = after.value(name, nlohmann::json());
    if (old_value != new_value)
      changes.push_back(fmt::format("{} {} then, {} now", name, shown(old_value), shown(new_value)));
  }
  return fmt::format("{}", fmt::join(changes, "; "));
}

bool is_there(const std::string& path) {
  return ::access(path.c_str(), F_OK) == 0;
}

// Whether `path` still names the open file.
bool is_at(const std::string& path, const FileHandle& file) {
  struct stat named {};
  struct stat opened {};
  return ::stat(path.c_str(), &named) == 0 && ::fstat(file.get(), &opened) == 0 && named.st_dev == opened.st_dev &&
         named.st_ino == opened.st_ino;
}

// With the permissions of the file at `target`, if there is one: until it is replaced nobody may read more than before.
// The owner can always write, to continue. `name` is what messages call the file. Nothing is opened if O_EXCL is among
// the flags and the file exists.
FileHandle open_beside(const std::string& target, const std::string& path, int flags, const std::string& name) {
  constexpr mode_t kOwner = S_IRUSR | S_IWUSR;
  const bool replaces = is_there(target);
  FileHandle file(::open(path.c_str(), flags | O_CREAT | O_CLOEXEC, replaces ? kOwner : 0666));
  if (file.get() < 0 && errno == EEXIST) return file;
  if (file.get() < 0) fail_io(fmt::format("cannot write {}", name));
  if (!replaces) return file;
  take_over_rights(file, target);
  struct stat status {};
  if (::fstat(file.get(), &status) == 0 && (status.st_mode & kOwner) != kOwner) {
    (void)!::fchmod(file.get(), (status.st_mode & 07777) | kOwner);
  }
  return file;
}

std::uint64_t size_of(const FileHandle& file, const std::string& name) {
  struct stat status {};
  if (::fstat(file.get(), &status) != 0) fail_io(fmt::format("cannot read {}", name));
  return static_cast<std::uint64_t>(status.st_size);
}

void cut_off(const FileHandle& file, std::uint64_t size, const std::string& name) {
  if (::ftruncate(file.get(), static_cast<off_t>(size)) != 0 || ::lseek(file.get(), 0, SEEK_END) < 0) {
    fail_io(fmt::format("cannot write {}", name));
  }
}

}  // namespace

std::array<std::string, 2> ContinuedFile::working_files(const std::string& path) {
  const std::string part = follow_links(path) + ".part";
  return {part, part + ".state"};
}

ContinuedFile::ContinuedFile(std::string path, const RunIdentity& identity, Start start, bool can_be_continued)
    : start_(start),
      path_(std::move(path)),
      target_(follow_links(path_)),
      part_path_(working_files(path_)[0]),
      state_path_(working_files(path_)[1]),
      identity_(identity),
      can_be_continued_(can_be_continued) {
  const bool exists = is_there(part_path_);
  if (exists && start == Start::kNew) fail_left();
  if (start != Start::kContinue) return;
  if (!exists) fail(ErrorKind::kUsage, "--continue: there is no {} to go on with; leave the option out", part_path_);
  if (!is_there(state_path_)) {  // a run on a pipe leaves none
    fail(ErrorKind::kUsage,
         "--continue: there is no {}, which would say how many rows of {} are done; --force without --continue starts "
         "over",
         state_path_, part_path_);
  }
  go_on();
}

ContinuedFile::~ContinuedFile() {
  if (is_ours_) {
    const bool is_named = !is_at(part_path_, part_);  // commit() failed after the renaming
    if (is_named || !leaves_rows()) ::unlink(state_path_.c_str());
    if (!is_named && !leaves_rows()) ::unlink(part_path_.c_str());
  }
  if (!can_be_continued_) forget_part_file(part_path_.c_str());
}

void ContinuedFile::fail_busy() const {
  fail(ErrorKind::kUsage, "{} is being written by another process; wait for its end, or choose another file",
       part_path_);
}

void ContinuedFile::fail_left() const {
  const FileHandle left(::open(part_path_.c_str(), O_RDWR | O_CLOEXEC));
  if (left.get() >= 0 && try_lock(left) == LockResult::kTaken) fail_busy();
  fail(ErrorKind::kUsage, "{} was left by an interrupted run; {}--force starts over", part_path_,
       is_there(state_path_) ? "--continue goes on with it, " : "");
}

void ContinuedFile::open_part(int flags) {
  part_ = open_beside(target_, part_path_, O_RDWR | flags, path_);
  if (part_.get() < 0) fail_left();
  // A file system without locks is no reason to stop. A file that its writer has renamed meanwhile is its output.
  if (try_lock(part_) == LockResult::kTaken || !is_at(part_path_, part_)) fail_busy();
}

void ContinuedFile::begin_new() {
  open_part(start_ == Start::kNew ? O_EXCL : 0);
  if (!can_be_continued_) note_part_file(part_path_.c_str());  // only now: it may have been another process's
  is_ours_ = true;
  cut_off(part_, 0, path_);
  if (!can_be_continued_) {
    ::unlink(state_path_.c_str());  // of the run whose rows these replace
    return;
  }
  state_ = open_beside(target_, state_path_, O_WRONLY | O_TRUNC, path_);
  append_state(head_of(identity_));
}

void ContinuedFile::go_on() {
  open_part(0);
  const std::string state = read_whole_file(state_path_);
  std::string_view rest = state;
  const auto refuse = [&](const std::string& why) {
    fail(ErrorKind::kUsage, "--continue: {}: {}; --force without --continue starts over", part_path_, why);
  };
  if (take_line(rest) != kFirstLine) refuse("its state file is not one of this program");
  if (take_line(rest) != "model " + identity_.model) refuse("it was begun with another model");
  if (const auto options = take_line(rest); options != "options " + identity_.options) {
    const std::string begun = options.value_or("");
    refuse("it was begun with other options: " + changes_text(begun.substr(begun.find(' ') + 1), identity_.options));
  }
  const bool has_places = !rest.empty();
  std::uint64_t state_bytes = state.size() - rest.size();  // up to the place that counts
  Hasher output;
  while (const auto line = take_line(rest)) {
    const std::optional<Place> place = place_in(*line);
    if (!place || !takes_over(*place, output)) break;
    state_bytes = state.size() - rest.size();
  }
  // Otherwise a file that another program wrote there would be emptied.
  if (has_places && begin_.rows == 0 && size_of(part_, path_) > 0) refuse("it is not as it was left");
  cut_off(part_, begin_.output_bytes, path_);
  state_ = open_beside(target_, state_path_, O_WRONLY, path_);
  cut_off(state_, state_bytes, path_);  // never emptied: a kill may come at any time
  is_ours_ = true;
  place_ = begin_;
}

// Advances begin_ and output_ to `place` if PATH.part has its bytes; `output` is advanced in any case.
bool ContinuedFile::takes_over(const Place& place, Hasher& output) {
  if (place.output_bytes < begin_.output_bytes || place.output_bytes > size_of(part_, path_)) return false;
  std::string block(place.output_bytes - begin_.output_bytes, '\0');
  if (read_bytes(part_, block.data(), block.size(), part_path_) < block.size()) return false;
  output.add(block);
  if (output.digest() != place.output_hash) return false;
  output_.add(block);
  begin_ = place;
  return true;
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
  if (begins_with(header)) {
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

std::uint64_t ContinuedFile::kept_rows() const {
  const bool is_unnamed = is_there(part_path_);  // not if commit() failed after the renaming
  return is_unnamed && leaves_rows() && place_.rows > begin_.rows ? place_.rows : 0;
}

bool ContinuedFile::begins_with(std::string_view header) const {
  std::string begin;
  read_first(part_, header.size(), part_path_, [&](auto bytes) { begin += bytes; });
  return begin == header;
}

}  // namespace xylem::cli
