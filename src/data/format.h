// SPDX-License-Identifier: Apache-2.0
// The names of the formats, and how a file's begin tells them apart.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "data/line_blocks.h"
#include "xylem/dataset.h"

namespace xylem {

constexpr std::string_view kFasttextPrefix = "__label__";
// Whether a word of `text` begins with it.
bool has_fasttext_label(std::string_view text);

// Throw kUsage, with the names there are, where `format` is none of `known`; input may also be "auto".
void check_input_format(std::string_view format, std::vector<std::string_view> known);
void check_output_format(std::string_view format, const std::vector<std::string_view>& known);

// The format of a file that begins with these lines, by the first that is not blank; empty where it looks like none.
// Nothing but blank lines is "libsvm": rows with neither labels nor features.
std::string_view detect_format(std::string_view lines, const ReadOptions& options = {});
// The same if it can only be one of text_formats(): `3<TAB>7` is a label and a text then, not a label and a feature.
std::string_view detect_text_format(std::string_view lines, const ReadOptions& options = {});

// Whether a line can hardly be anything else: labels or none, and ids with values.
bool looks_like_sparse_row(std::string_view line);

// Whether a line begins an array of JSON objects.
bool begins_json_objects(std::string_view line);

// Whether the options can only be meant for texts: nothing else has columns.
bool says_texts(const ReadOptions& options);

// How lines are read that people type, or pipe into a model for texts, without a word on their format: JSONL if the
// first that is not blank begins a JSON object, else "lines", whatever they hold.
std::string_view typed_format(std::string_view lines);

// Formats that texts are read in: text_formats(), and "lines", where every line is a text without labels.
std::vector<std::string_view> text_input_formats();

// Throw kData where the lines are plainly of the other kind: texts where sparse rows are expected, or the reverse.
void expect_sparse(LineBlocks& blocks);
void expect_texts(LineBlocks& blocks);

// The options with the format that the first lines have, if they say "auto". Throws kData if they look like none.
ReadOptions with_known_format(LineBlocks& lines, const ReadOptions& options);
bool holds_sparse_rows(std::string_view format);

// Throws kData, naming the first line that is not blank, and `known`.
[[noreturn]] void fail_unknown_format(LineBlocks& blocks, std::vector<std::string_view> known);

}  // namespace xylem
