// SPDX-License-Identifier: Apache-2.0
#include "model_file/dtype.h"

#include <array>

namespace xylem {
namespace {

struct DtypeRow {
  Dtype dtype;
  std::string_view name;
  std::size_t size;
};
constexpr std::array kDtypes = {
    DtypeRow{Dtype::kU8, "U8", 1},   DtypeRow{Dtype::kI8, "I8", 1},     DtypeRow{Dtype::kU16, "U16", 2},
    DtypeRow{Dtype::kU32, "U32", 4}, DtypeRow{Dtype::kU64, "U64", 8},   DtypeRow{Dtype::kF32, "F32", 4},
    DtypeRow{Dtype::kF64, "F64", 8}, DtypeRow{Dtype::kBF16, "BF16", 2},
};

const DtypeRow& row_of(Dtype dtype) {
  return kDtypes[static_cast<std::size_t>(dtype)];
}

}  // namespace

std::string_view dtype_name(Dtype dtype) {
  return row_of(dtype).name;
}

std::size_t dtype_size(Dtype dtype) {
  return row_of(dtype).size;
}

std::optional<Dtype> dtype_from_name(std::string_view name) {
  for (const DtypeRow& row : kDtypes) {
    if (row.name == name) return row.dtype;
  }
  return std::nullopt;
}

}  // namespace xylem
