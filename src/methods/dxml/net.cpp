// SPDX-License-Identifier: Apache-2.0
#include "methods/dxml/net.h"

#include <algorithm>
#include <cmath>

#include "algorithms/epochs.h"
#include "core/bytes.h"
#include "core/fail.h"
#include "core/hash.h"

namespace xylem::dxml {
namespace {

using Eigen::Index;

constexpr std::uint64_t kTableStream = 0x7461626c;
constexpr std::uint64_t kWeightStream = 0x77656967;

Matrix take_matrix(std::string_view& bytes, std::size_t rows, std::size_t columns) {
  Matrix values(static_cast<Index>(rows), static_cast<Index>(columns));
  take_bytes(bytes, std::span(values.data(), rows * columns));
  return values;
}

}  // namespace

Net::Net(const SparseLayer& input, const DenseLayer& output, Activation activation)
    : shape_{input.table.rows(), input.table.width(), output.weights.width()},
      activation_(activation),
      table_(input.table.trained(), Precision::kFloat),
      table_bias_(array_of(input.bias.trained())),
      units_(output.weights.trained().transpose(), output.bias.trained()) {}

Net::Net(const ModelReader& in, const std::string& prefix, const NetShape& shape, Activation activation)
    : shape_(shape),
      activation_(activation),
      table_(in, prefix + ".table", shape.features, shape.hidden),
      table_bias_(in.finite(prefix + ".table_bias", shape.hidden)),
      units_(in, prefix + ".units", shape.hidden, shape.dim) {}

void Net::save(ModelWriter& out, const std::string& prefix) const {
  table_.save(out, prefix + ".table");
  out.array(prefix + ".table_bias", table_bias_);
  units_.save(out, prefix + ".units");
}

Net::Net(std::string_view& bytes, const NetShape& shape, Activation activation)
    : shape_(shape),
      activation_(activation),
      table_(bytes, shape.features, shape.hidden),
      table_bias_(take_values<float>(bytes, shape.hidden)),
      units_(bytes, shape.hidden, shape.dim) {}

void Net::save(std::string& bytes) const {
  table_.save(bytes);
  append_bytes(bytes, table_bias_.span());
  units_.save(bytes);
}

bool Net::is_finite() const {
  return table_.is_finite() && xylem::is_finite(table_bias_.span()) && units_.is_finite();
}

std::unique_ptr<neighbours::Encoder> Net::packed(Precision precision) const {
  auto result = std::make_unique<Net>(*this);
  result->table_ = table_.as(precision);
  return result;
}

void Net::embed(SparseRows rows, Matrix& hidden, Matrix& out) const {
  sparse_forward(rows, table_, MatrixView(table_bias_.data(), 1, static_cast<Index>(shape_.hidden)), hidden);
  if (activation_ == Activation::kRelu) relu(hidden);
  units_.forward(hidden, out);
  for (Index row = 0; row < out.rows(); ++row) {
    const float length = out.row(row).norm();
    if (length > 0) out.row(row) /= length;
  }
}

NetTrainer::NetTrainer(const SparseMatrix& rows, const Matrix& targets, const NetOptions& options,
                       const OptimiserOptions& optimiser, std::uint64_t seed, const Run& run)
    : rows_(rows), targets_(targets), options_(options), seed_(seed) {
  const auto hidden = static_cast<std::size_t>(options.hidden);
  // Rows have length 1: so the hidden units start with this deviation, and the outputs with about the same.
  const double deviation = 1 / std::sqrt(static_cast<double>(hidden));
  input_ = SparseLayer(rows.n_columns, hidden, deviation, optimiser, Random(seed, {kTableStream}), true, run);
  output_ = DenseLayer(hidden, static_cast<std::size_t>(options.dim), std::sqrt(2.0) * deviation, optimiser,
                       Random(seed, {kWeightStream}));
}

void NetTrainer::start_from(const neighbours::Encoder& net) {
  std::string bytes;
  net.save(bytes);
  std::string_view rest = bytes;
  const auto take = [&](Matrix& values) {
    values = take_matrix(rest, static_cast<std::size_t>(values.rows()), static_cast<std::size_t>(values.cols()));
  };
  take(input_.table.values());
  take(input_.bias.values());
  output_.weights.values() = take_matrix(rest, output_.weights.width(), output_.weights.rows()).transpose();
  take(output_.bias.values());
}

double NetTrainer::epoch(std::span<const std::uint32_t> order, std::size_t number, double rate,
                         const std::function<void(std::size_t)>& on_rows) {
  const auto batch = static_cast<std::size_t>(options_.batch);
  const std::size_t steps = count_batches(order.size(), batch);
  input_.begin_epoch(rate, steps);
  output_.begin_epoch(rate, steps);
  const double loss = for_batches(order, batch, seed_, number, on_rows, [&](auto rows, std::uint64_t seed) {
    batch_.assign(rows_, rows, options_.keep, seed);
    return step(rows, seed);
  });
  input_.finish_epoch();
  output_.finish_epoch();
  return loss;
}

double NetTrainer::step(std::span<const std::uint32_t> rows, std::uint64_t seed) {
  target_.resize(static_cast<Index>(rows.size()), targets_.cols());
  for (std::size_t i = 0; i < rows.size(); ++i) target_.row(static_cast<Index>(i)) = targets_.row(rows[i]);
  input_.begin_step(batch_);
  output_.begin_step();
  input_.forward(batch_.rows().rows(), hidden_);
  if (options_.activation == Activation::kRelu) relu(hidden_);
  output_.forward(hidden_, embedded_);
  dropout(embedded_, options_.dropout, seed);
  if (options_.final_norm) normalise_rows(embedded_, lengths_);
  const double loss = smooth_l1(embedded_, target_, delta_);
  if (options_.final_norm) normalise_rows_backward(embedded_, lengths_, delta_);
  dropout_backward(delta_, options_.dropout, seed);
  output_.backward(hidden_, delta_, &hidden_delta_);
  if (options_.activation == Activation::kRelu) relu_backward(hidden_, hidden_delta_);
  input_.backward(batch_, hidden_delta_);
  return loss;
}

void NetTrainer::save(std::string& bytes) const {
  const std::uint64_t targets = hash_of_targets();
  append_bytes(bytes, std::span(&targets, 1));
  for (const Parameters* part : {&input_.table, &input_.bias, &output_.weights, &output_.bias}) part->save(bytes);
}

void NetTrainer::load(std::string_view& bytes) {
  std::uint64_t targets = 0;
  take_bytes(bytes, std::span(&targets, 1));
  if (targets != hash_of_targets()) {
    fail(ErrorKind::kUsage,
         "the checkpoint is of a run with other label vectors: has the file of label_graph changed?");
  }
  for (Parameters* part : {&input_.table, &input_.bias, &output_.weights, &output_.bias}) part->load(bytes);
}

std::unique_ptr<neighbours::Encoder> NetTrainer::load_encoder(std::string_view& bytes) const {
  return std::make_unique<Net>(bytes, NetShape{input_.table.rows(), input_.table.width(), output_.weights.width()},
                               options_.activation);
}

// What the labels' vectors come from may be a file, which may change.
std::uint64_t NetTrainer::hash_of_targets() const {
  return hash_bytes(
      {reinterpret_cast<const char*>(targets_.data()), static_cast<std::size_t>(targets_.size()) * sizeof(float)});
}

std::uint64_t NetTrainer::bytes(const NetShape& shape, const OptimiserOptions& options) {
  return Parameters::bytes(shape.features + 1, shape.hidden, options) +
         Parameters::bytes(shape.hidden + 1, shape.dim, options);
}

}  // namespace xylem::dxml
