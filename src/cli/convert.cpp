// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <memory>
#include <optional>

#include "algorithms/row_scaling.h"
#include "cli/commands.h"
#include "cli/config.h"
#include "cli/names_file.h"
#include "cli/output_checks.h"
#include "cli/read_input.h"
#include "cli/session.h"
#include "core/fail.h"
#include "core/options.h"
#include "core/parallel.h"
#include "core/text.h"
#include "data/format.h"
#include "data/label_rules.h"
#include "data/lines.h"
#include "data/read_sparse.h"
#include "data/rereadable.h"
#include "data/text_file.h"
#include "data/vectoriser.h"
#include "data/write_sparse.h"
#include "tagger/settings.h"
#include "tagger/text_labels.h"
#include "xylem/input.h"
#include "xylem/tagger.h"

namespace xylem::cli {
namespace {

struct ConvertArguments {
  CommonOptions common;
  InputOptions input;
  std::string output;
  std::string format;
  std::string model;
  std::vector<std::string> set;
  std::string label_names_out;
  std::string features_out;
  bool force = false;

  bool to_rows() const { return std::ranges::count(dataset_formats(), format) > 0; }
};

TextOptions vectoriser_options(const ConvertArguments& arguments) {
  const Settings given = parse_settings(arguments.set);
  check_text_names(given);
  const SplitSettings settings = split_settings(given);
  if (!settings.method.empty()) {
    fail(ErrorKind::kUsage, "unknown option {}; those of texts begin with {}", quote(settings.method.begin()->first),
         kTextPrefix);
  }
  return parse_text_options(settings.text);
}

// Everything that can be wrong without reading a row is found here.
void check(const ConvertArguments& arguments) {
  require(arguments.input.path, "-i FILE");
  require(arguments.output, "-o FILE");
  require(arguments.format, "--to FORMAT");
  vectoriser_options(arguments);
  const bool about_rows = !arguments.model.empty() || !arguments.set.empty() || !arguments.features_out.empty();
  if (!arguments.to_rows() && about_rows) {
    fail(ErrorKind::kUsage, "-m, --set and --write-features are for texts that become rows, and {} holds texts",
         arguments.format);
  }
  if (!arguments.model.empty() && !arguments.set.empty()) {
    fail(ErrorKind::kUsage, "-m and --set do not go together: how texts become rows is in the model");
  }
  std::vector<std::string> paths;
  for (const std::string& path : {arguments.output, arguments.label_names_out, arguments.features_out}) {
    if (path.empty()) continue;
    if (std::ranges::count(paths, path) > 0) fail(ErrorKind::kUsage, "{} is to be written twice", path);
    check_not_input(path, arguments.input, {arguments.model});
    output_policy(path, arguments.force);
    paths.push_back(path);
  }
}

// What the file at `path` is to hold, if there is to be one: a line for each label, whatever its number.
std::string label_names_for(const std::string& path, const TextList& names, const TextList& ids) {
  return path.empty() ? "" : label_names_text(names, ids);
}

// How texts become rows: with the vocabulary of a model, or with one that is learned from these texts, as training
// would.
struct RowMaker {
  std::function<SparseMatrix(const TextList&)> features_of;
  TextList feature_names;
  LabelLists labels;
  TextList label_names;
  TextList label_ids;
  FirstIds first_ids;
};

RowMaker row_maker(const Tagger& tagger, const Corpus& corpus, const ConvertArguments& arguments, Session& session) {
  if (!tagger.takes_texts()) {
    fail(ErrorKind::kUsage, "{} was trained on sparse rows: it does not know how texts become rows", arguments.model);
  }
  TextLabels labels = text_labels(tagger, corpus.first_label);
  RowMaker maker;
  maker.features_of = [&](const TextList& texts) { return tagger.features_of(texts, session.run()); };
  maker.labels = labels.ids(corpus.labels, label_keys(corpus.label_names, corpus.label_ids));
  maker.label_names = labels.names();
  maker.label_ids = labels.label_ids();
  maker.first_ids = tagger.first_ids();
  if (const std::size_t new_labels = maker.label_names.size() - tagger.n_labels(); new_labels > 0) {
    session.warn(fmt::format("{}: labels that the model never saw, numbered from {} on: {}", arguments.input.path,
                             tagger.n_labels() + tagger.first_ids().label, new_labels));
  }
  for (std::size_t i = 0; i < tagger.n_features(); ++i) {
    maker.feature_names.push_back(tagger.feature_name(static_cast<Feature>(i)));
  }
  return maker;
}

RowMaker row_maker(const Vectoriser& vectoriser, const Corpus& corpus, Session& session) {
  RowMaker maker;
  maker.features_of = [&](const TextList& texts) { return vectoriser.transform(texts, session.run()); };
  maker.labels = corpus.labels;
  maker.label_names = corpus.label_names;
  maker.label_ids = corpus.label_ids;
  maker.first_ids.label = corpus.first_label.value_or(0);
  for (std::size_t i = 0; i < vectoriser.n_features(); ++i) {
    maker.feature_names.push_back(vectoriser.word(static_cast<Feature>(i)));
  }
  return maker;
}

void write_rows(const RowMaker& maker, const TextBlocks& texts, const ConvertArguments& arguments, Session& session) {
  const std::string &labels_path = arguments.label_names_out, &features_path = arguments.features_out;
  NamesFile label_names(labels_path, label_names_for(labels_path, maker.label_names, maker.label_ids), arguments.force);
  NamesFile feature_names(features_path, features_path.empty() ? "" : lines_text(maker.feature_names, "word"),
                          arguments.force);
  SparseFile file(arguments.format, {texts.size(), maker.feature_names.size(), maker.label_names.size()},
                  maker.first_ids, arguments.output, output_policy(arguments.output, arguments.force));
  std::size_t row = 0;
  texts.for_each([&](const TextList& block) {
    SparseMatrix features = maker.features_of(block);
    scale_to_unit(features);  // as every method sees them
    for (std::size_t i = 0; i < features.size(); ++i, ++row) file.write(maker.labels[row], features[i]);
  });
  file.commit();
  label_names.commit();
  feature_names.commit();
  session.say(fmt::format("wrote {}, {} rows, {} features, {} labels", arguments.output, texts.size(),
                          maker.feature_names.size(), maker.label_names.size()));
}

void convert_texts(const Corpus& corpus, const TextBlocks& texts, const ConvertArguments& arguments, Session& session) {
  if (!arguments.to_rows()) {
    const std::string& path = arguments.label_names_out;
    if (arguments.format != "jsonl") {
      const std::string warning = shared_names_warning(corpus.label_names, corpus.label_ids, arguments.format);
      if (!warning.empty()) session.warn(warning);
    }
    NamesFile labels(path, label_names_for(path, corpus.label_names, corpus.label_ids), arguments.force);
    write_corpus(corpus, texts, arguments.format, arguments.input.label_separator.value_or(','), arguments.output,
                 arguments.force);
    labels.commit();
    session.say(fmt::format("wrote {}, {} texts", arguments.output, texts.size()));
  } else if (!arguments.model.empty()) {
    const Tagger tagger = Tagger::load(arguments.model, session.run());
    write_rows(row_maker(tagger, corpus, arguments, session), texts, arguments, session);
  } else {
    const Vectoriser vectoriser(texts, vectoriser_options(arguments), session.run());
    write_rows(row_maker(vectoriser, corpus, session), texts, arguments, session);
  }
}

void check_rows(const ConvertArguments& arguments) {
  const std::string& path = arguments.input.path;
  if (!arguments.to_rows()) {
    fail(ErrorKind::kUsage, "{} holds sparse rows, which have no texts, so they cannot become {}", path,
         arguments.format);
  }
  if (!arguments.input.label_names.empty() || !arguments.label_names_out.empty()) {
    fail(ErrorKind::kUsage, "{} holds sparse rows, and {} has numbers for labels: names have no place there", path,
         arguments.format);
  }
  if (!arguments.model.empty() || !arguments.set.empty() || !arguments.features_out.empty()) {
    fail(ErrorKind::kUsage, "{} holds sparse rows; -m, --set and --write-features are for texts that become rows",
         path);
  }
}

// Twice through the rows: first for what the header and the first row must know.
void convert_rows(LineBlocks& lines, ReadOptions options, const ConvertArguments& arguments, Session& session) {
  const Cuts& cuts = kStreamCuts;
  RereadableLines rereadable(lines, arguments.input.path);
  const SparseSummary found = summarise_sparse(lines, options, session.run(), cuts.chunk_bytes);
  check_rows(arguments);
  rereadable.first_reading_is_over();
  std::size_t n_rows = found.rows;
  LineBlocks second = rereadable.open(cuts.block_bytes, options.max_bytes);
  if (found.late_bad_lines) {
    const ReadResult all = read_sparse(second, options, session.run(), cuts.chunk_bytes);
    warn_of(arguments.input.path, all.report, session);
    write_dataset(all.data, arguments.format, arguments.output, arguments.force);
    n_rows = all.data.size();
  } else {
    warn_of(arguments.input.path, found.report, session);
    options.first_ids = found.first_ids;
    SparseFile file(arguments.format, {n_rows, found.features, found.labels}, found.first_ids, arguments.output,
                    output_policy(arguments.output, arguments.force));
    read_sparse_blocks(second, options, session.run(), cuts.chunk_bytes, [&](Dataset& rows, std::size_t) {
      for (std::size_t i = 0; i < rows.size(); ++i) file.write(rows.labels[i], rows.features[i]);
      rows.features.clear();
      rows.labels.clear();
    });
    rereadable.check_same(second);
    file.commit();
  }
  session.say(fmt::format("wrote {}, {} rows", arguments.output, n_rows));
}

int run_convert(const ConvertArguments& arguments) {
  check(arguments);
  Session session(arguments.common);
  const InputOptions& input = arguments.input;
  const WaitingForInput waiting(input.path, session.run());
  LineBlocks lines(input.path, kStreamCuts.block_bytes);
  const ReadOptions options = read_options(input, std::nullopt, kNoLimit);
  const ReadOptions known = with_known_format(lines, options);
  with_threads(arguments.common.threads, [&] {
    if (holds_sparse_rows(known.format)) return convert_rows(lines, known, arguments, session);
    TextFile texts(lines, input.path, options, session.run(), kStreamCuts);
    warn_of(input.path, texts.rows().report, session);
    name_labels(texts.rows().corpus, input, session);
    convert_texts(texts.rows().corpus, texts, arguments, session);
  });
  return 0;
}

}  // namespace

Runner define_convert(CLI::App& app) {
  auto arguments = std::make_shared<ConvertArguments>();
  add_input_options(app, arguments->input, "data; - is standard input");
  add_label_names_option(app, arguments->input);
  app.add_option("-o,--output", arguments->output, "file to write; - is standard output");
  std::vector<std::string> formats;
  for (const std::string_view format : dataset_formats()) formats.emplace_back(format);
  for (const std::string_view format : text_formats()) formats.emplace_back(format);
  app.add_option("--to", arguments->format, "format to write")->check(one_of(formats));
  app.add_option("-m,--model", arguments->model, "texts to rows: with the words and labels of this model");
  app.add_option("--set", arguments->set, "texts to rows: an option of texts, like text.ngrams=1; may be repeated")
      ->allow_extra_args(false);
  app.add_option("--write-label-names", arguments->label_names_out,
                 "file for the names of the labels, one per line, with their identifiers if they have any");
  app.add_option("--write-features", arguments->features_out, "texts to rows: file for the words, one per line");
  app.add_flag("--force", arguments->force, "replace existing files");
  add_common_options(app, arguments->common);
  app.footer(
      "Examples:\n  xylem convert -i train.jsonl -o train.csv --to csv\n"
      "  xylem convert -i train.jsonl -o train.txt --to xmlrepo --write-label-names labels.txt");
  return [arguments] { return run_convert(*arguments); };
}

}  // namespace xylem::cli
