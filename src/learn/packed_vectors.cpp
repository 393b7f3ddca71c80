// SPDX-License-Identifier: Apache-2.0
#include "learn/packed_vectors.h"

#include <algorithm>
#include <cassert>
#include <cmath>

#include "learn/weighted_sum.h"

namespace xylem {
namespace {

constexpr float kSteps = 127;
constexpr float kLeastStep = 1e-30f;  // of a vector that is 0

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
    std::vector<std::int8_t> values;
    std::vector<float> steps;
    values.reserve(size_ * dim_);
    for (const float* row = begin; row != end; row += dim_) {
      float largest = 0;
      for (std::size_t i = 0; i < dim_; ++i) largest = std::max(largest, std::abs(row[i]));
      const float step = steps.emplace_back(std::max(largest / kSteps, kLeastStep));
      for (std::size_t i = 0; i < dim_; ++i) values.push_back(static_cast<std::int8_t>(std::lround(row[i] / step)));
    }
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

}  // namespace xylem
