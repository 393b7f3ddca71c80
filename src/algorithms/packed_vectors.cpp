// SPDX-License-Identifier: Apache-2.0
#include "algorithms/packed_vectors.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <limits>

#include "algorithms/dot_products.h"
#include "algorithms/weighted_sum.h"
#include "core/bytes.h"
#include "core/parallel.h"

namespace xylem {
namespace {

constexpr float kSteps = 127;
constexpr float kLeastStep = 1e-30f;  // of a vector that is 0
constexpr std::size_t kVectorsAtOnce = 1024;

float largest_of(const float* row, std::size_t dim) {
  float largest = 0;
  for (std::size_t i = 0; i < dim; ++i) largest = std::max(largest, std::abs(row[i]));
  return largest;
}

// To the nearest whole number, halves away from 0: std::lround, which no compiler does to eight numbers at once.
float rounded(float value) {
  const float whole = std::trunc(value);
  return std::abs(value - whole) < 0.5f ? whole : whole + std::copysign(1.0f, value);
}

// Gives the step between the numbers.
float pack_row(const float* row, std::size_t dim, std::int8_t* out) {
  const float step = std::max(largest_of(row, dim) / kSteps, kLeastStep);
  for (std::size_t i = 0; i < dim; ++i) out[i] = static_cast<std::int8_t>(rounded(row[i] / step));
  return step;
}

}  // namespace

PackedVectors::PackedVectors(const Matrix& rows, Precision precision)
    : size_(static_cast<std::size_t>(rows.rows())), dim_(static_cast<std::size_t>(rows.cols())) {
  const float* begin = rows.data();
  const float* end = begin + rows.size();
  if (precision == Precision::kFloat) {
    values_ = Array<float>(std::vector<float>(begin, end));
  } else if (precision == Precision::kBf16) {
    std::vector<Bf16> values(size_ * dim_);
    std::transform(begin, end, values.begin(), to_bf16);
    values_ = Array<Bf16>(std::move(values));
  } else {
    std::vector<std::int8_t> values(size_ * dim_);
    std::vector<float> steps(size_);
    for (std::size_t i = 0; i < size_; ++i) steps[i] = pack_row(begin + i * dim_, dim_, values.data() + i * dim_);
    values_ = Array<std::int8_t>(std::move(values));
    scales_ = std::move(steps);
  }
}

PackedVectors::PackedVectors(const ModelReader& in, const std::string& prefix, std::size_t n, std::size_t dim)
    : size_(n), dim_(dim) {
  const std::string name = prefix + ".values";
  switch (static_cast<Precision>(in.number(prefix + ".precision", 2))) {
    case Precision::kFloat:
      values_ = in.finite(name, n * dim);
      break;
    case Precision::kBf16: {
      const auto values = in.array<Bf16>(name, n * dim);
      for (const Bf16 value : values) {
        if (!std::isfinite(to_float(value))) in.damaged("damaged: " + name + " holds a number that is not finite");
      }
      values_ = values;
      break;
    }
    case Precision::kInt8:
      values_ = in.array<std::int8_t>(name, n * dim);
      scales_ = in.finite(prefix + ".scales", n);
  }
}

PackedVectors::PackedVectors(const PackedVectors& first, const PackedVectors& second,
                             std::span<const std::uint32_t> order)
    : size_(order.size()), dim_(first.dim_) {
  assert(second.dim_ == dim_ && second.precision() == first.precision());
  const auto pick = [&]<class T>(const Array<T>& from_first, const Array<T>& from_second, std::size_t width) {
    std::vector<T> values;
    values.reserve(size_ * width);
    for (const std::uint32_t i : order) {
      const T* vector =
          i < first.size_ ? from_first.data() + i * width : from_second.data() + (i - first.size_) * width;
      values.insert(values.end(), vector, vector + width);
    }
    return Array<T>(std::move(values));
  };
  std::visit([&]<class T>(const Array<T>& values) { values_ = pick(values, std::get<Array<T>>(second.values_), dim_); },
             first.values_);
  if (precision() == Precision::kInt8) scales_ = pick(first.scales_, second.scales_, 1);
}

void PackedVectors::save(ModelWriter& out, const std::string& prefix) const {
  out.text(prefix + ".precision", std::to_string(values_.index()));
  std::visit([&](const auto& values) { out.array(prefix + ".values", values, {size_, dim_}); }, values_);
  if (scales_.size() > 0) out.array(prefix + ".scales", scales_);
}

const float* PackedVectors::decode(std::size_t begin, std::size_t n, std::vector<float>& buffer) const {
  if (const auto* floats = std::get_if<Array<float>>(&values_)) return floats->data() + begin * dim_;
  buffer.resize(n * dim_);
  if (const auto* halves = std::get_if<Array<Bf16>>(&values_)) {
    const Bf16* from = halves->data() + begin * dim_;
    std::transform(from, from + n * dim_, buffer.begin(), to_float);
  } else {
    const std::int8_t* from = std::get<Array<std::int8_t>>(values_).data() + begin * dim_;
    for (std::size_t row = 0; row < n; ++row) {
      const float step = scales_[begin + row];
      for (std::size_t i = row * dim_; i < (row + 1) * dim_; ++i) buffer[i] = step * static_cast<float>(from[i]);
    }
  }
  return buffer.data();
}

void PackedVectors::add_weighted(std::span<const std::uint32_t> ids, std::span<const float> weights, float* out) const {
  if (const auto* floats = std::get_if<Array<float>>(&values_)) {
    add_weighted_rows(floats->data(), dim_, ids, weights, out);
  } else if (const auto* halves = std::get_if<Array<Bf16>>(&values_)) {
    add_weighted_rows(halves->data(), dim_, ids, weights, out);
  } else {
    const auto& bytes = std::get<Array<std::int8_t>>(values_);
    for (std::size_t i = 0; i < ids.size(); ++i) {
      const std::int8_t* row = bytes.data() + ids[i] * dim_;
      const float weight = weights[i] * scales_[ids[i]];
      for (std::size_t x = 0; x < dim_; ++x) out[x] += weight * static_cast<float>(row[x]);
    }
  }
}

std::uint64_t PackedVectors::bytes(std::size_t n, std::size_t dim, Precision precision) {
  switch (precision) {
    case Precision::kFloat:
      return n * dim * sizeof(float);
    case Precision::kBf16:
      return n * dim * sizeof(Bf16);
    case Precision::kInt8:
      break;
  }
  return n * (dim + sizeof(float));
}

PackedVectors PackedVectors::as_int8() const {
  std::vector<std::int8_t> values(size_ * dim_);
  std::vector<float> steps(size_);
  parallel_for(size_, kVectorsAtOnce, [&](std::size_t begin, std::size_t end) {
    std::vector<float> buffer;
    for (std::size_t i = begin; i < end; ++i) {
      steps[i] = pack_row(decode(i, 1, buffer), dim_, values.data() + i * dim_);
    }
  });
  PackedVectors result;
  result.size_ = size_;
  result.dim_ = dim_;
  result.values_ = Array<std::int8_t>(std::move(values));
  result.scales_ = std::move(steps);
  return result;
}

PackedVectors::PackedVectors(std::string_view& bytes, std::size_t n, std::size_t dim)
    : size_(n), dim_(dim), values_(Array<float>(take_values<float>(bytes, n * dim))) {}

void PackedVectors::save(std::string& bytes) const {
  std::vector<float> buffer;
  append_bytes(bytes, std::span(decode(0, size_, buffer), size_ * dim_));
}

bool PackedVectors::is_finite() const {
  std::vector<float> buffer;
  return MatrixView(decode(0, size_, buffer), 1, static_cast<Eigen::Index>(size_ * dim_)).allFinite();
}

PackedVectors PackedVectors::as(Precision precision) const {
  if (precision == this->precision()) return *this;
  if (precision == Precision::kInt8) return as_int8();
  std::vector<float> buffer;
  return {MatrixView(decode(0, size_, buffer), static_cast<Eigen::Index>(size_), static_cast<Eigen::Index>(dim_)),
          precision};
}

Screen::Screen(const PackedVectors& vectors) : vectors_(vectors.as(Precision::kInt8)) {
  struct Longest {
    float error = 0, vector = 0;
  };
  std::vector<Longest> of_parts((vectors.size() + kVectorsAtOnce - 1) / kVectorsAtOnce);
  parallel_for(vectors.size(), kVectorsAtOnce, [&](std::size_t begin, std::size_t end) {
    std::vector<float> buffer, copy_buffer;
    Longest& longest = of_parts[begin / kVectorsAtOnce];
    for (std::size_t i = begin; i < end; ++i) {
      const auto dim = static_cast<Eigen::Index>(vectors.dim());
      const Eigen::Map<const Eigen::VectorXf> exact(vectors.decode(i, 1, buffer), dim);
      const Eigen::Map<const Eigen::VectorXf> copy(vectors_.decode(i, 1, copy_buffer), dim);
      longest.error = std::max(longest.error, (exact - copy).norm());
      longest.vector = std::max({longest.vector, exact.norm(), copy.norm()});
    }
  });
  for (const Longest& part : of_parts) {
    longest_error_ = std::max(longest_error_, part.error);
    longest_ = std::max(longest_, part.vector);
  }
}

void Screen::begin(const float* query, std::size_t k, Query& out) const {
  out.best.reset(k);
  out.candidates.clear();
  // Sums of so many numbers with 8 bits do not overflow 32; the more, the less is lost.
  const std::size_t dim = vectors_.dim();
  const float steps = std::min(32767.0f, std::exp2(24.0f) / static_cast<float>(dim + 1));
  const float largest = largest_of(query, dim);
  out.values.assign(dim, 0);
  out.step = std::max(largest / steps, kLeastStep);
  out.error = std::numeric_limits<float>::infinity();
  const Eigen::Map<const Eigen::VectorXf> exact(query, static_cast<Eigen::Index>(dim));
  if (!exact.allFinite()) return;  // nothing is known of such products
  for (std::size_t i = 0; i < dim; ++i) out.values[i] = static_cast<std::int16_t>(rounded(query[i] / out.step));
  // By the inequality of Cauchy and Schwarz: what the vectors have lost, and what the query has. Sums of floats may be
  // off by as much as the last factor, the exact ones, too.
  const float length = exact.norm();
  const float lost = 0.5f * out.step * std::sqrt(static_cast<float>(dim));
  const float rounding = std::numeric_limits<float>::epsilon() * static_cast<float>(dim + 16);
  out.error = (1 + rounding) * (length * longest_error_ + lost * longest_) + rounding * length * longest_;
}

void Screen::look(std::size_t begin, std::size_t n, Query& query) const {
  query.sums.resize(n);
  dot_products(query.values.data(), vectors_.codes(begin), n, vectors_.dim(), query.sums.data());
  // The k best products are no lower than the k best of these less the error; and one may be higher by as much.
  float least = query.least();
  for (std::size_t i = 0; i < n; ++i) {
    const float product = query.step * vectors_.step(begin + i) * static_cast<float>(query.sums[i]);
    if (product < least) continue;
    query.candidates.push_back({product, static_cast<std::uint32_t>(begin + i)});
    query.best.offer(product, query.candidates.back().id);
    least = query.least();
  }
}

std::uint64_t Screen::bytes(std::size_t n, std::size_t dim, Precision precision) {
  return precision == Precision::kInt8 ? 0 : PackedVectors::bytes(n, dim, Precision::kInt8);
}

}  // namespace xylem
