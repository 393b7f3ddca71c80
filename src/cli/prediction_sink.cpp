// SPDX-License-Identifier: Apache-2.0
#include "cli/prediction_sink.h"

#include <filesystem>
#include <limits>

namespace xylem::cli {
namespace {

bool is_stream(const std::string& path) {
  std::error_code ignored;
  return path == "-" || (std::filesystem::exists(path, ignored) && !std::filesystem::is_regular_file(path, ignored));
}

}  // namespace

PredictionSink::PredictionSink(const Target& target, const PredictionWriter& writer, const RunIdentity& identity)
    : if_exists_(target.force ? IfExists::kReplace : IfExists::kFail), writer_(writer) {
  if (is_stream(target.path)) {
    stream_.emplace(target.path, if_exists_);
    return;
  }
  using Start = ContinuedFile::Start;
  const Start start = target.go_on ? Start::kContinue : target.force ? Start::kOver : Start::kNew;
  file_.emplace(target.path, identity, start, target.can_be_continued);
  n_rows_ = file_->begin().rows;
}

DoneRows PredictionSink::done() const {
  if (!file_) return {};
  return {file_->begin().rows, file_->begin().input_hash};
}

void PredictionSink::write(const TopLabels& top, const ModelRows& block) {
  if (!begun_) begin(block.rows_in_all);
  n_rows_ += top.size();
  writer_.append(top, block.document_ids, lines_);
  if (file_) {
    file_->write(lines_, top.size(), block.input_hash);
  } else if (held_back_.get() >= 0) {
    write_bytes(held_back_, lines_, temporary_name());
  } else {
    stream_->write(lines_);
    stream_->flush();
  }
  lines_.clear();
}

void PredictionSink::begin(std::size_t rows_in_all) {
  begun_ = true;
  const std::string header = writer_.header(rows_in_all);
  has_header_ = header.empty() || rows_in_all > 0;
  if (has_header_ && (!file_ || file_->begin().output_bytes == 0)) lines_ = header;
  if (stream_ && !has_header_) held_back_ = open_temporary();
}

void PredictionSink::commit() {
  const std::string header = writer_.header(n_rows_);
  if (file_) return file_->commit(header, if_exists_);
  if (!has_header_) stream_->write(header);
  if (held_back_.get() >= 0) {
    read_first(held_back_, std::numeric_limits<std::uint64_t>::max(), temporary_name(),
               [&](std::string_view bytes) { stream_->write(bytes); });
  }
  stream_->commit();
}

}  // namespace xylem::cli
