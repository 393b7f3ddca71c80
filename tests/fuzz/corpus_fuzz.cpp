// SPDX-License-Identifier: Apache-2.0
// Files of texts, in every format: a corpus that keeps its promises or an Error.
#include <cstdlib>

#include "fuzz_file.h"
#include "xylem/corpus.h"
#include "xylem/error.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  using namespace xylem;
  if (size == 0) return 0;
  // The first byte chooses the options.
  const char* const formats[] = {"auto", "fasttext", "tsv", "jsonl", "csv"};
  ReadOptions options;
  options.format = formats[bytes[0] % 5];
  options.label_separator = bytes[0] & 16 ? ';' : ',';
  options.replace_bad_utf8 = bytes[0] & 32;
  options.max_bad_lines = bytes[0] & 64 ? 3 : 0;
  if (bytes[0] & 128) options.fallback = "fasttext";
  options.max_bytes = std::size_t{1} << 28;
  Run run;
  run.threads = 1;
  try {
    const Corpus corpus = read_corpus(fuzz::file_of(bytes + 1, size - 1), options, run).corpus;
    if (corpus.labels.size() != corpus.size()) std::abort();
    if (corpus.document_ids.size() != 0 && corpus.document_ids.size() != corpus.size()) std::abort();
    for (const Label id : corpus.labels.ids) {
      if (id >= corpus.label_names.size()) std::abort();
    }
    if (corpus.texts.bytes.find('\0') != std::string::npos) std::abort();
  } catch (const Error&) {
  }
  return 0;
}
