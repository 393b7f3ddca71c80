// SPDX-License-Identifier: Apache-2.0
// What takes a sparse row to a vector, and how it learns: what differs between the methods whose nearest training rows
// vote.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "algorithms/packed_vectors.h"
#include "core/array.h"
#include "core/dense.h"
#include "model_file/writer.h"
#include "xylem/dataset.h"
#include "xylem/run.h"

namespace xylem::neighbours {

// Has learned. Immutable.
class Encoder {
 public:
  virtual ~Encoder() = default;

  virtual std::size_t dim() const = 0;
  // A vector of length 1 for each row, or 0. What a row gets does not depend on the others. `hidden` is a buffer.
  virtual void embed(SparseRows rows, Matrix& hidden, Matrix& out) const = 0;
  // A vector for each label where they are learned with the encoder, in the space of the rows'; else nothing.
  virtual Array<float> label_vectors() const { return {}; }

  // The same, its table of features' vectors in fewer bytes.
  virtual std::unique_ptr<Encoder> packed(Precision precision) const = 0;
  virtual void save(ModelWriter& out, const std::string& prefix) const = 0;
  // For checkpoints.
  virtual void save(std::string& bytes) const = 0;
  virtual bool is_finite() const = 0;
};

// Learns.
class EncoderTrainer {
 public:
  virtual ~EncoderTrainer() = default;

  // One pass over the rows named by `order`; on_rows hears how many are done. Returns the mean loss.
  virtual double epoch(std::span<const std::uint32_t> order, std::size_t number, double rate,
                       const std::function<void(std::size_t)>& on_rows) = 0;
  virtual std::unique_ptr<Encoder> encoder() const = 0;

  // All that the next epoch depends on.
  virtual void save(std::string& bytes) const = 0;
  virtual void load(std::string_view& bytes) = 0;
  // An encoder that was saved for a checkpoint.
  virtual std::unique_ptr<Encoder> load_encoder(std::string_view& bytes) const = 0;
};

// The rows' vectors, a row for each. Throws kInterrupted.
Matrix embed_rows(const Encoder& encoder, SparseRows rows, const Run& run);
// Those of the rows named.
Matrix embed_rows(const Encoder& encoder, SparseRows rows, std::span<const std::uint32_t> which, const Run& run);

}  // namespace xylem::neighbours
