// SPDX-License-Identifier: Apache-2.0
// Data files of any kind, for programs that take what the user has.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "xylem/corpus.h"
#include "xylem/dataset.h"
#include "xylem/run.h"

namespace xylem {

struct Input {
  std::variant<Dataset, Corpus> data;  // sparse rows or texts
  ReadReport report;
  // Set by open_input(): goes through the texts, which `data` then lacks.
  std::shared_ptr<const TextBlocks> texts = {};
};

// dataset_formats() and text_formats().
std::vector<std::string_view> input_formats();

// read_dataset or read_corpus, whichever options.format names or the first line that is not blank looks like. Opens the
// file once. Throws as they do, and kData where the line looks like no format.
Input read_input(const std::string& path, const ReadOptions& options = {}, const Run& run = {});

// The same, but texts are not kept: they are read again when somebody goes through them. What can be read only once, a
// pipe, is copied to a temporary file.
Input open_input(const std::string& path, const ReadOptions& options = {}, const Run& run = {});

}  // namespace xylem
