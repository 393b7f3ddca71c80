// SPDX-License-Identifier: Apache-2.0
#include "methods/glas/phi.h"

#include <algorithm>
#include <cmath>

#include "algorithms/weighted_sum.h"
#include "core/bytes.h"
#include "core/parallel.h"

namespace xylem::glas {
namespace {

using Eigen::Index;

constexpr std::uint64_t kTableStream = 0x7461626c, kUnitStream = 0x756e6974;
constexpr std::size_t kFeatures = 64, kManyFeatures = 1024;

// Of the columns; chunks of rows with fixed borders are summed up in their order.
Eigen::RowVectorXd column_squares(const Matrix& values) {
  const auto n = static_cast<std::size_t>(values.rows());
  Eigen::MatrixXd parts =
      Eigen::MatrixXd::Zero(static_cast<Index>((n + kManyFeatures - 1) / kManyFeatures), values.cols());
  parallel_for(n, kManyFeatures, [&](std::size_t begin, std::size_t end) {
    auto part = parts.row(static_cast<Index>(begin / kManyFeatures));
    for (std::size_t row = begin; row < end; ++row) {
      part += values.row(static_cast<Index>(row)).cast<double>().cwiseAbs2();
    }
  });
  return parts.colwise().sum();
}

Eigen::RowVectorXf scales_of(const Eigen::RowVectorXd& squares, float log_length) {
  const double length = std::exp(static_cast<double>(log_length));
  return (squares.array() > 0).select(length / squares.array().max(1e-30).sqrt(), 0.0).cast<float>().matrix();
}

}  // namespace

bool PhiWeights::is_finite() const {
  return table.allFinite() && bias.allFinite() && units.allFinite() && units_bias.allFinite();
}

void PhiWeights::save(std::string& bytes) const {
  for (const Matrix* part : {&table, &bias, &units, &units_bias}) {
    append_bytes(bytes, std::span(part->data(), static_cast<std::size_t>(part->size())));
  }
}

void PhiWeights::load(std::string_view& bytes) {
  for (Matrix* part : {&table, &bias, &units, &units_bias}) {
    take_bytes(bytes, std::span(part->data(), static_cast<std::size_t>(part->size())));
  }
}

TrainablePhi::TrainablePhi(std::size_t n_features, const PhiOptions& options, const OptimiserOptions& optimiser,
                           std::uint64_t seed, const Run& run)
    : options_(options), length_(options.weight_norm ? 1 : 0, 1, optimiser) {
  const auto dim = static_cast<std::size_t>(options.dim), hidden = static_cast<std::size_t>(options.hidden);
  const std::size_t width = has_hidden() ? hidden : dim;
  // Rows have length 1: so sums start with this deviation. φ has length 1 whatever it is, but steps are as long.
  const double deviation = 1 / std::sqrt(static_cast<double>(width));
  input_ = SparseLayer(n_features, width, deviation, optimiser, Random(seed, {kTableStream}), true, run);
  if (has_hidden()) {
    second_ = DenseLayer(hidden, dim, std::sqrt(2.0) * deviation, optimiser, Random(seed, {kUnitStream}));
  }
  // Weights in use start as they are.
  if (options.weight_norm) {
    const double mean = column_squares(input_.table.values()).mean();
    length_.values()(0, 0) = static_cast<float>(0.5 * std::log(std::max(mean, 1e-30)));
  }
}

void TrainablePhi::begin_epoch(double rate, std::size_t steps) {
  input_.begin_epoch(rate, steps);
  if (has_hidden()) second_.begin_epoch(rate, steps);
  length_.begin_epoch(rate, steps);
  if (options_.weight_norm) squares_ = column_squares(input_.table.values());
}

Eigen::RowVectorXf TrainablePhi::column_scales() const {
  return scales_of(squares_, length_.values()(0, 0));
}

void TrainablePhi::activate(Matrix& values) const {
  if (options_.embedding == EmbeddingKind::kRelu) relu(values);
}

void TrainablePhi::activate_backward(const Matrix& output, Matrix& delta) const {
  if (options_.embedding == EmbeddingKind::kRelu) relu_backward(output, delta);
}

void TrainablePhi::forward(const SparseBatch& batch, Matrix& output) {
  input_.begin_step(batch);
  Matrix& first = has_hidden() ? hidden_ : output;
  if (options_.weight_norm) {
    length_.begin_step();
    length_.catch_up(0);
    sparse_forward(batch.rows().rows(),
                   {input_.table.values().data(), input_.table.values().rows(), input_.table.values().cols()},
                   MatrixView(nullptr, 0, 0), sums_);
    first = (sums_.array().rowwise() * column_scales().array()).matrix();
    first.rowwise() += input_.bias.values().row(0);
  } else {
    input_.forward(batch.rows().rows(), first);
  }
  activate(first);
  if (has_hidden()) {
    second_.begin_step();
    second_.forward(hidden_, output);
    activate(output);
  }
  normalise_rows(output, lengths_);
}

void TrainablePhi::backward(const SparseBatch& batch, const Matrix& output, Matrix& delta) {
  normalise_rows_backward(output, lengths_, delta);
  activate_backward(output, delta);  // a number that was cut off is 0 with whatever length
  if (has_hidden()) {
    second_.backward(hidden_, delta, &hidden_delta_);
    activate_backward(hidden_, hidden_delta_);
  }
  Matrix& first = has_hidden() ? hidden_delta_ : delta;
  if (options_.weight_norm) {
    update_table(batch, first);
  } else {
    input_.backward(batch, first);
  }
}

// With U the table, u_j its columns, g their length: output_j = g (x·u_j) / |u_j| + bias_j. Of the gradient by U the
// part along u_j, which changes nothing but |u_j|, is left out in the rows that the batch does not touch.
void TrainablePhi::update_table(const SparseBatch& batch, Matrix& delta) {
  const Eigen::RowVectorXf bias_gradient = delta.colwise().sum();
  delta = (delta.array().rowwise() * column_scales().array()).matrix();
  const Eigen::RowVectorXf along = delta.cwiseProduct(sums_).colwise().sum();  // Σ over the rows, for each column
  const Eigen::RowVectorXf pull =
      (squares_.array() > 0).select(along.cast<double>().array() / squares_.array().max(1e-30), 0.0).cast<float>();
  const float length_gradient = along.sum();

  const SparseRows by_feature = batch.by_feature();
  const std::size_t width = input_.table.width();
  const auto n_blocks = static_cast<Index>((by_feature.size() + kFeatures - 1) / kFeatures);
  Eigen::MatrixXd changes = Eigen::MatrixXd::Zero(n_blocks, static_cast<Index>(width));
  PerWorker<Eigen::RowVectorXf> gradients;
  parallel_for(by_feature.size(), kFeatures, [&](std::size_t begin, std::size_t end) {
    Eigen::RowVectorXf& gradient = gradients.local();
    auto change = changes.row(static_cast<Index>(begin / kFeatures));
    for (std::size_t i = begin; i < end; ++i) {
      const Feature feature = batch.features()[i];
      const auto row = input_.table.values().row(feature);
      gradient = -row.cwiseProduct(pull);
      add_weighted_rows(delta.data(), width, by_feature[i].ids, by_feature[i].values, gradient.data());
      change -= row.cast<double>().cwiseAbs2();
      input_.table.update(feature, gradient.data());
      change += row.cast<double>().cwiseAbs2();
    }
  });
  squares_ += changes.colwise().sum();
  input_.bias.catch_up(0);
  input_.bias.update(0, bias_gradient.data());
  length_.update(0, &length_gradient);
}

void TrainablePhi::finish_epoch() {
  input_.finish_epoch();
  if (has_hidden()) second_.finish_epoch();
  length_.finish_epoch();
}

PhiWeights TrainablePhi::weights() const {
  PhiWeights weights{input_.table.trained(), input_.bias.trained(), {}, {}};
  if (options_.weight_norm) {
    const Eigen::RowVectorXf scales = scales_of(column_squares(weights.table), length_.trained()(0, 0));
    for (Index row = 0; row < weights.table.rows(); ++row) weights.table.row(row).array() *= scales.array();
  }
  if (has_hidden()) {
    weights.units = second_.weights.trained().transpose();
    weights.units_bias = second_.bias.trained();
  }
  return weights;
}

void TrainablePhi::save(std::string& bytes) const {
  for (const Parameters* part : {&input_.table, &input_.bias, &second_.weights, &second_.bias, &length_}) {
    part->save(bytes);
  }
}

void TrainablePhi::load(std::string_view& bytes) {
  for (Parameters* part : {&input_.table, &input_.bias, &second_.weights, &second_.bias, &length_}) part->load(bytes);
}

std::uint64_t TrainablePhi::bytes(std::size_t n_features, const PhiOptions& options,
                                  const OptimiserOptions& optimiser) {
  const auto dim = static_cast<std::uint64_t>(options.dim), hidden = static_cast<std::uint64_t>(options.hidden);
  if (hidden == 0) return Parameters::bytes(n_features + 1, dim, optimiser);
  return Parameters::bytes(n_features + 1, hidden, optimiser) + Parameters::bytes(hidden + 1, dim, optimiser);
}

Phi::Phi(const PhiWeights& weights, EmbeddingKind embedding, Precision precision)
    : embedding_(embedding),
      table_(weights.table, precision),
      bias_(array_of(weights.bias)),
      units_(weights.units, weights.units_bias) {}

Phi::Phi(const ModelReader& in, const std::string& prefix, std::size_t n_features, const PhiOptions& options)
    : embedding_(options.embedding) {
  const auto dim = static_cast<std::size_t>(options.dim), hidden = static_cast<std::size_t>(options.hidden);
  const std::size_t width = hidden > 0 ? hidden : dim;
  table_ = PackedVectors(in, prefix + ".table", n_features, width);
  bias_ = in.finite(prefix + ".bias", width);
  if (hidden == 0) return;
  units_ = FixedLayer(in, prefix + ".units", hidden, dim);
}

void Phi::save(ModelWriter& out, const std::string& prefix) const {
  table_.save(out, prefix + ".table");
  out.array(prefix + ".bias", bias_);
  if (has_hidden()) units_.save(out, prefix + ".units");
}

void Phi::sums(SparseRows rows, Matrix& hidden, Matrix& out) const {
  Matrix& first = has_hidden() ? hidden : out;
  sparse_forward(rows, table_, MatrixView(bias_.data(), 1, static_cast<Index>(bias_.size())), first);
  if (embedding_ == EmbeddingKind::kRelu) first = first.cwiseMax(0.0f);
  if (!has_hidden()) return;
  units_.forward(hidden, out);
  if (embedding_ == EmbeddingKind::kRelu) out = out.cwiseMax(0.0f);
}

void Phi::embed(SparseRows rows, PhiScratch& scratch, Matrix& out) const {
  sums(rows, scratch.hidden, out);
  for (Index row = 0; row < out.rows(); ++row) {
    const float length = out.row(row).norm();
    if (length > 0) out.row(row) /= length;
  }
}

std::vector<double> Phi::contributions(SparseRow row, const float* direction, PhiScratch& scratch) const {
  const std::uint64_t offsets[] = {0, row.size()};
  Matrix output;
  sums({offsets, row.ids.data(), row.values.data()}, scratch.hidden, output);
  std::vector<float> lengths(1, output.row(0).norm());
  Matrix delta = MatrixView(direction, 1, output.cols());
  if (lengths[0] > 0) output.row(0) /= lengths[0];
  normalise_rows_backward(output, lengths, delta);
  const auto cut_off = [&](const Matrix& values) {
    if (embedding_ == EmbeddingKind::kRelu) delta.array() *= (values.array() > 0).cast<float>();
  };
  cut_off(output);
  if (has_hidden()) {
    delta *= units_.weights();
    cut_off(scratch.hidden);
  }
  std::vector<double> result;
  std::vector<float> buffer;
  for (std::size_t i = 0; i < row.size(); ++i) {
    if (row.ids[i] >= table_.size()) {
      result.push_back(0);
      continue;
    }
    const float* vector = table_.decode(row.ids[i], 1, buffer);
    const float product = MatrixView(vector, 1, delta.cols()).row(0).dot(delta.row(0));
    result.push_back(static_cast<double>(row.values[i]) * static_cast<double>(product));
  }
  return result;
}

std::uint64_t Phi::bytes(std::size_t n_features, const PhiOptions& options, Precision precision) {
  const auto dim = static_cast<std::uint64_t>(options.dim), hidden = static_cast<std::uint64_t>(options.hidden);
  const std::uint64_t width = hidden > 0 ? hidden : dim;
  return PackedVectors::bytes(n_features, width, precision) +
         sizeof(float) * (width + (hidden > 0 ? (hidden + 1) * dim : 0));
}

}  // namespace xylem::glas
