// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <memory>
#include <optional>
#include <variant>

#include "cli/commands.h"
#include "cli/config.h"
#include "cli/session.h"
#include "core/fail.h"
#include "core/options.h"
#include "core/parallel.h"
#include "core/text.h"
#include "data/lines.h"
#include "data/vectoriser.h"
#include "learn/row_scaling.h"
#include "tagger/settings.h"
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

TextOptions text_options(const ConvertArguments& arguments) {
  const SplitSettings settings = split_settings(parse_settings(arguments.set));
  if (!settings.method.empty()) {
    fail(ErrorKind::kUsage, "unknown option {}; those of texts begin with {}", quote(settings.method.begin()->first),
         kTextPrefix);
  }
  return parse_options<TextOptions>(settings.text);
}

// Everything that can be wrong without reading a row is found here.
void check(const ConvertArguments& arguments) {
  require(arguments.input.path, "-i FILE");
  require(arguments.output, "-o FILE");
  require(arguments.format, "--to FORMAT");
  text_options(arguments);
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
    output_policy(path, arguments.force);
    paths.push_back(path);
  }
}

struct NamedRows {
  Dataset data;
  TextList features;
};

// With the vocabulary of a model, or one that is learned from these texts, as training would do it.
NamedRows rows_of(Corpus corpus, const ConvertArguments& arguments, Session& session) {
  NamedRows result;
  const Run run = session.run();
  if (!arguments.model.empty()) {
    const Tagger tagger = Tagger::load(arguments.model, run);
    if (!tagger.takes_texts()) {
      fail(ErrorKind::kUsage, "{} was trained on sparse rows: it does not know how texts become rows", arguments.model);
    }
    result.data = tagger.rows_of(corpus, run);
    if (const std::size_t new_labels = result.data.n_labels - tagger.n_labels(); new_labels > 0) {
      session.warn(fmt::format("{}: labels that the model never saw, numbered from {} on: {}", arguments.input.path,
                               tagger.n_labels() + tagger.first_ids().label, new_labels));
    }
    for (std::size_t i = 0; i < tagger.n_features(); ++i) {
      result.features.push_back(tagger.feature_name(static_cast<Feature>(i)));
    }
  } else {
    Dataset& data = result.data;
    with_threads(run.threads, [&] {
      const Vectoriser vectoriser(corpus.texts, text_options(arguments), run, &data.features);
      for (std::size_t i = 0; i < vectoriser.n_features(); ++i) {
        result.features.push_back(vectoriser.word(static_cast<Feature>(i)));
      }
    });
    data.labels = std::move(corpus.labels);
    data.n_labels = corpus.label_names.size();
    data.first_ids.label = corpus.first_label.value_or(0);
    data.label_names = std::move(corpus.label_names);
  }
  with_threads(run.threads, [&] { scale_to_unit(result.data.features); });  // as every method sees them
  return result;
}

// A file beside the data, which appears after them: what it cannot hold is found out first.
class NamesFile {
 public:
  NamesFile(const std::string& path, const TextList& names, std::string_view what, bool force) {
    if (path.empty()) return;
    out_.emplace(path, output_policy(path, force));
    write_lines(names, what, *out_);
  }
  void commit() {
    if (out_) out_->commit();
  }

 private:
  std::optional<OutputFile> out_;
};

void convert_texts(Corpus corpus, const ConvertArguments& arguments, Session& session) {
  const bool force = arguments.force;
  if (!arguments.to_rows()) {
    NamesFile labels(arguments.label_names_out, corpus.label_names, "label", force);
    write_corpus(corpus, arguments.format, arguments.input.label_separator, arguments.output, force);
    labels.commit();
    session.say(fmt::format("wrote {}, {} texts", arguments.output, corpus.size()));
    return;
  }
  const NamedRows rows = rows_of(std::move(corpus), arguments, session);
  NamesFile labels(arguments.label_names_out, rows.data.label_names, "label", force);
  NamesFile features(arguments.features_out, rows.features, "word", force);
  write_dataset(rows.data, arguments.format, arguments.output, force);
  labels.commit();
  features.commit();
  session.say(fmt::format("wrote {}, {} rows, {} features, {} labels", arguments.output, rows.data.size(),
                          rows.features.size(), rows.data.n_labels));
}

void convert_rows(const Dataset& data, const ConvertArguments& arguments, Session& session) {
  const std::string& path = arguments.input.path;
  if (!arguments.to_rows()) {
    fail(ErrorKind::kUsage, "{} holds sparse rows: numbers without the words behind them, of which no {} can be made",
         path, arguments.format);
  }
  if (!arguments.input.label_names.empty() || !arguments.label_names_out.empty()) {
    fail(ErrorKind::kUsage, "{} holds sparse rows, and {} has numbers for labels: names have no place there", path,
         arguments.format);
  }
  if (!arguments.model.empty() || !arguments.set.empty() || !arguments.features_out.empty()) {
    fail(ErrorKind::kUsage, "{} holds sparse rows; -m, --set and --write-features are for texts that become rows",
         path);
  }
  write_dataset(data, arguments.format, arguments.output, arguments.force);
  session.say(fmt::format("wrote {}, {} rows", arguments.output, data.size()));
}

int run_convert(const ConvertArguments& arguments) {
  check(arguments);
  Session session(arguments.common);
  Input input = session.read_input(arguments.input.path, arguments.input, std::numeric_limits<std::uint64_t>::max());
  if (Corpus* corpus = std::get_if<Corpus>(&input.data)) {
    convert_texts(std::move(*corpus), arguments, session);
  } else {
    convert_rows(std::get<Dataset>(input.data), arguments, session);
  }
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
  app.add_option("--to", arguments->format, "format to write")->check(CLI::IsMember(formats));
  app.add_option("-m,--model", arguments->model, "texts to rows: with the words and labels of this model");
  app.add_option("--set", arguments->set, "texts to rows: an option of texts, like text.ngrams=1; may be repeated")
      ->allow_extra_args(false);
  app.add_option("--write-label-names", arguments->label_names_out, "file for the names of the labels, one a line");
  app.add_option("--write-features", arguments->features_out, "texts to rows: file for the words, one a line");
  app.add_flag("--force", arguments->force, "replace existing files");
  add_common_options(app, arguments->common);
  app.footer(
      "Examples:\n  xylem convert -i train.jsonl -o train.csv --to csv\n"
      "  xylem convert -i train.jsonl -o train.txt --to xmlrepo --write-label-names labels.txt");
  return [arguments] { return run_convert(*arguments); };
}

}  // namespace xylem::cli
