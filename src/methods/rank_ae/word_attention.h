// SPDX-License-Identifier: Apache-2.0
// What takes a row's words to one vector. A word w has a vector e, and the attention on its channels is
// a = sigmoid(W₂ relu(W₁ e)), the same wherever the word occurs: a batch needs it once for each of its words. The row's
// vector is √dim times the sum of a ⊙ e, weighted with the row's values: of rows of length 1 it has about the length of
// a word's whatever the number of words, which the mean would not have, and with the root its numbers are about 1, as
// the next layer wants them, while a step of Adam's, which is as long for a small number, moves words far.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "algorithms/layers.h"
#include "algorithms/sparse_batch.h"
#include "core/dense.h"

namespace xylem::rank_ae {

class WordAttention {
  // In front, since its type must be known to those that call it.
  static auto parts(auto& self) {
    return std::array{&self.words, &self.squeeze.weights, &self.squeeze.bias, &self.excite.weights, &self.excite.bias};
  }

 public:
  WordAttention() = default;
  // squeezed: the outputs of W₁; 0: no attention, a = 1.
  WordAttention(std::size_t n_words, std::size_t dim, std::size_t squeezed, const OptimiserOptions& options,
                std::uint64_t seed, const Run& run = {});

  // A step is: forward(), backward().
  void forward(const SparseBatch& batch, Matrix& rows);
  // Updates the parameters.
  void backward(const SparseBatch& batch, const Matrix& delta);

  // What was learned: √dim a ⊙ e of each word, and the mean of a over the channels.
  struct Attended {
    Matrix vectors;
    std::vector<float> attention;
  };
  Attended attended() const;

  auto parameters() { return parts(*this); }
  auto parameters() const { return parts(*this); }
  static std::uint64_t bytes(std::size_t n_words, std::size_t dim, std::size_t squeezed,
                             const OptimiserOptions& options);
  // Of a step, for each different word in it.
  static std::uint64_t step_bytes_a_word(std::size_t dim, std::size_t squeezed);

  Parameters words;  // e
  DenseLayer squeeze, excite;

 private:
  float scale() const;
  bool has_attention() const { return excite.weights.rows() > 0; }

  // Of a step, a row for each different word:
  std::vector<std::uint32_t> places_;  // of all words
  SparseMatrix local_rows_;            // the batch's, words by their places
  Matrix vectors_, squeezed_, attention_, attended_, attended_delta_, attention_delta_, squeezed_delta_, input_delta_;
};

}  // namespace xylem::rank_ae
