// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

#include "core/file.h"
#include "core/hash.h"

namespace xylem::cli {

// What must be the same for two runs to write the same rows: the model's checksum, and the options as a JSON object, by
// the names that messages have for them.
struct RunIdentity {
  std::string model;
  std::string options;
};

// How far a run has come in its input and output.
struct Place {
  std::uint64_t rows = 0;
  std::uint64_t input_hash = 0;  // of all of the input up to here
  std::uint64_t output_bytes = 0;
  std::uint64_t output_hash = 0;
};

// An output file that a later run can continue after a kill. Rows are appended to PATH.part; after each block of rows,
// PATH.part.state gets a line with the position in input and output and a hash of the output so far. Nothing is synced
// before the end: if a power cut loses the end of either file, the last line whose size and hash match PATH.part
// counts.
class ContinuedFile {
 public:
  enum class Start { kNew, kOver, kContinue };  // kOver: replaces what an earlier run left

  // With kNew, throws kUsage if PATH.part exists; with kContinue, if it does not, or belongs to a run with another
  // identity; with any, if another process is writing it. A new PATH.part is created with the first rows.
  // Nothing is left behind for a later run unless `can_be_continued`.
  ContinuedFile(std::string path, const RunIdentity& identity, Start start, bool can_be_continued);
  ~ContinuedFile();
  ContinuedFile(const ContinuedFile&) = delete;
  ContinuedFile& operator=(const ContinuedFile&) = delete;

  // The files beside the one at `path` that are written until it is complete.
  static std::array<std::string, 2> working_files(const std::string& path);

  // Where the earlier run stopped; all 0 for a new one.
  const Place& begin() const { return begin_; }
  // Appends `n_rows` rows; `input_hash` is of all of the input up to the last of them.
  void write(std::string_view bytes, std::size_t n_rows, std::uint64_t input_hash);
  // Puts `header` before the rows unless the file begins with it, gives the file its name and removes the state.
  void commit(std::string_view header, IfExists if_exists);
  // Rows in PATH.part that a later run can continue after; 0 unless this run has added some, which shows that they
  // belong to its input.
  std::uint64_t kept_rows() const;

 private:
  [[noreturn]] void fail_busy() const;
  [[noreturn]] void fail_left() const;
  void open_part(int flags);
  void begin_new();
  void go_on();
  bool takes_over(const Place& place, Hasher& output);
  void append_state(std::string_view line);
  bool begins_with(std::string_view header) const;
  bool leaves_rows() const { return is_ours_ && can_be_continued_ && place_.rows > 0; }

  Start start_;
  std::string path_, target_;  // as given, and with symbolic links followed
  std::string part_path_, state_path_;
  RunIdentity identity_;
  FileHandle part_, state_;
  Hasher output_;
  Place begin_, place_;
  bool can_be_continued_;
  bool is_ours_ = false;  // whether PATH.part exists and is this run's
};

}  // namespace xylem::cli
