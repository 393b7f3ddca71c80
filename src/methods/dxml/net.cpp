// SPDX-License-Identifier: Apache-2.0
#include "methods/dxml/net.h"

#include <algorithm>
#include <cmath>

#include "core/bytes.h"
#include "core/fail.h"
#include "core/hash.h"
#include "learn/dot_products.h"

namespace xylem::dxml {
namespace {

using Eigen::Index;

constexpr std::uint64_t kTableStream = 0x7461626c;
constexpr std::uint64_t kWeightStream = 0x77656967;
constexpr std::uint64_t kStepStream = 0x73746570;

Array<float> copy_of(const Matrix& values) {
  return std::vector<float>(values.data(), values.data() + values.size());
}

Matrix take_matrix(std::string_view& bytes, std::size_t rows, std::size_t columns) {
  Matrix values(static_cast<Index>(rows), static_cast<Index>(columns));
  take_bytes(bytes, std::span(values.data(), rows * columns));
  return values;
}

Array<float> take_array(std::string_view& bytes, std::size_t n) {
  std::vector<float> values(n);
  take_bytes(bytes, std::span(values));
  return values;
}

}  // namespace

Net::Net(const SparseLayer& input, const DenseLayer& output, Activation activation)
    : shape_{input.table.rows(), input.table.width(), output.weights.width()},
      activation_(activation),
      table_(input.table.learned(), Precision::kFloat),
      table_bias_(copy_of(input.bias.learned())),
      units_(copy_of(output.weights.learned().transpose())),
      units_bias_(copy_of(output.bias.learned())) {}

Net::Net(const ModelReader& in, const std::string& prefix, const NetShape& shape, Activation activation)
    : shape_(shape),
      activation_(activation),
      table_(in, prefix + ".table", shape.features, shape.hidden),
      table_bias_(in.finite(prefix + ".table_bias", shape.hidden)),
      units_(in.finite(prefix + ".units", shape.dim * shape.hidden)),
      units_bias_(in.finite(prefix + ".units_bias", shape.dim)) {}

void Net::save(ModelWriter& out, const std::string& prefix) const {
  table_.save(out, prefix + ".table");
  out.array(prefix + ".table_bias", table_bias_);
  out.array(prefix + ".units", units_, {shape_.dim, shape_.hidden});
  out.array(prefix + ".units_bias", units_bias_);
}

Net::Net(std::string_view& bytes, const NetShape& shape, Activation activation)
    : shape_(shape),
      activation_(activation),
      table_(take_matrix(bytes, shape.features, shape.hidden), Precision::kFloat),
      table_bias_(take_array(bytes, shape.hidden)),
      units_(take_array(bytes, shape.dim * shape.hidden)),
      units_bias_(take_array(bytes, shape.dim)) {}

void Net::save(std::string& bytes) const {
  std::vector<float> buffer;
  append_bytes(bytes, std::span(table_.decode(0, table_.size(), buffer), table_.size() * table_.dim()));
  for (const Array<float>* part : {&table_bias_, &units_, &units_bias_}) append_bytes(bytes, part->span());
}

bool Net::is_finite() const {
  std::vector<float> buffer;
  const float* table = table_.decode(0, table_.size(), buffer);
  const auto all_finite = [](const float* values, std::size_t n) {
    return MatrixView(values, 1, static_cast<Index>(n)).allFinite();
  };
  return all_finite(table, table_.size() * table_.dim()) && all_finite(table_bias_.data(), table_bias_.size()) &&
         all_finite(units_.data(), units_.size()) && all_finite(units_bias_.data(), units_bias_.size());
}

std::unique_ptr<neighbours::Encoder> Net::packed(Precision precision) const {
  auto result = std::make_unique<Net>(*this);
  std::vector<float> buffer;
  const float* values = table_.decode(0, table_.size(), buffer);
  result->table_ =
      PackedVectors(MatrixView(values, static_cast<Index>(table_.size()), static_cast<Index>(table_.dim())), precision);
  return result;
}

void Net::embed(SparseRows rows, Matrix& hidden, Matrix& out) const {
  sparse_forward(rows, table_, MatrixView(table_bias_.data(), 1, static_cast<Index>(shape_.hidden)), hidden);
  if (activation_ == Activation::kRelu) relu(hidden);
  out.resize(hidden.rows(), static_cast<Index>(shape_.dim));
  dot_products(hidden.data(), rows.size(), units_.data(), shape_.dim, shape_.hidden, out.data(), shape_.dim);
  for (Index row = 0; row < out.rows(); ++row) {
    out.row(row) += MatrixView(units_bias_.data(), 1, out.cols());
    const float length = out.row(row).norm();
    if (length > 0) out.row(row) /= length;
  }
}

NetTrainer::NetTrainer(const SparseMatrix& rows, const Matrix& targets, const NetOptions& options,
                       const OptimiserOptions& optimiser, std::uint64_t seed)
    : rows_(rows), targets_(targets), options_(options), seed_(seed) {
  const auto hidden = static_cast<std::size_t>(options.hidden);
  // Rows have length 1: so the hidden units start with this deviation, and the outputs with about the same.
  const double deviation = 1 / std::sqrt(static_cast<double>(hidden));
  input_ = SparseLayer(rows.n_columns, hidden, deviation, optimiser, Random(seed, {kTableStream}));
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
  const std::size_t steps = (order.size() + batch - 1) / batch;
  input_.begin_epoch(rate, steps);
  output_.begin_epoch(rate, steps);
  double loss = 0;
  for (std::size_t begin = 0; begin < order.size(); begin += batch) {
    const auto part = order.subspan(begin, std::min(batch, order.size() - begin));
    const std::uint64_t seed = Random(seed_, {kStepStream, number, begin}).bits();
    batch_.assign(rows_, part, options_.keep, seed);
    loss += step(part, seed) * static_cast<double>(part.size());
    if (on_rows) on_rows(begin + part.size());
  }
  input_.finish_epoch();
  output_.finish_epoch();
  return loss / static_cast<double>(std::max<std::size_t>(1, order.size()));
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
