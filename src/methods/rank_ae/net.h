// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "algorithms/fixed_layer.h"
#include "algorithms/packed_vectors.h"
#include "core/array.h"
#include "core/dense.h"
#include "model_file/reader.h"
#include "model_file/writer.h"
#include "xylem/model.h"
#include "xylem/sparse.h"

namespace xylem::rank_ae {

struct NetShape {
  std::size_t words, code, hidden, labels;
};

// What takes a row to the scores of its labels: the words' codes, whose sum is the row's, and the decoder. Immutable.
class Net {
 public:
  // Beside the tables: weights as they are learned, inputs × outputs.
  struct Parts {
    Matrix table;  // words × code
    std::vector<float> attention;
    Matrix code_bias, hidden, hidden_bias, outputs, output_bias;
  };
  Net(const Parts& parts, Precision precision);
  Net(const ModelReader& in, const std::string& prefix, const NetShape& shape);
  void save(ModelWriter& out, const std::string& prefix) const;
  // For checkpoints.
  Net(std::string_view& bytes, const NetShape& shape);
  void save(std::string& bytes) const;
  bool is_finite() const;
  Net packed(Precision precision) const;

  const NetShape& shape() const { return shape_; }
  float attention(Feature word) const { return attention_[word]; }
  // Those of the decoder's last layer; 0 for labels that no row has, which are never given.
  LabelVectors label_vectors() const {
    return {{outputs_.weights().data(), shape_.labels * shape_.hidden}, shape_.hidden};
  }
  bool knows(Label label) const { return known_[label]; }

  struct Buffers {
    Matrix code, hidden;
  };
  // Up to the layer before the last.
  void hide(SparseRows rows, Buffers& buffers) const;
  // scores[i · n + j] is that of label first + j for row i.
  void score(const Matrix& hidden, std::size_t first, std::size_t n, std::vector<float>& scores) const;

  // A label's score as a sum over the words: what it is without any, and how much is added for a word's value of 1.
  struct Terms {
    double constant;
    std::vector<double> words;  // for each of the row's
  };
  Terms terms(SparseRow row, Label label) const;

 private:
  void find_known();
  MatrixView code_bias() const { return {code_bias_.data(), 1, static_cast<Eigen::Index>(shape_.code)}; }

  NetShape shape_;
  PackedVectors table_;
  Array<float> attention_, code_bias_;
  FixedLayer hidden_, outputs_;
  std::vector<bool> known_;
};

}  // namespace xylem::rank_ae
