// SPDX-License-Identifier: Apache-2.0
#include "cli/findings.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <string_view>

#include "core/text.h"

namespace xylem::cli {
namespace {

std::string counted(std::size_t n, std::string_view one, std::string_view many) {
  return fmt::format("{} {}", n, n == 1 ? one : many);
}

// "3 of 20 labels are"
std::string counted_of(std::size_t n, std::size_t all, std::string_view many) {
  return fmt::format("{} of {} {} {}", n, all, many, n == 1 ? "is" : "are");
}

double percent(std::size_t part, std::size_t whole) {
  return whole == 0 ? 0 : 100 * static_cast<double>(part) / static_cast<double>(whole);
}

// "'a', 'b' and others"
std::string some_names(const std::vector<std::string>& names, std::size_t count) {
  constexpr std::size_t kShown = 3;
  std::vector<std::string> shown;
  for (std::size_t i = 0; i < std::min(names.size(), kShown); ++i) shown.push_back(quote_name(names[i]));
  return fmt::format("{}{}", fmt::join(shown, ", "), count > shown.size() ? ", ..." : "");
}

class Findings {
 public:
  Findings(std::string data, const ExaminedFile& file, const InputOptions& options)
      : data_(std::move(data)), file_(file), found_(file.found), report_(file.input.report), options_(options) {}

  void lines();
  void encoding();
  void rows();
  void labels();
  void label_names();
  void comparison(const TestComparison& with_training);

  std::vector<Finding> take() { return std::move(list_); }

 private:
  // Keeps it if there is anything to tell.
  void add(std::string name, std::size_t count, std::string text, std::vector<std::string> examples = {},
           bool list_examples = false) {
    if (count > 0)
      list_.push_back({std::move(name), data_, count, std::move(text), std::move(examples), list_examples});
  }
  bool is_test() const { return data_ == "test"; }
  std::string verb() const { return is_test() ? "eval" : "train"; }
  std::string label_text(Label label) const;

  std::string data_;
  const ExaminedFile& file_;
  const Examination& found_;
  const ReadReport& report_;
  const InputOptions& options_;
  std::vector<Finding> list_;
};

void Findings::lines() {
  const std::size_t n = report_.bad_lines;
  const bool skipped = options_.max_bad_lines >= n;
  add("bad_lines", n,
      fmt::format("{} could not be understood: `xylem {}` {}", counted(n, "line", "lines"), verb(),
                  skipped ? "skips them, as --max-bad-lines allows"
                          : fmt::format("stops at the first; mend them, or skip them with --max-bad-lines {}", n)),
      report_.bad_line_messages, true);
  add("duplicate_features", report_.duplicate_features,
      fmt::format("{} more than once in a row: their values are added up",
                  counted(report_.duplicate_features, "feature is there", "features are there")));
  add("duplicate_labels", report_.duplicate_labels,
      fmt::format("{} more than once in a row: each counts once",
                  counted(report_.duplicate_labels, "label is there", "labels are there")));
}

void Findings::encoding() {
  const std::size_t n = report_.replaced_lines;
  const bool replaced = options_.bad_utf8 == "replace";
  add("invalid_utf8", n,
      fmt::format("{} bytes that are no UTF-8: {}", counted(n, "line has", "lines have"),
                  replaced ? "U+FFFD takes their place, as --bad-utf8 replace says"
                           : fmt::format("`xylem {}` stops at the first; find out the encoding (`iconv -f latin1 -t "
                                         "utf-8`, say), or put U+FFFD in their place with --bad-utf8 replace",
                                         verb())),
      report_.replaced_line_messages, true);
  const std::size_t earlier = earlier_replacements(file_);
  add("replacement_characters", earlier,
      fmt::format("{} U+FFFD in the texts: what stood there was lost when an earlier program could not read it; "
                  "look whether the source still has it",
                  counted(earlier, "character is", "characters are")));
  add("mojibake", found_.mojibake_rows,
      fmt::format(
          "{} letters like 'Ã¤' for 'ä': UTF-8 that was taken for Latin-1 and encoded again, so their words are "
          "not those of other texts; decode the source anew",
          counted(found_.mojibake_rows, "text has", "texts have")));
}

void Findings::rows() {
  add("rows_without_labels", found_.rows_without_labels,
      fmt::format("{} no label ({:.1f} %): {}", counted(found_.rows_without_labels, "row has", "rows have"),
                  percent(found_.rows_without_labels, found_.rows),
                  is_test() ? "they count as misses in every figure" : "training leaves them out"));
  add(found_.texts ? "empty_texts" : "rows_without_features", found_.rows_without_content,
      fmt::format("{} ({:.1f} %): {}",
                  found_.texts ? counted(found_.rows_without_content, "text is empty", "texts are empty")
                               : counted(found_.rows_without_content, "row has no feature", "rows have no feature"),
                  percent(found_.rows_without_content, found_.rows),
                  is_test() ? "no model can tell their labels" : "nothing can be learned from them"));
  const Repeats& repeats = found_.repeats;
  const std::string other_labels =
      repeats.with_other_labels == 0 ? "" : fmt::format(" ({} of them with other labels)", repeats.with_other_labels);
  std::vector<std::string> example;
  if (found_.repeat_example) {
    example = {fmt::format("rows {} and {}", found_.repeat_example->first + 1, found_.repeat_example->second + 1)};
  }
  const std::string where = example.empty() ? "" : fmt::format(", {} for example", example[0]);
  add("repeated_rows", repeats.rows,
      fmt::format("{} an earlier one{}{}: {}", counted(repeats.rows, "row repeats", "rows repeat"), other_labels, where,
                  is_test() ? "each counts by itself in every figure"
                            : "drop them or join their labels, or figures on held-out rows will be too good"),
      example);
}

std::string Findings::label_text(Label label) const {
  if (const Corpus* corpus = std::get_if<Corpus>(&file_.input.data)) return quote_name(corpus->label_names[label]);
  return std::to_string(label + std::get<Dataset>(file_.input.data).first_ids.label);
}

void Findings::labels() {
  const LabelSpread& spread = found_.spread;
  add("unused_labels", spread.unused,
      fmt::format("{} on no row: no model can learn them", counted_of(spread.unused, spread.labels, "labels")));
  add("labels_on_one_row", spread.on_one_row,
      fmt::format("{} on one row only ({:.1f} %): hardly any of them will ever be predicted; look for more examples, "
                  "or merge labels",
                  counted_of(spread.on_one_row, spread.labels, "labels"), percent(spread.on_one_row, spread.labels)));
  if (spread.on_most_rows.empty()) return;
  std::vector<std::string> examples;
  for (const Label label : spread.on_most_rows) {
    if (examples.size() == NameFault::kMaxExamples) break;
    examples.push_back(
        fmt::format("{} ({:.0f} %)", label_text(label), percent(found_.label_counts[label], found_.rows)));
  }
  const std::size_t n = spread.on_most_rows.size();
  add("labels_on_most_rows", n,
      fmt::format("{} on more than half of the rows, {}: such labels lead most predictions and tell rows apart "
                  "little; leave them out if you do not need them",
                  counted(n, "label is", "labels are"), examples[0]),
      examples);
}

void Findings::label_names() {
  const NameFaults& names = found_.names;
  const bool splits = report_.format == "tsv" || report_.format == "csv";
  for (const auto& [separator, fault] : names.separators) {
    const std::string shown = separator == '\t' ? "a TAB" : fmt::format("'{}'", separator);
    std::string fix = "write each label by itself";
    if (report_.format == "jsonl") {
      fix = fmt::format("--label-separator {} splits it in a string; in a list, {}", shown, fix);
    }
    if (splits) fix = fmt::format("read the file with --label-separator {}", shown);
    add("separator_in_label_names", fault.count,
        fmt::format("{} {}, {}: if it stands between labels, {}; if not, {}",
                    counted(fault.count, "label name contains", "label names contain"), shown,
                    some_names(fault.examples, fault.count), fix,
                    splits ? "all is well" : "tsv and csv can hold them only with another --label-separator"),
        fault.examples);
  }
  add("blank_label_names", names.blank.count,
      fmt::format("{} nothing to see in it: look where it comes from",
                  counted(names.blank.count, "label name has", "label names have")),
      names.blank.examples);
  std::vector<std::string> pairs;
  for (std::size_t i = 0; i < names.alike.examples.size(); ++i)
    pairs.push_back(fmt::format("{} and {}", quote_name(names.alike_to[i]), quote_name(names.alike.examples[i])));
  add("similar_label_names", names.alike.count,
      fmt::format("{} from an earlier one only by case or blanks{}: they are different labels to every method; make "
                  "them one if they mean the same",
                  counted(names.alike.count, "label name differs", "label names differ"),
                  pairs.empty() ? "" : ", " + pairs[0]),
      pairs);
}

void Findings::comparison(const TestComparison& with_training) {
  add("test_rows_in_training", with_training.rows_in_training,
      fmt::format("{} also in the training data ({:.1f} %): figures on them will be too good; take them out of one of "
                  "the two",
                  counted_of(with_training.rows_in_training, found_.rows, "rows"),
                  percent(with_training.rows_in_training, found_.rows)));
  add("labels_unseen_in_training", with_training.unseen_labels,
      fmt::format("{} in no training row, {}: no model can find them; they are {:.1f} % of the true labels, and all "
                  "that {}",
                  counted_of(with_training.unseen_labels, found_.spread.labels - found_.spread.unused, "labels"),
                  some_names(with_training.unseen_examples, with_training.unseen_labels),
                  percent(with_training.unseen_pairs, found_.labels.total),
                  counted(with_training.rows_with_unseen_only, "row has", "rows have")),
      with_training.unseen_examples);
}

}  // namespace

std::vector<Finding> find_in_train(const ExaminedFile& train, const InputOptions& options) {
  Findings findings("train", train, options);
  findings.lines();
  findings.encoding();
  findings.rows();
  findings.labels();
  findings.label_names();
  return findings.take();
}

std::vector<Finding> find_in_test(const ExaminedFile& test, const TestComparison& comparison,
                                  const InputOptions& options) {
  Findings findings("test", test, options);
  findings.lines();
  findings.encoding();
  findings.rows();
  findings.comparison(comparison);
  return findings.take();
}

std::vector<Finding> find_in_costs(const std::vector<TrainingCost>& costs, std::optional<std::uint64_t> memory) {
  std::vector<Finding> findings;
  for (const TrainingCost& cost : costs) {
    if (!memory || cost.memory <= *memory) continue;
    findings.push_back({.name = "too_little_memory",
                        .data = "train",
                        .count = 1,
                        .text = fmt::format("{} needs about {} of memory, and {} are free: take fewer rows, or a "
                                            "machine with more",
                                            cost.method->name, format_bytes(cost.memory), format_bytes(*memory)),
                        .examples = {}});
  }
  return findings;
}

std::size_t earlier_replacements(const ExaminedFile& file) {
  // Those of this reading may also stand in labels or ids, so that this is not quite all.
  const std::size_t all = file.found.replacement_characters;
  return all - std::min(all, file.input.report.replaced_utf8);
}

}  // namespace xylem::cli
