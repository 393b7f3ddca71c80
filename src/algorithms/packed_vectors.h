// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "core/array.h"
#include "core/dense.h"
#include "core/top_k.h"
#include "model_file/reader.h"
#include "model_file/writer.h"

namespace xylem {

// How vectors are kept: in 4, 2 or 1 bytes a dimension.
enum class Precision { kFloat, kBf16, kInt8 };
inline auto choice_names(Precision) {
  return std::array<std::string_view, 3>{"float", "bf16", "int8"};
}

// Many vectors of one length, immutable. bf16 keeps eight bits of a number; int8 one of 255 even steps up to the
// largest of its vector.
class PackedVectors {
 public:
  PackedVectors() = default;
  PackedVectors(const Matrix& rows, Precision precision);
  PackedVectors(const ModelReader& in, const std::string& prefix, std::size_t n, std::size_t dim);
  // Those of two, which have the same length and precision, in a new order: numbers from first.size() on are second's.
  PackedVectors(const PackedVectors& first, const PackedVectors& second, std::span<const std::uint32_t> order);
  void save(ModelWriter& out, const std::string& prefix) const;
  // For checkpoints: floats, whatever the precision.
  PackedVectors(std::string_view& bytes, std::size_t n, std::size_t dim);
  void save(std::string& bytes) const;

  Precision precision() const { return static_cast<Precision>(values_.index()); }
  std::size_t size() const { return size_; }
  std::size_t dim() const { return dim_; }
  // The vectors begin .. begin + n - 1 as floats: where they lie, or put into `buffer`.
  const float* decode(std::size_t begin, std::size_t n, std::vector<float>& buffer) const;
  // out += Σ weights[i] · vector ids[i].
  void add_weighted(std::span<const std::uint32_t> ids, std::span<const float> weights, float* out) const;

  bool is_finite() const;
  // The same, nearly, in another precision.
  PackedVectors as(Precision precision) const;

  // The bytes of int8, and the step between two.
  const std::int8_t* codes(std::size_t i) const { return std::get<Array<std::int8_t>>(values_).data() + i * dim_; }
  float step(std::size_t i) const { return scales_[i]; }

  static std::uint64_t bytes(std::size_t n, std::size_t dim, Precision precision);

 private:
  PackedVectors as_int8() const;

  std::size_t size_ = 0, dim_ = 0;
  std::variant<Array<float>, Array<Bf16>, Array<std::int8_t>> values_;  // in the order of Precision
  Array<float> scales_;                                                 // int8: the step of each vector
};

// Which of packed vectors may have the largest inner products with a query: it takes them nearly, from one byte a
// dimension, which is several times as fast, and knows how far they may be off.
class Screen {
 public:
  struct Query {
    std::vector<Scored> candidates;  // vectors that may be among the best, with their products, nearly
    // Of them, those with lower ones are not.
    float least() const { return best.threshold() - 2 * error; }

    std::vector<std::int16_t> values;
    float step = 0;
    float error = 0;  // the products, and the exact ones as floats, differ by no more
    TopK best;
    std::vector<std::int32_t> sums;
  };

  Screen() = default;
  explicit Screen(const PackedVectors& vectors);
  void begin(const float* query, std::size_t k, Query& out) const;
  // At the vectors begin .. begin + n - 1.
  void look(std::size_t begin, std::size_t n, Query& query) const;

  // Beside the vectors.
  static std::uint64_t bytes(std::size_t n, std::size_t dim, Precision precision);

 private:
  PackedVectors vectors_;  // int8
  float longest_error_ = 0, longest_ = 0;
};

}  // namespace xylem
