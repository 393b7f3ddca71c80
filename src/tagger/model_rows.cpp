// SPDX-License-Identifier: Apache-2.0
#include "tagger/model_rows.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "core/fail.h"
#include "core/file.h"
#include "core/hash.h"
#include "core/parallel.h"
#include "data/format.h"
#include "data/read_sparse.h"
#include "data/read_texts.h"
#include "tagger/text_labels.h"

namespace xylem {
namespace {

struct Reading {
  const Tagger& tagger;
  const ModelInput& input;
  const UseModelRows& use;
  const Run& run;

  bool passes_over(std::size_t n_rows, std::uint64_t input_hash) const {
    return input.passes_over && input.passes_over(n_rows, input_hash);
  }
  void report(const FileReport& file) const {
    if (input.on_report) input.on_report(file);
  }
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

std::size_t count_from(const std::vector<std::uint32_t>& ids, std::size_t first) {
  return static_cast<std::size_t>(std::ranges::count_if(ids, [&](std::uint32_t id) { return id >= first; }));
}

// Returns all labels.
AllLabels read_text_files(const Reading& reading) {
  const bool labels_matter = reading.input.options.labels_matter;
  NameTable keys;  // as the texts number their labels
  TextLabels labels = text_labels(reading.tagger);
  Run quiet = reading.run;
  quiet.on_progress = nullptr;
  InputHash hash;
  for (const std::string& path : reading.input.paths) {
    ReadOptions options = reading.input.options;
    // What people type or pipe is a text, whatever is in it. A file should say what it is.
    options.typed = !labels_matter && path == "-";
    LineBlocks lines(path, kStreamCuts.block_bytes, options.max_bytes, waiting_for(options, path));
    const auto use = [&](Corpus& corpus) {
      if (corpus.size() == 0) return;
      if (reading.passes_over(corpus.size(), hash.with(lines))) return corpus.clear_rows();
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
    reading.report({path, rest.report});
  }
  return {labels.names(), labels.label_ids()};
}

void read_row_files(const Reading& reading) {
  const Tagger& tagger = reading.tagger;
  const std::vector<std::string>& paths = reading.input.paths;
  ReadOptions options = reading.input.options;
  if (!options.first_ids) options.first_ids = tagger.first_ids();
  InputHash hash;
  for (const std::string& path : paths) {
    LineBlocks lines(path, kStreamCuts.block_bytes, options.max_bytes,
                     options.labels_matter ? Waiting::kForFullBlocks : Waiting::kForALine);
    if (options.format == "auto") expect_sparse(lines);
    std::size_t unknown_features = 0, unknown_labels = 0;
    const auto use = [&](Dataset& data, std::size_t promised) {
      if (data.size() == 0) return;
      unknown_features += count_from(data.features.ids, tagger.n_features());
      if (options.labels_matter) unknown_labels += count_from(data.labels.ids, tagger.n_labels());
      if (!reading.passes_over(data.size(), hash.with(lines))) {
        ModelRows block;
        block.features = std::move(data.features);
        block.labels = std::move(data.labels);
        block.input_hash = hash.with(lines);
        if (options.max_bad_lines == 0 && paths.size() == 1) block.rows_in_all = promised;
        reading.use(block);
      }
      data.features.clear();
      data.labels.clear();
    };
    const ReadResult rest = read_sparse_blocks(lines, options, reading.run, kStreamCuts.chunk_bytes, use);
    hash.end_file(lines);
    reading.report({path, rest.report, unknown_features, unknown_labels});
  }
}

}  // namespace

void check_format(const Tagger& tagger, std::string_view format) {
  const std::vector<std::string_view> sparse = dataset_formats();
  const bool names_sparse = std::ranges::find(sparse, format) != sparse.end();
  if (format == "auto" || names_sparse != tagger.takes_texts()) return;
  const char* const wanted = tagger.takes_texts() ? "texts" : "sparse rows";
  const char* const given = tagger.takes_texts() ? "sparse rows" : "texts";
  fail(ErrorKind::kUsage,
       "--input-format {}: the model was trained on {}, but this format has {}; pass {}, or a model trained on {}",
       format, wanted, given, wanted, given);
}

AllLabels read_model_rows(const Tagger& tagger, const ModelInput& input, const UseModelRows& use, const Run& run) {
  check_format(tagger, input.options.format);
  AllLabels labels{tagger.label_names(), tagger.label_ids()};
  with_threads(run.threads, [&] {
    const Reading reading{tagger, input, use, run};
    if (tagger.takes_texts()) {
      labels = read_text_files(reading);
    } else {
      read_row_files(reading);
    }
  });
  return labels;
}

}  // namespace xylem
