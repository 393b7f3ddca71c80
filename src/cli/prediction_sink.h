// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "cli/continued_file.h"
#include "cli/read_for_model.h"
#include "core/file.h"
#include "results/prediction_writer.h"

namespace xylem::cli {

// Where `predict` writes: a stream gets each block of rows as it comes; a file appears when it is complete, and can be
// continued after a kill. The header of xmlrepo holds the number of rows: if the input does not state it, a stream gets
// all output at the end.
class PredictionSink {
 public:
  struct Target {
    std::string path;
    bool force = false;
    bool go_on = false;            // with what an earlier run left
    bool can_be_continued = true;  // the input can be read again
  };
  PredictionSink(const Target& target, const PredictionWriter& writer, const RunIdentity& identity);

  DoneRows done() const;
  void write(const TopLabels& top, const ModelRows& block);
  void commit();
  // As ContinuedFile::kept_rows().
  std::uint64_t kept_rows() const { return file_ ? file_->kept_rows() : 0; }

 private:
  void begin(std::size_t rows_in_all);

  IfExists if_exists_;
  const PredictionWriter& writer_;
  std::optional<ContinuedFile> file_;
  std::optional<OutputFile> stream_;
  FileHandle held_back_;  // rows that wait for their header, before they go to the stream
  std::string lines_;
  std::size_t n_rows_ = 0;
  bool begun_ = false;
  bool has_header_ = false;  // the stream
};

}  // namespace xylem::cli
