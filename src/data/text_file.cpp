// SPDX-License-Identifier: Apache-2.0
#include "data/text_file.h"

#include <utility>

#include "data/label_table.h"
#include "data/name_table.h"
#include "data/read_texts.h"

namespace xylem {
namespace {

// All but their texts. `all` has document ids as soon as one of its rows has one.
void append_rows(Corpus& all, const Corpus& rows) {
  const bool ids = all.document_ids.size() > 0 || !rows.document_ids.bytes.empty();
  if (ids) {
    all.document_ids.pad(all.labels.size());
    all.document_ids.append(rows.document_ids);
  }
  all.labels.append(rows.labels);
}

std::size_t held(const Corpus& rows) {
  return held_bytes(rows.labels.offsets) + held_bytes(rows.labels.ids) + held_bytes(rows.document_ids.bytes) +
         held_bytes(rows.document_ids.offsets);
}

}  // namespace

TextFile::TextFile(LineBlocks& lines, std::string path, const ReadOptions& options, const Run& run, const Cuts& cuts)
    : lines_(lines, std::move(path)), options_(options), run_(run), cuts_(cuts) {
  Corpus all;
  NameTable names;
  const auto keep_labels = [&](Corpus& rows) {
    append_rows(all, rows);
    n_texts_ += rows.size();
    rows.clear_rows();
    check_memory(lines, n_texts_, held(all) + names.held(), options.max_bytes);
  };
  rows_ = read_text_blocks(lines, options, run, cuts.chunk_bytes, &names, keep_labels);
  lines_.first_reading_is_over();
  name_labels_by_keys(names.take_names(), all);
  rows_.corpus = std::move(all);
}

void TextFile::for_each(const std::function<void(const TextList& texts)>& use) const {
  Run quiet = run_;
  quiet.on_progress = nullptr;
  std::size_t n_texts = 0;
  const auto use_texts = [&](Corpus& rows) {
    n_texts += rows.size();
    if (n_texts <= n_texts_) use(rows.texts);  // the others are of a file that has changed
    rows.clear_rows();
  };
  LineBlocks lines = lines_.open(cuts_.block_bytes, options_.max_bytes);
  read_text_blocks(lines, options_, quiet, cuts_.chunk_bytes, nullptr, use_texts);
  lines_.check_same(lines);
}

}  // namespace xylem
