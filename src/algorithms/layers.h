// SPDX-License-Identifier: Apache-2.0
// The layers of the networks. A batch is a matrix with a row for each example; `delta` is the loss's gradient by a
// layer's output, and backward() turns it into that by its input. Loops over rows are cut into blocks of fixed size,
// and every parameter has one owner, so that results are the same for any number of threads.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "algorithms/optimiser.h"
#include "algorithms/packed_vectors.h"
#include "algorithms/sparse_batch.h"
#include "core/dense.h"
#include "core/random.h"
#include "xylem/run.h"

namespace xylem {

// Numbers with mean 0 and this deviation. A table of many features takes seconds, so that `run` can stop it.
void fill_normal(Matrix& values, double deviation, Random random, const Run& run = {});

// output = rows · table + bias, or without a bias where that is empty. Ids beyond the table are left out.
void sparse_forward(SparseRows rows, MatrixView table, MatrixView bias, Matrix& output);
// The same, on one thread.
void sparse_forward(SparseRows rows, const PackedVectors& table, MatrixView bias, Matrix& output);
// output = input · weights + bias, likewise.
void dense_forward(const Matrix& input, MatrixView weights, MatrixView bias, Matrix& output);

// sparse_forward with parameters that learn: the sum of the rows' feature vectors.
class SparseLayer {
 public:
  SparseLayer() = default;
  // Weights are normal with this deviation, biases 0.
  SparseLayer(std::size_t n_features, std::size_t width, double deviation, const OptimiserOptions& options,
              Random random, bool with_bias = true, const Run& run = {});

  void begin_epoch(double rate, std::size_t steps);
  // A step is: begin_step(), forward() on the batch's rows, backward().
  void begin_step(const SparseBatch& batch);
  void forward(SparseRows rows, Matrix& output) const;
  // Updates the parameters.
  void backward(const SparseBatch& batch, const Matrix& delta);
  void finish_epoch();

  Parameters table, bias;  // the bias may be empty
};

// dense_forward with parameters that learn.
class DenseLayer {
 public:
  DenseLayer() = default;
  DenseLayer(std::size_t inputs, std::size_t outputs, double deviation, const OptimiserOptions& options, Random random);

  void begin_epoch(double rate, std::size_t steps);
  void begin_step();
  void forward(const Matrix& input, Matrix& output) const;
  // Updates the parameters; input_delta may be null.
  void backward(const Matrix& input, const Matrix& delta, Matrix* input_delta);
  void finish_epoch();

  Parameters weights, bias;  // weights: inputs × outputs
};

void relu(Matrix& values);
// Where the output was cut off nothing flows back.
void relu_backward(const Matrix& output, Matrix& delta);

// Drops each number with this probability and scales the others up; depends on `seed` and the place alone.
void dropout(Matrix& values, double probability, std::uint64_t seed);
void dropout_backward(Matrix& delta, double probability, std::uint64_t seed);

// Scales every row to length 1; rows of length 0 stay. `lengths` are those before.
void normalise_rows(Matrix& values, std::vector<float>& lengths);
void normalise_rows_backward(const Matrix& output, const std::vector<float>& lengths, Matrix& delta);

// The sum of h(output - target) over a row, h(x) = x²/2 up to 1 and |x| - 1/2 beyond, averaged over the rows. `delta`
// becomes its gradient.
double smooth_l1(const Matrix& output, const Matrix& target, Matrix& delta);

}  // namespace xylem
