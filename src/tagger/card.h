// SPDX-License-Identifier: Apache-2.0
// The card of a model: what it was made from, and how good it is. Nothing but what changes the result or follows from
// it. docs/model-format.md lists the keys that its members have in the file.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "xylem/dataset.h"
#include "xylem/options.h"

namespace xylem {

// What became known on validation rows.
struct Validation {
  std::uint64_t rows = 0;
  std::map<std::string, double> figures;
};

// Rows made up from the seed, with what the model predicted for them when it was made: see tagger/probes.h.
struct Probes {
  bool of_texts = false;
  std::string compiler;                  // that built the program: "gcc" or "clang"; they order sums differently
  std::vector<std::string> rows;         // texts, or "feature:value feature:value ..."
  std::vector<std::string> predictions;  // "label:score label:score ..." of each; ids count from 0
};

// Outside of Card, since clang 14 cannot make an optional of a nested struct with initialisers.
struct CardData {
  std::uint64_t rows = 0, features = 0, labels = 0, nonzeros = 0;
  FirstIds first_ids;
  std::string hash;
};
// What was learned since training.
struct CardLearned {
  std::uint64_t times = 0, rows = 0, labels = 0, nonzeros = 0;
  std::string hash;                  // of the hash before, and the content of the last rows
  std::vector<std::string> parts;    // a hash of the rows of each time
  std::optional<Settings> settings;  // of the last time, if the method has any for it
  std::string program, date;         // of the last time
};

struct Card {
  using Data = CardData;
  using Learned = CardLearned;

  Data data;
  std::uint64_t seed = 0;
  std::optional<double> validation_share;
  std::string validation_hash;  // empty without a file of validation rows
  std::uint64_t held_out = 0;
  std::string interrupted;  // empty if training came to its end
  Settings settings, chosen;
  std::optional<Validation> validation;
  std::optional<Learned> learned;
  std::string program;  // the version that trained it; empty in files from before the card had it
  std::string date;     // as the user gave it, or empty
  std::optional<Probes> probes;
  std::map<std::string, std::string> others;  // keys that this program does not know, each with its JSON
};

// A JSON object, with keys in the order of their names.
std::string card_text(Card card);

// Takes hostile text. A known key whose value has another type counts as missing. None if it is no JSON object or goes
// deeper than three levels: whoever shows a card walks through it.
std::optional<Card> read_card(const std::string& text);

}  // namespace xylem
