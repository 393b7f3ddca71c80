// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/array.h"
#include "core/dense.h"
#include "model_file/reader.h"
#include "model_file/writer.h"

namespace xylem {

// A dense layer as it was learned: outputs × inputs, turned around beside one that learns, so that a product reads rows
// of both; and a bias for each output. Immutable.
class FixedLayer {
 public:
  FixedLayer() = default;  // without inputs and outputs
  FixedLayer(const Matrix& weights, const Matrix& bias);
  FixedLayer(const ModelReader& in, const std::string& name, std::size_t inputs, std::size_t outputs);
  void save(ModelWriter& out, const std::string& name) const;
  // For checkpoints.
  FixedLayer(std::string_view& bytes, std::size_t inputs, std::size_t outputs);
  void save(std::string& bytes) const;

  std::size_t inputs() const { return inputs_; }
  std::size_t outputs() const { return bias_.size(); }
  bool is_finite() const;
  MatrixView weights() const;
  std::span<const float> bias() const { return bias_.span(); }

  // What a row gets does not depend on the others.
  void forward(const Matrix& input, Matrix& output) const;
  // The gradient by the input of one example, given that by its output.
  void backward(std::span<const float> delta, std::vector<float>& input_delta) const;

 private:
  std::size_t inputs_ = 0;
  Array<float> weights_, bias_;
};

Array<float> array_of(const Matrix& values);
bool is_finite(std::span<const float> values);

}  // namespace xylem
