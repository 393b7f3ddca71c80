// SPDX-License-Identifier: Apache-2.0
#include "methods/glas/trainer.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "core/bytes.h"
#include "core/parallel.h"

namespace xylem::glas {
namespace {

using Eigen::Index;

constexpr std::uint64_t kPhiStream = 0x706869, kLabelStream = 0x6c61626c, kWordStream = 0x776f7264,
                        kNameStream = 0x6e616d65;

// In a step so many of the labels are known by their names alone, so that words learn to do without labels' own
// vectors.
constexpr double kByNameAlone = 0.25;

void save_matrix(std::string& bytes, const Matrix& values) {
  append_bytes(bytes, std::span(values.data(), static_cast<std::size_t>(values.size())));
}

void load_matrix(std::string_view& bytes, Matrix& values) {
  take_bytes(bytes, std::span(values.data(), static_cast<std::size_t>(values.size())));
}

}  // namespace

KnownLabels::KnownLabels(const Dataset& data) {
  const std::vector<std::uint32_t> all = label_counts(data);
  std::vector<Label> number_of(data.n_labels);
  for (Label label = 0; label < data.n_labels; ++label) {
    if (all[label] == 0) continue;
    number_of[label] = static_cast<Label>(labels.size());
    labels.push_back(label);
    counts.push_back(all[label]);
  }
  of_rows = data.labels;
  for (Label& label : of_rows.ids) label = number_of[label];
}

bool TrainedWeights::is_finite() const {
  const Eigen::Map<const Eigen::ArrayXf> biases(bias.data(), static_cast<Index>(bias.size()));
  return phi.is_finite() && labels.allFinite() && biases.allFinite() && std::isfinite(scale) && words.allFinite();
}

void TrainedWeights::save(std::string& bytes) const {
  phi.save(bytes);
  save_matrix(bytes, labels);
  append_bytes(bytes, std::span(bias));
  append_bytes(bytes, std::span(&scale, 1));
  save_matrix(bytes, words);
}

void TrainedWeights::load(std::string_view& bytes) {
  phi.load(bytes);
  load_matrix(bytes, labels);
  take_bytes(bytes, std::span(bias));
  take_bytes(bytes, std::span(&scale, 1));
  load_matrix(bytes, words);
}

Trainer::Trainer(const Dataset& data, const KnownLabels& known, const LabelWords* words, const GlasOptions& options,
                 std::uint64_t seed, Figure figure, const Run& run)
    : data_(data),
      known_(known),
      words_(words),
      options_(options),
      seed_(seed),
      figure_(std::move(figure)),
      phi_(data.features.n_columns, options.phi, options.training.optimiser, Random(seed, {kPhiStream}).bits(), run),
      log_scale_(1, 1, options.training.optimiser) {
  const auto dim = static_cast<std::size_t>(options.phi.dim);
  const double deviation = 1 / std::sqrt(static_cast<double>(dim));
  const std::size_t n_known = known.labels.size();
  const OptimiserOptions& optimiser = options.training.optimiser;
  labels_ = LabelLayer(n_known, dim, deviation, optimiser, Random(seed, {kLabelStream}), options.bias, run);
  if (options.bias) labels_.start_biases(known.counts, data.size());
  log_scale_.values()(0, 0) = static_cast<float>(std::log(options.scale));
  if (words_ != nullptr) {
    word_layer_ = SparseLayer(words_->n_words(), dim, deviation, optimiser, Random(seed, {kWordStream}), false, run);
  }
  const bool needs_table = options.regulariser.regulariser == Regulariser::kGlas ||
                           options.regulariser.regulariser == Regulariser::kLaplacian;
  if (needs_table) cooccurrence_ = {known.of_rows, n_known, options.regulariser.cooccurrence};
  const bool full = n_known <= static_cast<std::size_t>(options.full_labels);
  sampler_ = LabelSampler(n_known, full ? 0 : static_cast<std::size_t>(options.negatives));
  if (options.label_start == LabelStart::kCentroid) start_from_centroids(run);
}

// φ is random then, but rows that are alike are so for it, too.
void Trainer::start_from_centroids(const Run& run) {
  const Phi phi(phi_.weights(), options_.phi.embedding, Precision::kFloat);
  Matrix& vectors = labels_.vectors.values();
  PhiScratch scratch;
  const LabelCentroids centroids =
      label_centroids(known_.of_rows, known_.labels.size(), static_cast<std::size_t>(vectors.cols()),
                      [&](std::size_t begin, std::size_t n, Matrix& embedded) {
                        run.check();
                        phi.embed(data_.features.rows().slice(begin, n), scratch, embedded);
                      });
  for (Index label = 0; label < vectors.rows(); ++label) {
    const auto direction = centroids.directions.row(label);
    if (direction.squaredNorm() > 0) vectors.row(label) = direction;
  }
  if (words_ != nullptr) give_to_words();
}

// A word begins with the mean of its labels; these keep what is left.
void Trainer::give_to_words() {
  Matrix& labels = labels_.vectors.values();
  Matrix& words = word_layer_.table.values();
  words.setZero();
  Eigen::VectorXf shares = Eigen::VectorXf::Zero(words.rows());
  const auto n_labels = static_cast<std::size_t>(labels.rows());
  for (std::size_t label = 0; label < n_labels; ++label) {
    const SparseRow name = words_->rows()[label];
    for (std::size_t i = 0; i < name.size(); ++i) {
      words.row(name.ids[i]) += name.values[i] * labels.row(static_cast<Index>(label));
      shares[name.ids[i]] += name.values[i];
    }
  }
  for (Index word = 0; word < words.rows(); ++word) words.row(word) /= std::max(shares[word], 1e-6f);
  for (std::size_t label = 0; label < n_labels; ++label) {
    const SparseRow name = words_->rows()[label];
    for (std::size_t i = 0; i < name.size(); ++i) {
      labels.row(static_cast<Index>(label)) -= name.values[i] * words.row(name.ids[i]);
    }
  }
}

double Trainer::epoch(std::span<const std::uint32_t> order, std::size_t number, double rate,
                      const std::function<void(std::size_t)>& on_rows) {
  const auto batch = static_cast<std::size_t>(options_.batch);
  const std::size_t steps = count_batches(order.size(), batch);
  const double label_rate = rate * options_.label_rate;
  phi_.begin_epoch(rate, steps);
  labels_.begin_epoch(label_rate, steps);
  log_scale_.begin_epoch(label_rate, steps);
  word_layer_.begin_epoch(label_rate, steps);
  const double loss = for_batches(order, batch, seed_, number, on_rows,
                                  [&](auto rows, std::uint64_t seed) { return step(rows, seed); });
  phi_.finish_epoch();
  labels_.finish_epoch();
  log_scale_.finish_epoch();
  word_layer_.finish_epoch();
  return loss;
}

double Trainer::step(std::span<const std::uint32_t> rows, std::uint64_t seed) {
  batch_.assign(data_.features, rows, options_.keep, seed);
  sampler_.sample(known_.of_rows, rows, seed);
  phi_.forward(batch_, embedded_);
  begin_labels(sampler_.labels(), seed);
  log_scale_.begin_step();
  log_scale_.catch_up(0);
  const float scale = std::exp(log_scale_.values()(0, 0));
  scaled_ = scale * embedded_;
  labels_.forward(scaled_, in_use_, scores_);
  double loss = loss_and_gradient(options_.loss, sampler_.positives(), sampler_.weights(), scores_);
  phi_delta_.setZero(embedded_.rows(), embedded_.cols());
  loss += options_.regulariser.lambda * regularise_step(seed);
  update_labels();
  if (options_.learn_scale) {
    const float gradient = delta_.cwiseProduct(scaled_).sum();
    log_scale_.update(0, &gradient);
  }
  phi_delta_ += scale * delta_;
  phi_.backward(batch_, embedded_, phi_delta_);
  return loss;
}

// The vectors in use: those of the labels, with the means of their names' words, at length 1.
void Trainer::begin_labels(std::span<const Label> labels, std::uint64_t seed) {
  labels_.begin_step(labels, in_use_);
  if (words_ != nullptr) {
    name_batch_.assign(words_->rows(), labels, 1, 0);
    word_layer_.begin_step(name_batch_);
    word_layer_.forward(name_batch_.rows().rows(), word_sums_);
    Random random(seed, {kNameStream});
    by_name_.assign(labels.size(), false);
    for (std::size_t place = 0; place < labels.size(); ++place) {
      if (random.uniform() >= kByNameAlone || words_->rows()[labels[place]].size() == 0) continue;
      by_name_[place] = true;
      in_use_.row(static_cast<Index>(place)).setZero();
    }
    in_use_ += word_sums_;
  }
  normalise_rows(in_use_, lengths_);
}

double Trainer::regularise_step(std::uint64_t seed) {
  if (options_.regulariser.regulariser == Regulariser::kNone) return 0;
  const DrawnLabels drawn = draw_labels(sampler_.positives(), seed);
  if (cooccurrence_.is_made()) {
    std::vector<Label> labels;
    for (const std::uint32_t place : drawn.places) labels.push_back(sampler_.labels()[place]);
    cooccurrence_.look_up(labels, together_);
  }
  regular_row_.assign(sampler_.labels().size(), 0);
  for (std::uint32_t i = 0; i < drawn.places.size(); ++i) regular_row_[drawn.places[i]] = i + 1;
  return regularise(options_.regulariser, in_use_, drawn, together_, embedded_, regular_, phi_delta_);
}

// delta_ becomes the gradient by the scaled rows.
void Trainer::update_labels() {
  const bool regular = options_.regulariser.regulariser != Regulariser::kNone;
  if (words_ != nullptr) word_delta_.resize(in_use_.rows(), in_use_.cols());
  const auto adjust = [&](std::size_t place, float* values) {
    const auto index = static_cast<Index>(place);
    Eigen::Map<Eigen::RowVectorXf> gradient(values, in_use_.cols());
    if (regular && regular_row_[place] > 0) gradient += regular_.row(regular_row_[place] - 1);
    const float length = lengths_[place];
    if (length > 0) {
      const float along = gradient.dot(in_use_.row(index));
      gradient = (gradient - along * in_use_.row(index)) / length;
    } else {
      gradient.setZero();
    }
    if (words_ == nullptr) return;
    word_delta_.row(index) = gradient;
    if (by_name_[place]) gradient.setZero();
  };
  labels_.backward(scaled_, in_use_, scores_, delta_, adjust);
  if (words_ != nullptr) word_layer_.backward(name_batch_, word_delta_);
}

bool Trainer::make_candidate() {
  candidate_ = trained();
  return candidate_->is_finite();
}

TrainedWeights Trainer::trained() const {
  TrainedWeights result{phi_.weights(), labels_.vectors.trained(), {}, std::exp(log_scale_.trained()(0, 0)), {}};
  if (words_ != nullptr) {
    result.words = word_layer_.table.trained();
    Matrix sums;
    sparse_forward(words_->rows().rows(), {result.words.data(), result.words.rows(), result.words.cols()},
                   MatrixView(nullptr, 0, 0), sums);
    result.labels += sums.topRows(result.labels.rows());
  }
  std::vector<float> lengths;
  normalise_rows(result.labels, lengths);
  const Matrix& bias = labels_.bias.trained();
  result.bias.assign(bias.data(), bias.data() + bias.size());
  return result;
}

void Trainer::save(std::string& bytes, bool with_kept) const {
  phi_.save(bytes);
  for (const Parameters* part : {&labels_.vectors, &labels_.bias, &log_scale_, &word_layer_.table}) part->save(bytes);
  if (with_kept) kept_->save(bytes);
}

void Trainer::load(std::string_view& bytes, bool with_kept) {
  phi_.load(bytes);
  for (Parameters* part : {&labels_.vectors, &labels_.bias, &log_scale_, &word_layer_.table}) part->load(bytes);
  kept_ = trained();
  if (with_kept) kept_->load(bytes);
  if (!kept_->is_finite()) fail_foreign_checkpoint();
}

// The parameters, what is kept of them and what is evaluated, and the matrices of a step.
std::uint64_t Trainer::bytes(const DataShape& shape, const GlasOptions& options) {
  const auto dim = static_cast<std::uint64_t>(options.phi.dim), batch = static_cast<std::uint64_t>(options.batch);
  const OptimiserOptions& optimiser = options.training.optimiser;
  const bool full = shape.labels <= static_cast<std::uint64_t>(options.full_labels);
  const std::uint64_t own = std::min<std::uint64_t>(shape.labels, shape.label_pairs);
  // How many labels the rows of a step have is not known: as if they had 20 each, all different.
  const std::uint64_t sampled = std::min(own, 20 * batch + static_cast<std::uint64_t>(options.negatives));
  const std::uint64_t in_step =
      full ? own
           : std::max<std::uint64_t>(sampled,
                                     std::min<std::uint64_t>(own, static_cast<std::uint64_t>(options.full_labels)));
  const std::uint64_t words = options.label_text ? LabelWords::most_words(shape.labels) : 0;
  const std::uint64_t learned =
      Phi::bytes(shape.features, options.phi, Precision::kFloat) + sizeof(float) * (own + words) * (dim + 1);
  constexpr std::uint64_t kNonzeros = 512;  // of a row, where nothing is known
  const std::uint64_t nonzeros = std::min<std::uint64_t>(shape.nonzeros, kNonzeros * batch);
  const std::uint64_t of_step = sizeof(float) * (in_step * (2 * dim + 4 + (words > 0 ? 2 * dim : 0)) + batch * in_step +
                                                 5 * batch * dim + 3 * batch * batch) +
                                4 * 8 * nonzeros;
  return TrainablePhi::bytes(shape.features, options.phi, optimiser) +
         Parameters::bytes(own + words, dim + 1, optimiser) + 2 * learned + of_step +
         CooccurrenceTable::bytes(shape.label_pairs, shape.labels) +
         sizeof(std::uint32_t) * (shape.label_pairs + 4 * shape.labels) + 8 * shape.rows;
}

}  // namespace xylem::glas
