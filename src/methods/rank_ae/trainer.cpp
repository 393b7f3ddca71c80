// SPDX-License-Identifier: Apache-2.0
#include "methods/rank_ae/trainer.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "algorithms/row_scaling.h"
#include "algorithms/validation.h"
#include "core/bytes.h"
#include "core/fail.h"
#include "core/hash.h"
#include "core/parallel.h"
#include "core/sparse_tools.h"
#include "methods/rank_ae/model.h"

namespace xylem::rank_ae {
namespace {

using Eigen::Index;

constexpr std::uint64_t kFeatureCodeStream = 0x66636f64;
constexpr std::uint64_t kLabelStream = 0x6c61626c;
constexpr std::uint64_t kLabelCodeStream = 0x6c636f64;
constexpr std::uint64_t kHiddenStream = 0x68696464;
constexpr std::uint64_t kOutputStream = 0x6f757470;
constexpr std::uint64_t kDropoutStream = 0x64726f70;
constexpr std::size_t kManyLabels = 50000, kSampled = 10000;
constexpr std::uint64_t kPlannedWords = 4000, kPlannedLabels = 100;  // of a row
constexpr std::size_t kRows = 8;                                     // whose loss a thread computes at once

SparseMatrix unit_sets(const Dataset& data) {
  SparseMatrix sets = label_sets(data.labels, data.n_labels);
  scale_to_unit(sets);
  return sets;
}

// Another than that of a step's features.
std::uint64_t dropout_seed(std::uint64_t seed) {
  return Random(seed, {kDropoutStream}).bits();
}

double relu_deviation(std::size_t inputs) {
  return std::sqrt(2.0 / static_cast<double>(inputs));
}

// A layer that hands its inputs on, and every second time with the other sign: of a number and its opposite ReLU leaves
// one. So the words' codes reach the labels as they are until it is learned what is better; small random weights beside
// tell apart outputs that start with the same input.
DenseLayer copying_layer(std::size_t inputs, std::size_t outputs, const OptimiserOptions& options, Random random) {
  constexpr double kRandom = 0.01;
  DenseLayer layer(inputs, outputs, kRandom * relu_deviation(inputs), options, random);
  const std::size_t period = std::min(inputs, outputs);
  for (std::size_t i = 0; i < inputs; ++i) {
    for (std::size_t j = i % period; j < outputs; j += period) {
      layer.weights.values()(static_cast<Index>(i), static_cast<Index>(j)) += j / inputs % 2 == 0 ? 1.0f : -1.0f;
    }
  }
  return layer;
}

}  // namespace

std::size_t NetOptions::sampled(std::size_t n_labels) const {
  if (negatives > 0) return static_cast<std::size_t>(negatives);
  return n_labels > kManyLabels ? kSampled : 0;
}

// Small data need more steps an epoch, large ones large products.
std::size_t NetOptions::batch_of(std::size_t n_rows) const {
  return batch > 0 ? static_cast<std::size_t>(batch) : std::clamp<std::size_t>(n_rows / 64, 32, 512);
}

std::size_t NetOptions::decoded_labels(std::size_t n_rows) const {
  return static_cast<std::size_t>(std::ceil(decode_labels * static_cast<double>(n_rows) - 1e-9));
}

Trainer::Trainer(const TrainingData& data, const NetOptions& options, const OptimiserOptions& optimiser,
                 std::uint64_t seed, const Run& run, const FirstWords& change_words)
    : data_(data),
      options_(options),
      seed_(seed),
      run_(run),
      label_sets_(unit_sets(data.train)),
      counts_(label_counts(data.train)),
      sampler_(data.train.n_labels, options.sampled(data.train.n_labels)) {
  const auto dim = static_cast<std::size_t>(options.dim), code = static_cast<std::size_t>(options.code);
  const auto hidden = static_cast<std::size_t>(options.hidden);
  const double from_hidden = 0.1 / std::sqrt(static_cast<double>(hidden));
  words_ = WordAttention(data.train.features.n_columns, dim, options.squeezed(), optimiser, seed, run);
  if (change_words) {
    Matrix& vectors = words_.words.values();
    change_words(vectors);
    first_words_ = hash_bytes({reinterpret_cast<const char*>(vectors.data()), sizeof(float) * vectors.size()});
  }
  feature_code_ = copying_layer(dim, code, optimiser, Random(seed, {kFeatureCodeStream}));
  labels_ = SparseLayer(data.train.n_labels, hidden, 1, optimiser, Random(seed, {kLabelStream}), true, run);
  label_code_ = DenseLayer(hidden, code, relu_deviation(hidden), optimiser, Random(seed, {kLabelCodeStream}));
  hidden_ = copying_layer(code, hidden, optimiser, Random(seed, {kHiddenStream}));
  outputs_ = LabelLayer(data.train.n_labels, hidden, from_hidden, optimiser, Random(seed, {kOutputStream}), true, run);
  outputs_.start_biases(counts_, data.train.size());
  if (options.label_start == LabelStart::kCentroid) start_labels();
}

// The network has learned nothing then, but rows that are alike have codes that are. Labels without a direction, such
// as one that all rows have, keep what they have.
void Trainer::start_labels() {
  // What a row as far from the mean of all rows as rows are, in the direction of a label's, scores above it. 5 and 10
  // were about as good on held-out rows, 20 worse.
  constexpr double kScore = 5;
  constexpr std::size_t kRowsAtOnce = 32;
  const Net net(trained(), Precision::kFloat);
  PerWorker<Net::Buffers> buffers;
  const auto embed = [&](std::size_t first, std::size_t n, Matrix& hidden) {
    run_.check();
    hidden.resize(static_cast<Index>(n), static_cast<Index>(net.shape().hidden));
    parallel_for(n, kRowsAtOnce, [&](std::size_t begin, std::size_t end) {
      net.hide(data_.train.features.rows().slice(first + begin, end - begin), buffers.local());
      hidden.middleRows(static_cast<Index>(begin), static_cast<Index>(end - begin)) = buffers.local().hidden;
    });
  };
  const LabelCentroids centroids = label_centroids(data_.train.labels, data_.train.n_labels, net.shape().hidden, embed);
  if (centroids.directions.isZero(0)) return;
  const double square = centroids.mean_square - static_cast<double>(centroids.mean.squaredNorm());
  const double distance = std::sqrt(std::max(square, 1e-6 * centroids.mean_square));  // the mean is rounded
  const Matrix vectors = static_cast<float>(kScore / distance) * centroids.directions;
  for (Index label = 0; label < vectors.rows(); ++label) {
    const bool has_none = counts_[static_cast<std::size_t>(label)] > 0 && centroids.directions.row(label).isZero(0);
    if (!has_none) outputs_.vectors.values().row(label) = vectors.row(label);
  }
  outputs_.bias.values() -= vectors * centroids.mean.transpose();
}

double Trainer::epoch(std::span<const std::uint32_t> order, std::size_t number, double rate,
                      const std::function<void(std::size_t)>& on_rows) {
  const std::size_t batch = options_.batch_of(order.size());
  const std::size_t steps = count_batches(order.size(), batch);
  const bool is_warm = number > static_cast<std::size_t>(options_.warmup);
  const auto parts = parameters();
  for (std::size_t part = 0; part < parts.size(); ++part) {
    parts[part]->begin_epoch(is_inner(part) ? options_.inner_rate * rate : rate, steps);
  }
  const Loss loss = is_warm ? options_.loss.loss : Loss::kBce;
  const double mean = for_batches(order, batch, seed_, number, on_rows,
                                  [&](auto rows, std::uint64_t seed) { return step(rows, loss, seed); });
  for (Parameters* part : parameters()) part->finish_epoch();
  return mean;
}

double Trainer::step(std::span<const std::uint32_t> rows, Loss loss, std::uint64_t seed) {
  forward(rows, seed);
  const double result = losses(loss);
  outputs_.backward(decoded_, in_use_, scores_, decoded_delta_);
  dropout_backward(decoded_delta_, options_.dropout, dropout_seed(seed));
  relu_backward(decoded_, decoded_delta_);
  hidden_.backward(codes_, decoded_delta_, &codes_delta_);
  const double distance = code_distance();
  backward();
  return result + distance;
}

void Trainer::forward(std::span<const std::uint32_t> rows, std::uint64_t seed) {
  rows_.assign(data_.train.features, rows, options_.keep, seed);
  sets_.assign(label_sets_, rows, 1, seed);
  sampler_.sample(data_.train.labels, rows, seed);
  for (DenseLayer* layer : {&feature_code_, &label_code_, &hidden_}) layer->begin_step();
  labels_.begin_step(sets_);
  outputs_.begin_step(sampler_.labels(), in_use_);

  words_.forward(rows_, pooled_);
  feature_code_.forward(pooled_, feature_codes_);
  labels_.forward(sets_.rows().rows(), set_hidden_);
  relu(set_hidden_);
  label_code_.forward(set_hidden_, label_codes_);

  // One batch for the decoder: its products are then made once.
  const auto n_features = static_cast<Index>(options_.decoded_features(rows.size()));
  const auto n_labels = static_cast<Index>(options_.decoded_labels(rows.size()));
  codes_.resize(n_features + n_labels, feature_codes_.cols());
  codes_.topRows(n_features) = feature_codes_.topRows(n_features);
  codes_.bottomRows(n_labels) = label_codes_.topRows(n_labels);
  hidden_.forward(codes_, decoded_);
  relu(decoded_);
  dropout(decoded_, options_.dropout, dropout_seed(seed));
  outputs_.forward(decoded_, in_use_, scores_);
}

// The mean over the rows of the sum over their codes. `scores_` becomes the gradient.
double Trainer::losses(Loss loss) {
  LossOptions options = options_.loss;
  options.loss = loss;
  const std::size_t n_rows = rows_.size(), n_scored = static_cast<std::size_t>(scores_.rows());
  const std::size_t n_features = options_.decoded_features(n_rows);
  const double share = options_.lambda / static_cast<double>(n_rows);
  std::vector<double> losses(n_scored);
  PerWorker<LossScratch> scratch;
  parallel_for(n_scored, kRows, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) {
      auto row = scores_.row(static_cast<Index>(i));
      losses[i] =
          label_loss(options, {row.data(), static_cast<std::size_t>(row.size())},
                     sampler_.positives()[i < n_features ? i : i - n_features], sampler_.weights(), scratch.local());
      row *= static_cast<float>(share);
    }
  });
  return share * std::accumulate(losses.begin(), losses.end(), 0.0);
}

// Adds the gradient of the distance to those of the codes, which it takes apart.
double Trainer::code_distance() {
  label_delta_ = label_codes_ - feature_codes_;
  const auto n_numbers = static_cast<float>(label_delta_.size());
  const auto loss = static_cast<double>(label_delta_.squaredNorm() / n_numbers);
  label_delta_ *= 2 / n_numbers;
  feature_delta_ = -label_delta_;
  const auto n_features = static_cast<Index>(options_.decoded_features(rows_.size()));
  const Index n_labels = codes_.rows() - n_features;
  feature_delta_.topRows(n_features) += codes_delta_.topRows(n_features);
  label_delta_.topRows(n_labels) += codes_delta_.bottomRows(n_labels);
  return loss;
}

// From the codes to the words and the labels.
void Trainer::backward() {
  feature_code_.backward(pooled_, feature_delta_, &pooled_delta_);
  words_.backward(rows_, pooled_delta_);
  label_code_.backward(set_hidden_, label_delta_, &set_delta_);
  relu_backward(set_hidden_, set_delta_);
  labels_.backward(sets_, set_delta_);
}

// What a net of this data and these options takes, and below, what learning takes beside the model: all parameters, the
// net as it was at its best and as it is evaluated, and the matrices of a step.
std::uint64_t Trainer::net_bytes(const DataShape& shape, const NetOptions& options, Precision precision) {
  const auto code = static_cast<std::uint64_t>(options.code), hidden = static_cast<std::uint64_t>(options.hidden);
  return PackedVectors::bytes(shape.features, code, precision) +
         sizeof(float) * (shape.features + code + (code + 1) * hidden + (hidden + 1) * shape.labels) +
         shape.labels / 8 + 64;
}

std::uint64_t Trainer::bytes(const DataShape& shape, const NetOptions& options, const OptimiserOptions& optimiser) {
  const auto dim = static_cast<std::uint64_t>(options.dim), code = static_cast<std::uint64_t>(options.code);
  const auto hidden = static_cast<std::uint64_t>(options.hidden);
  const std::uint64_t batch = options.batch_of(shape.rows);
  const std::uint64_t squeezed = options.squeezed();
  const std::uint64_t parameters =
      WordAttention::bytes(shape.features, dim, squeezed, optimiser) + Parameters::bytes(dim + 1, code, optimiser) +
      Parameters::bytes(hidden + 1, code, optimiser) + Parameters::bytes(code + 1, hidden, optimiser) +
      2 * Parameters::bytes(shape.labels + 1, hidden, optimiser) + Parameters::bytes(shape.labels, 1, optimiser);
  const std::uint64_t sets = shape.label_pairs * (sizeof(Label) + sizeof(float)) + 8 * (shape.rows + 1);
  // How many different words a batch has, and how many labels, is not known: all of them, or all of its own.
  const std::uint64_t row_words = std::min<std::uint64_t>(shape.nonzeros, batch * kPlannedWords);
  const std::uint64_t words = std::min<std::uint64_t>(shape.features, row_words);
  // From the number of labels on where a sample is taken, no less than just before it.
  const std::uint64_t sampled = options.sampled(kManyLabels + 1) + batch * kPlannedLabels;
  const std::uint64_t at_most = options.negatives > 0 ? sampled : std::max<std::uint64_t>(sampled, kManyLabels);
  const std::uint64_t labels = std::min<std::uint64_t>(shape.labels, at_most);
  const std::uint64_t step =
      words * WordAttention::step_bytes_a_word(dim, squeezed) + 24 * row_words +
      sizeof(float) * (labels * (hidden + 2 * batch) + batch * (2 * dim + 8 * code + 6 * hidden));
  return parameters + sets + 2 * net_bytes(shape, options, Precision::kFloat) +
         sizeof(float) * (shape.features * (dim + code) + shape.labels * hidden) + step;
}

// Labels that no row has get zeros, by which the net knows them.
Net::Parts Trainer::trained() const {
  WordAttention::Attended words = words_.attended();
  const Matrix& to_code = feature_code_.weights.trained();
  Net::Parts parts{{},
                   std::move(words.attention),
                   feature_code_.bias.trained(),
                   hidden_.weights.trained(),
                   hidden_.bias.trained(),
                   outputs_.vectors.trained(),
                   outputs_.bias.trained()};
  dense_forward(words.vectors, {to_code.data(), to_code.rows(), to_code.cols()}, {nullptr, 0, 0}, parts.table);
  take_frequencies_back(options_.tail, counts_, {parts.output_bias.data(), counts_.size()});
  for (std::size_t label = 0; label < counts_.size(); ++label) {
    if (counts_[label] > 0) continue;
    parts.outputs.row(static_cast<Index>(label)).setZero();
    parts.output_bias.row(static_cast<Index>(label)).setZero();
  }
  return parts;
}

bool Trainer::make_candidate() {
  candidate_.reset();  // before there is another
  candidate_ = std::make_shared<Net>(trained(), Precision::kFloat);
  return candidate_->is_finite();
}

double Trainer::figure_of_candidate() {
  return validation_figure(RankAeModel(candidate_), *data_.valid, run_);
}

NetShape Trainer::shape() const {
  return {data_.train.features.n_columns, static_cast<std::size_t>(options_.code),
          static_cast<std::size_t>(options_.hidden), data_.train.n_labels};
}

void Trainer::save(std::string& bytes, bool with_kept) const {
  append_bytes(bytes, std::span(&first_words_, 1));
  for (const Parameters* part : parameters()) part->save(bytes);
  if (with_kept) kept_->save(bytes);
}

void Trainer::load(std::string_view& bytes, bool with_kept) {
  std::uint64_t first_words = 0;
  take_bytes(bytes, std::span(&first_words, 1));
  if (first_words != first_words_) {
    fail(ErrorKind::kUsage,
         "the checkpoint is of a run with other word vectors: has the file of word_vectors changed?");
  }
  for (Parameters* part : parameters()) part->load(bytes);
  if (with_kept) {
    kept_ = std::make_shared<Net>(bytes, shape());
    if (!kept_->is_finite()) fail_foreign_checkpoint();
  } else {
    make_candidate();
    keep_candidate();
  }
}

}  // namespace xylem::rank_ae
