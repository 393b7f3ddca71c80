// SPDX-License-Identifier: Apache-2.0
// Reading what the user names, with warnings of what seems wrong in it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

#include "cli/input_options.h"
#include "cli/session.h"
#include "xylem/dataset.h"
#include "xylem/input.h"
#include "xylem/run.h"
#include "xylem/tagger.h"

namespace xylem::cli {

// Around the reading of an input that may keep us waiting: meanwhile Ctrl-C ends the program at once.
class WaitingForInput {
 public:
  WaitingForInput(const std::string& path, const Run& run);

 private:
  EndingAtOnce at_once_;
};

void warn_of(const std::string& path, const ReadReport& report, Session& session);
// Of `n` ids, of labels say, that training rows did not have, if there are any.
void warn_of_unknown(const char* what, std::size_t n, std::size_t n_known, const std::string& path, Session& session);

// All that -i names as one, with the names of --label-names; texts are left where they are.
Input open_input(const InputOptions& options, std::uint64_t max_bytes, Session& session);
// One file, with the names of --label-names.
Input read_input(const std::string& path, const InputOptions& options, std::uint64_t max_bytes, Session& session);
// Rows or texts that a model is to learn, with the names of --label-names: whatever it takes.
Input read_more(const Tagger& tagger, const InputOptions& options, std::uint64_t max_bytes, Session& session);

// The ids that training rows had.
struct TrainingSpace {
  std::size_t features = 0;
  std::size_t labels = 0;
  FirstIds first_ids;
};
// Rows for something trained on `known`: says how many features and labels it never saw.
Dataset read_beside(const TrainingSpace& known, const std::string& path, const InputOptions& options, Session& session);

// Gives a Dataset or a Corpus the names of --label-names, if there are any. `first_label` is what to take if the user
// has not said it.
template <class Data>
void name_labels(Data& data, const InputOptions& options, Session& session, std::optional<Label> first_label = {});

}  // namespace xylem::cli
