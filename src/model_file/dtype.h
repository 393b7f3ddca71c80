// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

#include "core/bf16.h"

namespace xylem {

// The element types that our model files use, a part of those of safetensors. bf16 travels as its 16 bits.
enum class Dtype { kU8, kI8, kU16, kU32, kU64, kF32, kF64, kBF16 };

std::string_view dtype_name(Dtype dtype);  // "U8", ...
std::optional<Dtype> dtype_from_name(std::string_view name);
std::size_t dtype_size(Dtype dtype);

template <class T>
inline constexpr Dtype dtype_of = [] { static_assert(sizeof(T) == 0, "no such element type in a model file"); }();
template <>
inline constexpr Dtype dtype_of<std::uint8_t> = Dtype::kU8;
template <>
inline constexpr Dtype dtype_of<std::int8_t> = Dtype::kI8;
template <>
inline constexpr Dtype dtype_of<std::uint16_t> = Dtype::kU16;
template <>
inline constexpr Dtype dtype_of<std::uint32_t> = Dtype::kU32;
template <>
inline constexpr Dtype dtype_of<std::uint64_t> = Dtype::kU64;
template <>
inline constexpr Dtype dtype_of<float> = Dtype::kF32;
template <>
inline constexpr Dtype dtype_of<double> = Dtype::kF64;
template <>
inline constexpr Dtype dtype_of<Bf16> = Dtype::kBF16;

}  // namespace xylem
