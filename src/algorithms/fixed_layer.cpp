// SPDX-License-Identifier: Apache-2.0
#include "algorithms/fixed_layer.h"

#include "algorithms/dot_products.h"
#include "core/bytes.h"

namespace xylem {

using Eigen::Index;

Array<float> array_of(const Matrix& values) {
  return std::vector<float>(values.data(), values.data() + values.size());
}

bool is_finite(std::span<const float> values) {
  return MatrixView(values.data(), 1, static_cast<Index>(values.size())).allFinite();
}

FixedLayer::FixedLayer(const Matrix& weights, const Matrix& bias)
    : inputs_(static_cast<std::size_t>(weights.cols())), weights_(array_of(weights)), bias_(array_of(bias)) {}

FixedLayer::FixedLayer(const ModelReader& in, const std::string& name, std::size_t inputs, std::size_t outputs)
    : inputs_(inputs), weights_(in.finite(name, inputs * outputs)), bias_(in.finite(name + "_bias", outputs)) {}

void FixedLayer::save(ModelWriter& out, const std::string& name) const {
  out.array(name, weights_, {outputs(), inputs()});
  out.array(name + "_bias", bias_);
}

FixedLayer::FixedLayer(std::string_view& bytes, std::size_t inputs, std::size_t outputs)
    : inputs_(inputs),
      weights_(take_values<float>(bytes, inputs * outputs)),
      bias_(take_values<float>(bytes, outputs)) {}

void FixedLayer::save(std::string& bytes) const {
  append_bytes(bytes, weights_.span());
  append_bytes(bytes, bias_.span());
}

bool FixedLayer::is_finite() const {
  return xylem::is_finite(weights_.span()) && xylem::is_finite(bias_.span());
}

MatrixView FixedLayer::weights() const {
  return {weights_.data(), static_cast<Index>(outputs()), static_cast<Index>(inputs())};
}

void FixedLayer::forward(const Matrix& input, Matrix& output) const {
  output.resize(input.rows(), static_cast<Index>(outputs()));
  dot_products(input.data(), static_cast<std::size_t>(input.rows()), weights_.data(), outputs(), inputs(),
               output.data(), outputs());
  output.rowwise() += MatrixView(bias_.data(), 1, output.cols()).row(0);
}

void FixedLayer::backward(std::span<const float> delta, std::vector<float>& input_delta) const {
  input_delta.assign(inputs(), 0.0f);
  for (std::size_t i = 0; i < delta.size(); ++i) {
    if (delta[i] == 0) continue;
    for (std::size_t j = 0; j < inputs(); ++j) input_delta[j] += delta[i] * weights_[i * inputs() + j];
  }
}

}  // namespace xylem
