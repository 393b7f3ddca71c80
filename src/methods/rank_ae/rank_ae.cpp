// SPDX-License-Identifier: Apache-2.0
// Rank-AE (Wang et al., NAACL 2019). Words have vectors whose channels are weighed by what the vector itself says
// (word_attention.h); their weighted sum gives a row its code. An autoencoder takes a row's labels to a code that
// should be the same, and from there to scores of all labels (trainer.h), which should rank the row's own labels above
// all others (rank_loss.h). To predict, the decoder takes the code of the words.
//
// We differ in that the decoder learns from both codes: from the labels' alone the codes become equal for all rows, and
// nothing is learned; in that the maxima of the ranking loss are smooth, or its gradient would be on two labels of a
// row; in that an epoch of binary cross-entropy comes before; and in where the layers start, so that the network is no
// worse than a linear one (trainer.cpp). The attention is on the word's own vector and not on that times its value in
// the row: so it is the same wherever the word occurs, and the model keeps what a word adds to the code.
//
// Cost: a step multiplies each row's hidden layer with the vectors of all labels, or of a sample of very many, three
// times over and for both codes, and the different words of the step with the attention's weights; a query does the
// first once, and of the second nothing. Memory: 16 bytes for each parameter while it learns.
#include "methods/rank_ae/rank_ae.h"

#include <fmt/format.h>

#include <memory>

#include "core/fail.h"
#include "methods/rank_ae/model.h"
#include "methods/rank_ae/trainer.h"
#include "methods/rank_ae/word_vectors.h"
#include "methods/typed.h"
#include "model_file/saved_options.h"

namespace xylem {
namespace {

using namespace rank_ae;  // NOLINT: this file is the method

RankAeOptions parse(const Settings& settings) {
  auto options = parse_options<RankAeOptions>(settings);
  check_epochs(options.training);
  if (!options.net.decode_features && options.net.decode_labels == 0) {
    fail(ErrorKind::kUsage, "decode_features=no needs decode_labels above 0: there would be nothing to learn from");
  }
  if (options.net.lambda == 0) {
    fail(ErrorKind::kUsage, "lambda=0: expected a weight above 0, or the scores of labels would not be learned");
  }
  if (options.word_vectors == "-") fail(ErrorKind::kUsage, "word_vectors=-: expected a file, which is read twice");
  return options;
}

bool chooses(const RankAeOptions& options) {
  return options.training.epochs == 0;
}

MemoryPlan plan(const DataShape& shape, const RankAeOptions& options, std::size_t) {
  const std::uint64_t model = Trainer::net_bytes(shape, options.net, options.table_precision);
  return {.training = model + Trainer::bytes(shape, options.net, options.training.optimiser), .model = model};
}

void start_from_file(const std::string& path, const Dataset& data, Matrix& vectors, const Run& run) {
  const WordVectorsFound found = read_word_vectors(path, data, vectors, run);
  run.remark(fmt::format("{} has vectors for {} of the {} words of the texts, {:.1f} %", path, found.found,
                         found.in_data, 100 * static_cast<double>(found.found) / static_cast<double>(found.in_data)));
}

Trained train(const TrainingData& data, const RankAeOptions& given, const Run& run) {
  RankAeOptions options = given;
  const std::vector<std::uint32_t> rows = rows_with_labels(data.train);
  Trainer::FirstWords first_words;
  if (!options.word_vectors.empty()) {
    first_words = [&](Matrix& vectors) { start_from_file(options.word_vectors, data.train, vectors, run); };
  }
  Trainer trainer(data, options.net, options.training.optimiser, run.seed, run, first_words);
  const EpochsDone done = run_epochs(trainer, rows, options.training, false, run.seed, "train", run);
  options.training.epochs = static_cast<int>(done.epochs);
  auto net = std::make_shared<Net>(trainer.kept()->packed(options.table_precision));
  Trained result{std::make_unique<RankAeModel>(std::move(net), options),
                 {{"epochs", std::to_string(done.epochs)}},
                 done.interrupted ? "epoch " + std::to_string(done.epochs) : ""};
  return result;
}

std::unique_ptr<Model> load(ModelReader& in, const ModelShape& shape) {
  const auto options = load_options<RankAeOptions>(in, kPrefix);
  const NetShape net{shape.features, static_cast<std::size_t>(options.net.code),
                     static_cast<std::size_t>(options.net.hidden), shape.labels};
  return std::make_unique<RankAeModel>(std::make_shared<Net>(in, kPrefix, net), options);
}

}  // namespace

const Method rank_ae_method = {
    .name = "rank-ae",
    .summary = "words are weighed and make a code, from which an autoencoder of the labels ranks them",
    .options = describe_options<RankAeOptions>,
    .parse = typed<parse>,
    .chooses = typed<chooses>,
    .plan = typed<plan>,
    .train = typed<train>,
    .load = load,
    .has_label_vectors = true,
};

}  // namespace xylem
