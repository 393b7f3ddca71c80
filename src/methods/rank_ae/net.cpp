// SPDX-License-Identifier: Apache-2.0
#include "methods/rank_ae/net.h"

#include <algorithm>
#include <array>
#include <utility>

#include "algorithms/dot_products.h"
#include "algorithms/layers.h"
#include "core/bytes.h"

namespace xylem::rank_ae {
namespace {

using Eigen::Index;

void cut_off(Matrix& values) {
  values = values.cwiseMax(0.0f);
}

}  // namespace

Net::Net(const Parts& parts, Precision precision)
    : shape_{static_cast<std::size_t>(parts.table.rows()), static_cast<std::size_t>(parts.table.cols()),
             static_cast<std::size_t>(parts.hidden.cols()), static_cast<std::size_t>(parts.outputs.rows())},
      table_(parts.table, precision),
      attention_(parts.attention),
      code_bias_(array_of(parts.code_bias)),
      hidden_(parts.hidden.transpose(), parts.hidden_bias),
      outputs_(parts.outputs, parts.output_bias) {
  find_known();
}

Net::Net(const ModelReader& in, const std::string& prefix, const NetShape& shape)
    : shape_(shape),
      table_(in, prefix + "words", shape.words, shape.code),
      attention_(in.finite(prefix + "attention", shape.words)),
      code_bias_(in.finite(prefix + "code_bias", shape.code)),
      hidden_(in, prefix + "hidden", shape.code, shape.hidden),
      outputs_(in, prefix + "labels", shape.hidden, shape.labels) {
  find_known();
}

void Net::save(ModelWriter& out, const std::string& prefix) const {
  table_.save(out, prefix + "words");
  out.array(prefix + "attention", attention_);
  out.array(prefix + "code_bias", code_bias_);
  hidden_.save(out, prefix + "hidden");
  outputs_.save(out, prefix + "labels");
}

Net::Net(std::string_view& bytes, const NetShape& shape)
    : shape_(shape),
      table_(bytes, shape.words, shape.code),
      attention_(take_values<float>(bytes, shape.words)),
      code_bias_(take_values<float>(bytes, shape.code)),
      hidden_(bytes, shape.code, shape.hidden),
      outputs_(bytes, shape.hidden, shape.labels) {
  find_known();
}

void Net::save(std::string& bytes) const {
  table_.save(bytes);
  append_bytes(bytes, attention_.span());
  append_bytes(bytes, code_bias_.span());
  hidden_.save(bytes);
  outputs_.save(bytes);
}

bool Net::is_finite() const {
  return table_.is_finite() && xylem::is_finite(attention_.span()) && xylem::is_finite(code_bias_.span()) &&
         hidden_.is_finite() && outputs_.is_finite();
}

Net Net::packed(Precision precision) const {
  Net net = *this;
  net.table_ = table_.as(precision);
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
  dot_products(hidden.data(), n_rows, outputs_.weights().data() + first * shape_.hidden, n, shape_.hidden,
               scores.data(), n);
  for (std::size_t i = 0; i < scores.size(); ++i) scores[i] += outputs_.bias()[first + i % n];
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
  Terms result{static_cast<double>(outputs_.bias()[label]), {}};
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
