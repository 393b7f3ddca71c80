// SPDX-License-Identifier: Apache-2.0
#include "data/join.h"

#include <algorithm>
#include <memory>
#include <utility>

#include "core/fail.h"
#include "data/chunks.h"
#include "data/label_table.h"
#include "data/name_table.h"

namespace xylem {
namespace {

class JoinedTexts final : public TextBlocks {
 public:
  explicit JoinedTexts(std::vector<std::shared_ptr<const TextBlocks>> parts) : parts_(std::move(parts)) {}

  std::size_t size() const override {
    std::size_t n = 0;
    for (const auto& part : parts_) n += part->size();
    return n;
  }
  void for_each(const std::function<void(const TextList& texts)>& use) const override {
    for (const auto& part : parts_) part->for_each(use);
  }

 private:
  std::vector<std::shared_ptr<const TextBlocks>> parts_;
};

void append(Corpus& all, NameTable& keys, const Corpus& more) {
  std::vector<Label> number_of;  // of each label of `more`, among all
  const TextList keys_of_more = label_keys(more.label_names, more.label_ids);
  for (std::size_t i = 0; i < keys_of_more.size(); ++i) number_of.push_back(keys.number(keys_of_more[i]));
  if (all.document_ids.size() > 0 || more.document_ids.size() > 0) {
    all.document_ids.pad(all.labels.size());
    all.document_ids.append(more.document_ids);
    all.document_ids.pad(all.labels.size() + more.labels.size());
  }
  all.texts.append(more.texts);
  std::vector<Label> row;
  for (std::size_t i = 0; i < more.labels.size(); ++i) {
    row.clear();
    for (const Label label : more.labels[i]) row.push_back(number_of[label]);
    std::ranges::sort(row);
    all.labels.push_back(row);
  }
}

void append(Dataset& all, const Dataset& more) {
  for (std::size_t i = 0; i < more.size(); ++i) all.features.push_back(more.features[i]);
  all.labels.append(more.labels);
  all.features.n_columns = std::max(all.features.n_columns, more.features.n_columns);
  all.n_labels = std::max(all.n_labels, more.n_labels);
}

Input join_texts(std::vector<Input> inputs) {
  Corpus all;
  NameTable keys;
  std::vector<std::shared_ptr<const TextBlocks>> texts;
  for (Input& input : inputs) {
    append(all, keys, std::get<Corpus>(input.data));
    if (input.texts) texts.push_back(std::move(input.texts));
    input.data = Corpus();
  }
  name_labels_by_keys(keys.take_names(), all);
  Input joined{std::move(all), {}};
  if (!texts.empty()) joined.texts = std::make_shared<JoinedTexts>(std::move(texts));
  return joined;
}

Input join_rows(std::vector<Input> inputs, const std::vector<std::string>& paths) {
  std::vector<std::string> warnings;
  Dataset all = std::move(std::get<Dataset>(inputs[0].data));
  const std::size_t n_features = all.features.n_columns, n_labels = all.n_labels;
  for (std::size_t i = 1; i < inputs.size(); ++i) {
    const Dataset& more = std::get<Dataset>(inputs[i].data);
    if (more.first_ids != all.first_ids) {
      const auto first = [](const Dataset& data) {
        return fmt::format("features count from {} and labels from {}", data.first_ids.feature, data.first_ids.label);
      };
      fail(ErrorKind::kUsage, "in {} {}, in {} {}: --first-id says how they count in both", paths[0], first(all),
           paths[i], first(more));
    }
    const bool have_headers = inputs[0].report.format == "xmlrepo" && inputs[i].report.format == "xmlrepo";
    if (have_headers && (more.features.n_columns != n_features || more.n_labels != n_labels)) {
      warnings.push_back(
          fmt::format("{} has {} features and {} labels, {} has {} and {}: do their numbers mean the same?", paths[0],
                      n_features, n_labels, paths[i], more.features.n_columns, more.n_labels));
    }
    append(all, more);
    inputs[i].data = Corpus();
  }
  Input joined{std::move(all), {}};
  joined.report.warnings = std::move(warnings);
  return joined;
}

std::uint64_t held_by(const TextList& list) {
  return held_bytes(list.bytes) + held_bytes(list.offsets) + held_bytes(list.title_bytes);
}

std::uint64_t held_by(const LabelLists& lists) {
  return held_bytes(lists.ids) + held_bytes(lists.offsets);
}

std::uint64_t held_by(const Dataset& data) {
  return held_bytes(data.features.offsets) + held_bytes(data.features.ids) + held_bytes(data.features.values) +
         held_by(data.labels) + held_by(data.label_names) + held_by(data.label_ids);
}

std::uint64_t held_by(const Corpus& corpus) {
  return held_by(corpus.texts) + held_by(corpus.labels) + held_by(corpus.label_names) + held_by(corpus.label_ids) +
         held_by(corpus.document_ids);
}

}  // namespace

std::uint64_t held_bytes(const Input& input) {
  return std::visit([](const auto& data) { return held_by(data); }, input.data);
}

Input join_inputs(std::vector<Input> inputs, const std::vector<std::string>& paths) {
  if (inputs.size() == 1) return std::move(inputs[0]);
  for (std::size_t i = 1; i < inputs.size(); ++i) {
    if (inputs[i].data.index() == inputs[0].data.index()) continue;
    const char* const kinds[] = {"sparse rows", "texts"};
    fail(ErrorKind::kData, "{}: found {}, expected {}, as in {}", paths[i], kinds[inputs[i].data.index()],
         kinds[inputs[0].data.index()], paths[0]);
  }
  return std::holds_alternative<Corpus>(inputs[0].data) ? join_texts(std::move(inputs))
                                                        : join_rows(std::move(inputs), paths);
}

}  // namespace xylem
