// SPDX-License-Identifier: Apache-2.0
// Files of texts, in every format: a corpus that keeps its promises or an Error, wherever the file is cut.
#include <cstdlib>
#include <optional>

#include "core/parallel.h"
#include "data/read_texts.h"
#include "fuzz_file.h"
#include "xylem/error.h"

namespace {

using namespace xylem;

std::optional<Corpus> read(const std::string& path, const ReadOptions& options, const Cuts& cuts) {
  try {
    return read_texts(path, options, {}, cuts).corpus;
  } catch (const Error&) {
    return std::nullopt;
  }
}

bool equal(const Corpus& a, const Corpus& b) {
  return a.texts == b.texts && a.labels.offsets == b.labels.offsets && a.labels.ids == b.labels.ids &&
         a.label_names == b.label_names && a.label_ids == b.label_ids && a.document_ids == b.document_ids;
}

void check(const Corpus& corpus) {
  if (corpus.labels.size() != corpus.size()) std::abort();
  if (corpus.document_ids.size() != 0 && corpus.document_ids.size() != corpus.size()) std::abort();
  if (corpus.label_ids.size() != 0 && corpus.label_ids.size() != corpus.label_names.size()) std::abort();
  for (const Label id : corpus.labels.ids) {
    if (id >= corpus.label_names.size()) std::abort();
  }
  if (corpus.texts.bytes.find('\0') != std::string::npos) std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  if (size < 2) return 0;
  // The first byte chooses the options, the second the cuts.
  const char* const formats[] = {"auto", "fasttext", "tsv", "jsonl", "csv"};
  ReadOptions options;
  options.format = formats[bytes[0] % 5];
  if (bytes[0] & 16) options.label_separator = ';';
  options.replace_bad_utf8 = bytes[0] & 32;
  options.max_bad_lines = bytes[0] & 64 ? 3 : 0;
  options.typed = bytes[0] & 128;
  if (bytes[1] & 8) {
    options.text_column = "2";
    options.label_column = "labels";
  }
  if (bytes[1] & 128) options.delimiter = ';';
  options.max_bytes = std::size_t{1} << 28;
  const std::string path = fuzz::file_of(bytes + 2, size - 2);
  with_threads(1, [&] {
    const std::optional<Corpus> large_cuts = read(path, options, {});
    if (large_cuts) check(*large_cuts);
    const std::optional<Corpus> small_cuts = read(path, options, fuzz::cuts_of(bytes[1]));
    if (small_cuts.has_value() != large_cuts.has_value()) std::abort();
    if (large_cuts && !equal(*small_cuts, *large_cuts)) std::abort();
  });
  return 0;
}
