// SPDX-License-Identifier: Apache-2.0
#include "methods/neighbours/encoder.h"

#include <numeric>
#include <vector>

#include "core/parallel.h"

namespace xylem::neighbours {

using Eigen::Index;

Matrix embed_rows(const Encoder& encoder, SparseRows rows, const Run& run) {
  std::vector<std::uint32_t> all(rows.size());
  std::iota(all.begin(), all.end(), 0u);
  return embed_rows(encoder, rows, all, run);
}

Matrix embed_rows(const Encoder& encoder, SparseRows rows, std::span<const std::uint32_t> which, const Run& run) {
  constexpr std::size_t kGrain = 64;
  struct Buffers {
    SparseMatrix rows;
    Matrix hidden, embedded;
  };
  PerWorker<Buffers> workers;
  Matrix result(static_cast<Index>(which.size()), static_cast<Index>(encoder.dim()));
  parallel_for(which.size(), kGrain, [&](std::size_t begin, std::size_t end) {
    run.check();
    Buffers& buffers = workers.local();
    buffers.rows = {};
    for (std::size_t i = begin; i < end; ++i) buffers.rows.push_back(rows[which[i]]);
    encoder.embed(buffers.rows.rows(), buffers.hidden, buffers.embedded);
    result.middleRows(static_cast<Index>(begin), static_cast<Index>(end - begin)) = buffers.embedded;
  });
  return result;
}

}  // namespace xylem::neighbours
