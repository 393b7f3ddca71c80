// SPDX-License-Identifier: Apache-2.0
// GLaS (Guo et al., NeurIPS 2019). A row goes through one layer to a vector φ of length 1, each label has a vector of
// length 1, and their cosine, scaled, with a bias for the label, is its score. Features of rows are dropped while it
// learns; a regulariser may draw the products of label vectors to how often the labels occur together.
//
// We differ in the loss, each label of a row against all that the row does not have instead of margins, in that nothing
// is cut off at 0 by default, in labels that start from the mean of their rows, in the biases, which hold the labels'
// frequencies, which vectors of length 1 cannot, in Adam, and in that the regulariser is off by default.
//
// Cost: an epoch multiplies rows with the labels that a step looks at, all of them or a sample, three times over, `dim`
// numbers for each pair; a query does it once, with all labels or those of a few cells.
#include "methods/glas/glas.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <utility>

#include "algorithms/validation.h"
#include "core/fail.h"
#include "core/parallel.h"
#include "methods/glas/build.h"
#include "methods/glas/model.h"
#include "methods/glas/trainer.h"
#include "methods/typed.h"

namespace xylem {
namespace {

using namespace glas;  // NOLINT: this file is the method

std::size_t batch_size(const GlasOptions& options, std::size_t n_rows) {
  if (options.batch > 0) return static_cast<std::size_t>(options.batch);
  constexpr std::size_t kSteps = 40, kLeast = 16, kMost = 1024;
  return std::clamp(n_rows / kSteps, kLeast, kMost);
}

GlasOptions parse(const Settings& settings) {
  auto options = parse_options<GlasOptions>(settings);
  check_epochs(options.training);
  return options;
}

bool chooses(const GlasOptions& options) {
  return options.training.epochs == 0;
}

MemoryPlan plan(const DataShape& shape, const GlasOptions& given, std::size_t threads) {
  GlasOptions options = given;
  options.batch = static_cast<int>(batch_size(options, shape.rows));
  const std::uint64_t model = model_bytes(shape, options);
  // While the table of labels is made there are three copies of it.
  const std::uint64_t labels =
      sizeof(float) * std::min(shape.labels, shape.label_pairs) * (static_cast<std::uint64_t>(options.phi.dim) + 8);
  const std::uint64_t dim = static_cast<std::uint64_t>(options.phi.dim);
  const std::uint64_t of_threads =
      threads * sizeof(float) * (256 * (dim + static_cast<std::uint64_t>(options.phi.hidden)) + 64 * 1024);
  return {.training = 2 * model + Trainer::bytes(shape, options) + 3 * labels + of_threads, .model = model};
}

Trained train(const TrainingData& data, const GlasOptions& given, const Run& run) {
  GlasOptions options = given;
  options.batch = static_cast<int>(batch_size(options, data.train.size()));
  const KnownLabels known(data.train);
  std::optional<LabelWords> words;
  if (options.label_text) {
    if (data.train.label_names.size() == 0) fail(ErrorKind::kUsage, "label_text=yes needs labels with names");
    words.emplace(data.train.label_names, known.labels);
  }
  run.check();
  const ModelSource source{data.train, known, words ? &*words : nullptr, options, run.seed};
  // With the search that is exact: how cells do is not what is to be chosen.
  const auto figure = [&](const TrainedWeights& trained) {
    GlasOptions exact = options;
    exact.cells = exact.probes = 1;
    exact.precision = exact.table_precision = Precision::kFloat;
    const auto model = build_model({data.train, known, source.words, exact, run.seed}, trained, run);
    return validation_figure(*model, *data.valid, run);
  };
  Trainer trainer(data.train, known, source.words, options, run.seed, figure, run);
  const EpochsDone done =
      run_epochs(trainer, rows_with_labels(data.train), options.training, false, run.seed, "train", run);
  options.training.epochs = static_cast<int>(done.epochs);
  auto model = build_model(source, trainer.take_kept(), run.to_the_end());
  Trained result;
  result.chosen = {{"epochs", std::to_string(done.epochs)},
                   {"cells", std::to_string(model->options().cells)},
                   {"probes", std::to_string(model->options().probes)}};
  if (done.interrupted) result.interrupted = fmt::format("epoch {}", done.epochs);
  result.model = std::move(model);
  return result;
}

}  // namespace

const Method glas_method = {
    .name = "glas",
    .summary = "a network takes rows to vectors, labels have vectors of their own, and their products are the scores",
    .options = describe_options<GlasOptions>,
    .parse = typed<parse>,
    .chooses = typed<chooses>,
    .plan = typed<plan>,
    .train = typed<train>,
    .load = load_model,
    .has_label_vectors = true,
    .learns = true,
    .names_setting = "label_text=yes",
};

}  // namespace xylem
