// SPDX-License-Identifier: Apache-2.0
#include "cli/read_for_model.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <limits>
#include <utility>

#include "core/fail.h"
#include "core/file.h"
#include "core/hash.h"
#include "core/parallel.h"
#include "data/format.h"
#include "data/read_sparse.h"
#include "data/read_texts.h"
#include "tagger/text_labels.h"

namespace xylem::cli {
namespace {


struct Reading {
  Session& session;
  const Tagger& tagger;
  const InputOptions& options;
  LabelsMatter labels_matter;
  const UseModelRows& use;
  Run run;
  std::vector<std::string> paths;
};

// Passes over the rows that an earlier run has done.
class Skipper {
 public:
  explicit Skipper(const DoneRows& done) : done_(done) {}

  // Whether this block, at least a row, is among them; `input_hash` is of the input up to its end. A block without rows
  // would have the row count of the one before it, but another hash.
  bool skips(std::size_t n_rows, std::uint64_t input_hash) {
    if (rows_ >= done_.rows) return false;
    rows_ += n_rows;
    if (rows_ > done_.rows || (rows_ == done_.rows && input_hash != done_.input_hash)) fail_changed();
    return true;
  }
  // To be asked at the end.
  void check() const {
    if (rows_ < done_.rows) fail_changed();
  }

 private:
  [[noreturn]] void fail_changed() const {
    fail(ErrorKind::kUsage,
         "--continue: the input does not begin with the {} rows that are done; --force without --continue starts over",
         done_.rows);
  }

  DoneRows done_;
  std::uint64_t rows_ = 0;
};

// Of all that has been read of several files.
class InputHash {
 public:
  std::uint64_t with(const LineBlocks& lines) const { return before_ == 0 ? lines.hash() : mixed(lines.hash()); }
  void end_file(const LineBlocks& lines) { before_ = with(lines); }

 private:
  std::uint64_t mixed(std::uint64_t hash) const { return hash_bytes(fmt::format("{:016x} {:016x}", before_, hash)); }

  std::uint64_t before_ = 0;  // of the files before
};

// Figures come at the end, predictions as soon as nothing else is to be read. What a table's columns hold, a line alone
// does not tell, unless it is a header. Of a file more can be seen without waiting.
Waiting waiting_for(const ReadOptions& options, const std::string& path) {
  if (options.labels_matter) return Waiting::kForFullBlocks;
  const bool is_table = options.format == "csv" || options.format == "tsv";
  const bool is_open = options.format == "auto" && (!options.typed || says_texts(options));
  if (!is_table && !is_open) return Waiting::kForALine;
  return can_be_read_again(path) ? Waiting::kForFirstLines : Waiting::kForAHeader;
}

LineBlocks open_lines(const std::string& path, Waiting waiting) {
  return {path, kStreamCuts.block_bytes, kNoLimit, waiting};
}

// Returns all labels.
AllLabels read_texts(const Reading& reading, Skipper& skipper) {
  const bool labels_matter = reading.labels_matter == LabelsMatter::kYes;
  NameTable keys;  // as the texts number their labels
  TextLabels labels = text_labels(reading.tagger);
  Run quiet = reading.run;
  quiet.on_progress = nullptr;
  InputHash hash;
  for (const std::string& path : reading.paths) {
    ReadOptions options = read_options(reading.options, std::nullopt, kNoLimit);
    options.labels_matter = labels_matter;
    // What people type or pipe is a text, whatever is in it. A file should say what it is.
    options.typed = !labels_matter && path == "-";
    LineBlocks lines = open_lines(path, waiting_for(options, path));
    const auto use = [&](Corpus& corpus) {
      if (corpus.size() == 0) return;
      if (skipper.skips(corpus.size(), hash.with(lines))) return corpus.clear_rows();
      ModelRows block;
      block.input_hash = hash.with(lines);
      block.features = reading.tagger.features_of(corpus.texts, quiet);
      if (labels_matter) block.labels = labels.ids(corpus.labels, keys.names());
      block.document_ids = std::move(corpus.document_ids);
      block.texts = std::move(corpus.texts);
      corpus.clear_rows();
      reading.use(block);
    };
    const CorpusResult rest = read_text_blocks(lines, options, reading.run, kStreamCuts.chunk_bytes, &keys, use);
    hash.end_file(lines);
    reading.session.warn(path, rest.report);
  }
  return {labels.names(), labels.label_ids()};
}

void read_rows(const Reading& reading, Skipper& skipper) {
  const Tagger& tagger = reading.tagger;
  const ReadOptions options = read_options(reading.options, tagger.first_ids(), kNoLimit);
  const bool labels_matter = reading.labels_matter == LabelsMatter::kYes;
  InputHash hash;
  for (const std::string& path : reading.paths) {
    LineBlocks lines = open_lines(path, labels_matter ? Waiting::kForFullBlocks : Waiting::kForALine);
    if (options.format == "auto") expect_sparse(lines);
    IdsBeyond features(tagger.n_features(), "values of features"), labels(tagger.n_labels(), "labels");
    const auto use = [&](Dataset& data, std::size_t promised) {
      if (data.size() == 0) return;
      features.count(data.features.ids);
      labels.count(data.labels.ids);
      if (!skipper.skips(data.size(), hash.with(lines))) {
        ModelRows block;
        block.features = std::move(data.features);
        block.labels = std::move(data.labels);
        block.input_hash = hash.with(lines);
        if (options.max_bad_lines == 0 && reading.paths.size() == 1) block.rows_in_all = promised;
        reading.use(block);
      }
      data.features.clear();
      data.labels.clear();
    };
    const ReadResult rest = read_sparse_blocks(lines, options, reading.run, kStreamCuts.chunk_bytes, use);
    hash.end_file(lines);
    reading.session.warn(path, rest.report);
    features.warn(reading.session, path);
    if (labels_matter) labels.warn(reading.session, path);
  }
}

}  // namespace

AllLabels read_for_model(Session& session, const Tagger& tagger, const InputOptions& options,
                         LabelsMatter labels_matter, const char* stage, const UseModelRows& use, const DoneRows& done) {
  check_format(tagger, options);
  Reading reading{session, tagger, options, labels_matter, use, session.run(), all_paths(options)};
  if (std::ranges::count(reading.paths, "-") > 0 && isatty(STDIN_FILENO) == 1) {
    session.say(fmt::format("reading {} from the terminal, one per line; Ctrl-D ends",
                            tagger.takes_texts() ? "texts" : "rows"));
    reading.run.on_progress = nullptr;  // a bar would stand where the next line is typed
  } else {
    reading.run.on_progress = [show = reading.run.on_progress, stage](Progress state) {
      state.stage = stage;
      show(state);
    };
  }
  const auto pipe = std::ranges::find_if_not(reading.paths, can_be_read_again);
  const WaitingForInput waiting(pipe != reading.paths.end() ? *pipe : options.path, reading.run);
  AllLabels labels{tagger.label_names(), tagger.label_ids()};
  Skipper skipper(done);
  with_threads(reading.run.threads, [&] {
    if (tagger.takes_texts()) {
      labels = read_texts(reading, skipper);
    } else {
      read_rows(reading, skipper);
    }
  });
  skipper.check();
  return labels;
}

}  // namespace xylem::cli
