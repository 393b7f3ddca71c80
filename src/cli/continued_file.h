// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "core/file.h"
#include "core/hash.h"

namespace xylem::cli {

// What must be the same for two runs to write the same rows, as lines `name value`: the model's checksum, options.
struct RunIdentity {
  std::string model;
  std::string options;
};

// How far a run has come in its input and its output.
struct Place {
  std::uint64_t rows = 0;
  std::uint64_t input_hash = 0;  // of all of the input up to here
  std::uint64_t output_bytes = 0;
  std::uint64_t output_hash = 0;
};

// An output that a later run can go on with after a kill. It grows in PATH.part; PATH.part.state says after each block
// of rows how far input and output are. Bytes are written in the order in which a crash may lose them, and the last
// place that PATH.part still agrees with counts: nothing has to be synced before the end.
class ContinuedFile {
 public:
  enum class Start { kNew, kOver, kContinue };  // kOver: whatever an earlier run has left

  // Throws kUsage if PATH.part is there and `start` is kNew, or if it is not or is of another run and `start` is
  // kContinue, and if another process is writing it. A new one is made with the first rows.
  // Nothing is left behind for a later run unless `can_be_continued`.
  ContinuedFile(std::string path, const RunIdentity& identity, Start start, bool can_be_continued);
  ~ContinuedFile();
  ContinuedFile(const ContinuedFile&) = delete;
  ContinuedFile& operator=(const ContinuedFile&) = delete;

  // Where the earlier run came to; all 0 for a new one.
  const Place& begin() const { return begin_; }
  // Rows behind those before, and the hash of the input that they are the answers to.
  void write(std::string_view bytes, std::size_t n_rows, std::uint64_t input_hash);
  // Puts `header` before everything, gives the file its name and removes the state.
  void commit(std::string_view header, IfExists if_exists);
  // Whether there is something that a later run can go on with; otherwise nothing is left behind.
  bool worth_keeping() const { return can_be_continued_ && place_.rows > 0; }
  std::uint64_t rows() const { return place_.rows; }

 private:
  void open_part();
  void begin_new();
  void go_on();
  void append_state(std::string_view line);

  std::string path_, target_;  // as it was given, and behind symbolic links
  std::string part_path_, state_path_;
  RunIdentity identity_;
  FileHandle part_, state_;
  Hasher output_;
  Place begin_, place_;
  bool can_be_continued_;
  bool is_ours_ = false;  // whether PATH.part is this run's, to be removed if it is not worth keeping
};

}  // namespace xylem::cli
