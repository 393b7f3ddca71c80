// SPDX-License-Identifier: Apache-2.0
#include "methods/rank_ae/net.h"

#include <algorithm>
#include <array>
#include <utility>

#include "core/bytes.h"
#include "learn/dot_products.h"
#include "learn/layers.h"

namespace xylem::rank_ae {
namespace {

using Eigen::Index;

Array<float> copy_of(const Matrix& values) {
  return std::vector<float>(values.data(), values.data() + values.size());
}

FixedLayer layer_of(const Matrix& weights, const Matrix& bias) {
  return {copy_of(weights.transpose()), copy_of(bias), static_cast<std::size_t>(weights.rows())};
}

FixedLayer read_layer(const ModelReader& in, const std::string& name, std::size_t inputs, std::size_t outputs) {
  return {in.finite(name, inputs * outputs), in.finite(name + "_bias", outputs), inputs};
}

Array<float> take_array(std::string_view& bytes, std::size_t n) {
  std::vector<float> values(n);
  take_bytes(bytes, std::span(values));
  return values;
}

FixedLayer take_layer(std::string_view& bytes, std::size_t inputs, std::size_t outputs) {
  Array<float> weights = take_array(bytes, inputs * outputs);
  return {std::move(weights), take_array(bytes, outputs), inputs};
}

PackedVectors take_table(std::string_view& bytes, std::size_t rows, std::size_t width) {
  Matrix values(static_cast<Index>(rows), static_cast<Index>(width));
  take_bytes(bytes, std::span(values.data(), rows * width));
  return {values, Precision::kFloat};
}

void cut_off(Matrix& values) {
  values = values.cwiseMax(0.0f);
}

}  // namespace

void FixedLayer::forward(const Matrix& input, Matrix& output) const {
  output.resize(input.rows(), static_cast<Index>(outputs()));
  dot_products(input.data(), static_cast<std::size_t>(input.rows()), weights.data(), outputs(), inputs, output.data(),
               outputs());
  output.rowwise() += MatrixView(bias.data(), 1, output.cols()).row(0);
}

void FixedLayer::backward(std::span<const float> delta, std::vector<float>& input_delta) const {
  input_delta.assign(inputs, 0.0f);
  for (std::size_t i = 0; i < delta.size(); ++i) {
    if (delta[i] == 0) continue;
    for (std::size_t j = 0; j < inputs; ++j) input_delta[j] += delta[i] * weights[i * inputs + j];
  }
}

Net::Net(const Parts& parts, Precision precision)
    : shape_{static_cast<std::size_t>(parts.table.rows()), static_cast<std::size_t>(parts.table.cols()),
             static_cast<std::size_t>(parts.hidden.cols()), static_cast<std::size_t>(parts.outputs.rows())},
      table_(parts.table, precision),
      attention_(parts.attention),
      code_bias_(copy_of(parts.code_bias)),
      hidden_(layer_of(parts.hidden, parts.hidden_bias)),
      outputs_{copy_of(parts.outputs), copy_of(parts.output_bias), shape_.hidden} {
  find_known();
}

Net::Net(const ModelReader& in, const std::string& prefix, const NetShape& shape)
    : shape_(shape),
      table_(in, prefix + "words", shape.words, shape.code),
      attention_(in.finite(prefix + "attention", shape.words)),
      code_bias_(in.finite(prefix + "code_bias", shape.code)),
      hidden_(read_layer(in, prefix + "hidden", shape.code, shape.hidden)),
      outputs_(read_layer(in, prefix + "labels", shape.hidden, shape.labels)) {
  find_known();
}

void Net::save(ModelWriter& out, const std::string& prefix) const {
  table_.save(out, prefix + "words");
  out.array(prefix + "attention", attention_);
  out.array(prefix + "code_bias", code_bias_);
  const auto save_layer = [&](const std::string& name, const FixedLayer& layer) {
    out.array(prefix + name, layer.weights, {layer.outputs(), layer.inputs});
    out.array(prefix + name + "_bias", layer.bias);
  };
  save_layer("hidden", hidden_);
  save_layer("labels", outputs_);
}

Net::Net(std::string_view& bytes, const NetShape& shape)
    : shape_(shape),
      table_(take_table(bytes, shape.words, shape.code)),
      attention_(take_array(bytes, shape.words)),
      code_bias_(take_array(bytes, shape.code)),
      hidden_(take_layer(bytes, shape.code, shape.hidden)),
      outputs_(take_layer(bytes, shape.hidden, shape.labels)) {
  find_known();
}

void Net::save(std::string& bytes) const {
  std::vector<float> buffer;
  append_bytes(bytes, std::span(table_.decode(0, table_.size(), buffer), table_.size() * table_.dim()));
  append_bytes(bytes, attention_.span());
  append_bytes(bytes, code_bias_.span());
  for (const FixedLayer* layer : {&hidden_, &outputs_}) {
    append_bytes(bytes, layer->weights.span());
    append_bytes(bytes, layer->bias.span());
  }
}

bool Net::is_finite() const {
  std::vector<float> buffer;
  const auto all_finite = [](const float* values, std::size_t n) {
    return MatrixView(values, 1, static_cast<Index>(n)).allFinite();
  };
  const auto is_layer_finite = [&](const FixedLayer& layer) {
    return all_finite(layer.weights.data(), layer.weights.size()) && all_finite(layer.bias.data(), layer.bias.size());
  };
  return all_finite(table_.decode(0, table_.size(), buffer), table_.size() * table_.dim()) &&
         all_finite(attention_.data(), attention_.size()) && all_finite(code_bias_.data(), code_bias_.size()) &&
         is_layer_finite(hidden_) && is_layer_finite(outputs_);
}

Net Net::packed(Precision precision) const {
  Net net = *this;
  std::vector<float> buffer;
  net.table_ = PackedVectors(MatrixView(table_.decode(0, table_.size(), buffer), static_cast<Index>(table_.size()),
                                        static_cast<Index>(table_.dim())),
                             precision);
  return net;
}

void Net::find_known() {
  known_.resize(shape_.labels);
  for (std::size_t label = 0; label < shape_.labels; ++label) {
    const auto vector = label_vectors()[static_cast<Label>(label)];
    known_[label] = std::ranges::any_of(vector, [](float value) { return value != 0; });
  }
}

void Net::hide(SparseRows rows, Buffers& buffers) const {
  sparse_forward(rows, table_, code_bias(), buffers.code);
  hidden_.forward(buffers.code, buffers.hidden);
  cut_off(buffers.hidden);
}

void Net::score(const Matrix& hidden, std::size_t first, std::size_t n, std::vector<float>& scores) const {
  const auto n_rows = static_cast<std::size_t>(hidden.rows());
  scores.resize(n_rows * n);
  dot_products(hidden.data(), n_rows, outputs_.weights.data() + first * shape_.hidden, n, shape_.hidden, scores.data(),
               n);
  for (std::size_t i = 0; i < scores.size(); ++i) scores[i] += outputs_.bias[first + i % n];
}

// On the line from the code of no words to that of the row, a unit of the hidden layer is linear but for the point
// where it begins or ceases to fire. So its mean slope (integrated gradients) is what it gains over how far its sum
// comes, and the words' parts add up to the score; with the slope at the row itself they would not.
Net::Terms Net::terms(SparseRow row, Label label) const {
  Buffers row_buffers, empty_buffers;
  const std::array<std::uint64_t, 2> offsets = {0, row.size()};
  sparse_forward({offsets, row.ids.data(), row.values.data()}, table_, code_bias(), row_buffers.code);
  hidden_.forward(row_buffers.code, row_buffers.hidden);
  empty_buffers.code = code_bias();
  hidden_.forward(empty_buffers.code, empty_buffers.hidden);
  const auto vector = label_vectors()[label];
  Terms result{static_cast<double>(outputs_.bias[label]), {}};
  std::vector<float> delta(shape_.hidden), slopes;
  for (std::size_t i = 0; i < delta.size(); ++i) {
    const float from = empty_buffers.hidden(0, static_cast<Index>(i)),
                to = row_buffers.hidden(0, static_cast<Index>(i));
    const float gain = std::max(to, 0.0f) - std::max(from, 0.0f);
    result.constant += static_cast<double>(vector[i] * std::max(from, 0.0f));
    delta[i] = to != from ? vector[i] * (gain / (to - from)) : 0;
  }
  hidden_.backward(delta, slopes);
  std::vector<float> word;
  for (const Feature feature : row.ids) {
    double sum = 0;
    if (feature < shape_.words) {
      const float* values = table_.decode(feature, 1, word);
      for (std::size_t i = 0; i < slopes.size(); ++i) sum += static_cast<double>(slopes[i] * values[i]);
    }
    result.words.push_back(sum);
  }
  return result;
}

}  // namespace xylem::rank_ae
