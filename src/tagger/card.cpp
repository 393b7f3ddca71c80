// SPDX-License-Identifier: Apache-2.0
// Each part of the card lists its keys once, in list(); a visitor writes them, another one reads them.
#include "tagger/card.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <type_traits>
#include <utility>

namespace xylem {
namespace {

using nlohmann::json;

void list(Card::Data& data, auto&& field) {
  field("rows", data.rows);
  field("features", data.features);
  field("labels", data.labels);
  field("nonzeros", data.nonzeros);
  field("first_feature", data.first_ids.feature);
  field("first_label", data.first_ids.label);
  field("hash", data.hash);
}

void list(Card::Learned& learned, auto&& field) {
  field("times", learned.times);
  field("rows", learned.rows);
  field("labels", learned.labels);
  field("nonzeros", learned.nonzeros);
  field("hash", learned.hash);
  field("parts", learned.parts);
  field("settings", learned.settings);
  field("program", learned.program);
  field("date", learned.date);
}

void list(Probes& probes, auto&& field) {
  field("of_texts", probes.of_texts);
  field("compiler", probes.compiler);
  field("rows", probes.rows);
  field("predictions", probes.predictions);
}

void list(Validation& validation, auto&& field) {
  field("rows", validation.rows);
  field.others(validation.figures);
}

void list(Card& card, auto&& field) {
  field("data", card.data);
  field("seed", card.seed);
  field("validation_share", card.validation_share);
  field("validation_hash", card.validation_hash);
  field("held_out", card.held_out);
  field("interrupted", card.interrupted);
  field("settings", card.settings);
  field("chosen", card.chosen);
  field("validation", card.validation);
  field("learned", card.learned);
  field("program", card.program);
  field("date", card.date);
  field("probes", card.probes);
  field.others(card.others);
}

template <class T>
concept HasKeys = std::is_same_v<T, Card::Data> || std::is_same_v<T, Card::Learned> || std::is_same_v<T, Probes> ||
    std::is_same_v<T, Validation>;

// Empty texts and what has no value are left out.
class CardWriter {
 public:
  explicit CardWriter(json& object) : object_(object) { object_ = json::object(); }

  template <class T>
  void operator()(const char* key, T& value) {
    object_[key] = value;
  }
  template <HasKeys T>
  void operator()(const char* key, T& value) {
    list(value, CardWriter(object_[key]));
  }
  template <class T>
  void operator()(const char* key, std::optional<T>& value) {
    if (value) (*this)(key, *value);
  }
  void operator()(const char* key, std::string& value) {
    if (!value.empty()) object_[key] = value;
  }
  void others(const std::map<std::string, double>& values) {
    for (const auto& [key, value] : values) object_[key] = value;
  }
  void others(const std::map<std::string, std::string>& values) {
    for (const auto& [key, value] : values) object_[key] = json::parse(value);
  }

 private:
  json& object_;
};

bool take(const json& found, bool& value) {
  return found.is_boolean() && (value = found.get<bool>(), true);
}
bool take(const json& found, double& value) {
  return found.is_number() && (value = found.get<double>(), true);
}
bool take(const json& found, std::uint64_t& value) {
  return found.is_number_unsigned() && (value = found.get<std::uint64_t>(), true);
}
bool take(const json& found, std::uint32_t& value) {
  return found.is_number_unsigned() && (value = found.get<std::uint32_t>(), true);
}
bool take(const json& found, std::string& value) {
  return found.is_string() && (value = found.get<std::string>(), true);
}
bool take(const json& found, std::vector<std::string>& values) {
  if (!found.is_array()) return false;
  for (const json& value : found) {
    if (value.is_string()) values.push_back(value.get<std::string>());
  }
  return true;
}
bool take(const json& found, Settings& settings) {
  if (!found.is_object()) return false;
  for (const auto& [name, value] : found.items()) {
    if (value.is_string()) settings[name] = value.get<std::string>();
  }
  return true;
}

// Values of another type stay as they were.
class CardReader {
 public:
  explicit CardReader(const json& object) : object_(object) {}

  template <class T>
  bool operator()(const char* key, T& value) {
    known_.push_back(key);
    const auto found = object_.find(key);
    if (found == object_.end()) return false;
    if constexpr (HasKeys<T>) {
      if (found->is_object()) list(value, CardReader(*found));
      return found->is_object();
    } else {
      return take(*found, value);
    }
  }
  template <class T>
  void operator()(const char* key, std::optional<T>& value) {
    if (!(*this)(key, value.emplace())) value.reset();
  }
  void others(std::map<std::string, double>& values) const {
    for_others([&](const std::string& key, const json& value) {
      if (value.is_number()) values[key] = value.get<double>();
    });
  }
  void others(std::map<std::string, std::string>& values) const {
    for_others([&](const std::string& key, const json& value) { values[key] = value.dump(); });
  }

 private:
  void for_others(const auto& keep) const {
    for (const auto& [key, value] : object_.items()) {
      if (std::ranges::find(known_, key) == known_.end()) keep(key, value);
    }
  }

  const json& object_;
  std::vector<std::string> known_;
};

}  // namespace

std::string card_text(Card card) {
  json object;
  list(card, CardWriter(object));
  return object.dump(-1, ' ', false, json::error_handler_t::replace);
}

std::optional<Card> read_card(const std::string& text) {
  constexpr int kDeepest = 3;
  bool deep = false;
  const auto keep = [&](int depth, json::parse_event_t, json&) {
    deep |= depth > kDeepest;
    return depth <= kDeepest;
  };
  const json object = json::parse(text, keep, false);
  if (deep || !object.is_object()) return std::nullopt;
  Card card;
  list(card, CardReader(object));
  return card;
}

}  // namespace xylem
