// SPDX-License-Identifier: Apache-2.0
// What can be said of data before anybody learns from it. All of it is the same for any number of threads.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "data/name_faults.h"
#include "data/row_keys.h"
#include "xylem/corpus.h"
#include "xylem/dataset.h"
#include "xylem/metrics.h"

namespace xylem {

// Numbers a row.
struct PerRow {
  std::size_t total = 0;
  std::size_t most = 0;
};

struct LabelSpread {
  std::size_t labels = 0;  // all that there are
  std::size_t unused = 0;  // on no row
  std::size_t on_one_row = 0;
  std::vector<FrequencyGroup> groups;  // head, torso, tail, as evaluation has them; only their labels are counted
  std::vector<Label> on_most_rows;     // on more than half of the rows, most frequent first
};

struct Examination {
  bool texts = false;
  std::size_t rows = 0;
  std::size_t features = 0;  // of sparse rows
  std::size_t bytes = 0;     // of texts
  PerRow labels;
  PerRow contents;  // features that a row has, or words between blanks
  std::size_t rows_without_labels = 0;
  std::size_t rows_without_content = 0;
  Repeats repeats;
  std::optional<std::pair<std::size_t, std::size_t>> repeat_example;  // two rows, counted from 0
  std::size_t replacement_characters = 0;                             // U+FFFD in texts
  std::size_t mojibake_rows = 0;
  LabelSpread spread;
  std::vector<std::uint32_t> label_counts;  // rows that have each label
  NameFaults names;                         // of texts' labels
  std::vector<RowKey> keys;                 // of the rows that hold something, sorted
};

// Both work on all threads of the calling arena.
Examination examine(const Dataset& data);
Examination examine(const Corpus& corpus, char label_separator = ',');

// Test rows seen from the training rows.
struct TestComparison {
  std::size_t rows_in_training = 0;          // that hold what some training row holds
  std::size_t unseen_labels = 0;             // that some test row has and no training row
  std::size_t unseen_pairs = 0;              // how often test rows have them
  std::size_t rows_with_unseen_only = 0;     // test rows all of whose labels are unseen
  std::vector<std::string> unseen_examples;  // names or ids, as the file has them
};

TestComparison compare_with_training(const Examination& train, const Examination& test, const Dataset& test_data);
TestComparison compare_with_training(const Examination& train, const TextList& train_names, const Examination& test,
                                     const Corpus& test_corpus);

}  // namespace xylem
