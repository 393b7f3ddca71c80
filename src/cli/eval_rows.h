// SPDX-License-Identifier: Apache-2.0
// What `xylem eval` evaluates on: test rows with their labels, and what was trained before them.
#pragma once

#include <cstddef>
#include <string>

#include "cli/input_options.h"
#include "cli/session.h"
#include "data/match_predictions.h"
#include "tagger/model_rows.h"
#include "xylem/metrics.h"

namespace xylem::cli {

struct TestRows {
  std::string path;
  // Of the training rows, known before a test row is read:
  TrainingCounts counts;
  FirstIds first_ids;
  bool are_texts = false;
  bool numbers = true;  // prediction files with numbers for labels mean those of the data
  std::size_t n_features = 0;
  // Of the test rows, too; labels that only they have come behind those of the training rows:
  EvaluatedRows known;
  LabelLists labels;
};

// What a model knows of its training rows, and what a file of them tells. `input` says how to read it, and may have
// names for labels that are numbers.
TestRows rows_beside(const Tagger& tagger, const InputOptions& input);
TestRows rows_beside(const std::string& train, const InputOptions& input, Session& session);

// Reads the test rows, and shows each block to `use`, if there is one: as rows for the model; or as they are in the
// file, texts or sparse rows.
void read_test_rows(const Tagger& tagger, const InputOptions& input, const UseModelRows& use, Session& session,
                    TestRows& rows);
void read_test_rows(const std::string& train, const InputOptions& input, const UseModelRows& use, Session& session,
                    TestRows& rows);

// Labels of the test rows that neither the training rows nor the model have.
struct UnknownLabels {
  std::size_t labels = 0;
  std::size_t rows = 0;       // with such a label
  std::size_t lost_rows = 0;  // of them: without any other
};
UnknownLabels unknown_labels(const TestRows& rows);
// `of_model`: whether the predictions are a model's, which has no other labels.
void warn_of(const UnknownLabels& unknown, const TestRows& rows, bool of_model, Session& session);

}  // namespace xylem::cli
