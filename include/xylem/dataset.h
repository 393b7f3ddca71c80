// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "xylem/run.h"
#include "xylem/sparse.h"
#include "xylem/text_list.h"

namespace xylem {

// What a file calls its first feature and its first label: 0 or 1. Inside the library all ids start at 0.
struct FirstIds {
  std::uint32_t feature = 0;
  std::uint32_t label = 0;

  bool operator==(const FirstIds&) const = default;
};

// Rows with their labels. Every feature id is below features.n_columns, every label id below n_labels.
struct Dataset {
  SparseMatrix features;
  LabelLists labels;
  std::size_t n_labels = 0;
  FirstIds first_ids;
  TextList label_names;  // one for each label, or none at all
  TextList label_ids;    // their identifiers, URIs for example: one for each label, empty for one without; or none
  // What a feature is called, where the rows were texts: a word, or two with a blank between them.
  std::function<std::string(Feature)> feature_name = {};

  std::size_t size() const { return features.size(); }
};

// How many rows carry each label; n_labels long.
std::vector<std::uint32_t> label_counts(const Dataset& data);

// The rows of `data` named by `rows`, in that order; same features and labels.
Dataset select_rows(const Dataset& data, std::span<const std::size_t> rows);

// For all readers of data; each looks at what concerns it.
struct ReadOptions {
  std::string format = "auto";        // auto, or a name from the formats of the reader
  bool typed = false;                 // "auto" knows JSONL alone; any other line is a text without labels
  std::optional<FirstIds> first_ids;  // sparse: decided from the file where not given
  // Texts:
  std::string text_column;              // a column's name or number from 1, or a JSON key; empty: found from the file
  std::string label_column;             // the same for the labels
  std::optional<char> delimiter;        // between the columns of a CSV or TSV row; decided from the file if not given
  std::optional<char> label_separator;  // between the labels of a CSV or TSV row; ',' if not given, blanks between URIs
  bool labels_matter = true;            // remark where the file seems to have none
  bool replace_bad_utf8 = false;        // by U+FFFD, instead of refusing the line
  std::size_t max_bad_lines = 0;        // so many lines that cannot be understood are skipped and counted
  std::size_t max_bytes = std::numeric_limits<std::size_t>::max();  // the data set may take so much memory
};

// What the reader let pass, so that a program can say so.
struct ReadReport {
  std::string format;
  std::vector<std::string> remarks;                 // on what was guessed of the file, a sentence each
  std::vector<std::string> warnings;                // on what is probably a mistake
  std::size_t duplicate_features = 0;               // summed
  std::size_t duplicate_labels = 0;                 // counted once
  std::size_t typed_tabs = 0;                       // lines that were read as one text, and hold a TAB
  std::size_t typed_labels = 0;                     // or "__label__"
  std::size_t replaced_utf8 = 0;                    // pieces of bytes that were no UTF-8
  std::size_t replaced_lines = 0;                   // that had them
  std::vector<std::string> replaced_line_messages;  // of the first ten
  std::size_t bad_lines = 0;
  std::vector<std::string> bad_line_messages;  // of the first ten
};

struct ReadResult {
  Dataset data;
  ReadReport report;
};

// "xmlrepo" and "libsvm".
std::vector<std::string_view> dataset_formats();

// Reads a data file, plain, gzip or zstd; "-" is standard input. The result does not depend on run.threads.
// Throws Error: kData with `file:line: found ..., expected ...`, kIo, kMemory.
ReadResult read_dataset(const std::string& path, const ReadOptions& options = {}, const Run& run = {});

// Writes `data` in a format of dataset_formats(), ids as the file it came from had them. "-" is standard output; a file
// appears whole or not at all, and an existing one is an Error unless `replace`.
void write_dataset(const Dataset& data, std::string_view format, const std::string& path, bool replace);

}  // namespace xylem
