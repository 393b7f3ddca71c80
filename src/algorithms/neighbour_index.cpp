// SPDX-License-Identifier: Apache-2.0
#include "algorithms/neighbour_index.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "algorithms/dense_clusters.h"
#include "algorithms/dot_products.h"
#include "core/parallel.h"

namespace xylem {
namespace {

using Eigen::Index;

constexpr std::size_t kBlock = 256;     // vectors whose products with the queries are taken at once
constexpr std::size_t kPadding = 8;     // dot_products likes such dimensions
constexpr std::size_t kScreened = 200;  // with fewer vectors for each to be found, a screen costs more than it saves

std::size_t padded(std::size_t dim) {
  return (dim + kPadding - 1) / kPadding * kPadding;
}

// With zeros at the end of the rows, and scaled to length 1 for cosines.
void prepare(const Matrix& rows, std::size_t dim, Nearness nearness, Matrix& out) {
  out.resize(rows.rows(), static_cast<Index>(dim));
  out.leftCols(rows.cols()) = rows;
  out.rightCols(out.cols() - rows.cols()).setZero();
  if (nearness != Nearness::kCosine) return;
  for (Index row = 0; row < out.rows(); ++row) {
    const float length = out.row(row).norm();
    if (length > 0) out.row(row) /= length;  // one of length 0 has the cosine 0 with all
  }
}

struct CellLists {
  std::vector<std::uint64_t> offsets;
  std::vector<std::uint32_t> ids;  // rising within a cell
};

CellLists sort_by_cell(const std::vector<std::uint32_t>& cell_of, std::size_t n_cells) {
  CellLists cells{std::vector<std::uint64_t>(n_cells + 1, 0), std::vector<std::uint32_t>(cell_of.size())};
  for (const std::uint32_t cell : cell_of) ++cells.offsets[cell + 1];
  std::partial_sum(cells.offsets.begin(), cells.offsets.end(), cells.offsets.begin());
  std::vector<std::uint64_t> next(cells.offsets.begin(), cells.offsets.end() - 1);
  for (std::uint32_t row = 0; row < cell_of.size(); ++row) cells.ids[next[cell_of[row]]++] = row;
  return cells;
}

float square(const float* vector, std::size_t dim) {
  float result = 0;
  dot_products(vector, 1, vector, 1, dim, &result, 1);
  return result;
}

}  // namespace

NeighbourIndex::NeighbourIndex(const Matrix& vectors, const Options& options, Random random, const Run& run)
    : nearness_(options.nearness), dim_(padded(static_cast<std::size_t>(vectors.cols()))) {
  Matrix rows;
  prepare(vectors, dim_, nearness_, rows);
  const DenseClusters clusters = cluster_rows(rows, options.n_cells, random, run, options.sample);
  CellLists cells = sort_by_cell(clusters.cluster_of, static_cast<std::size_t>(clusters.centres.rows()));
  Matrix by_cell(rows.rows(), rows.cols());
  for (std::size_t i = 0; i < cells.ids.size(); ++i) by_cell.row(static_cast<Index>(i)) = rows.row(cells.ids[i]);
  rows.resize(0, 0);
  vectors_ = PackedVectors(by_cell, options.precision);
  centres_ = std::vector<float>(clusters.centres.data(), clusters.centres.data() + clusters.centres.size());
  cell_offsets_ = std::move(cells.offsets);
  ids_ = std::move(cells.ids);
  derive();
}

NeighbourIndex::NeighbourIndex(const NeighbourIndex& first, const Matrix& more, const Run& run)
    : nearness_(first.nearness_), dim_(first.dim_), centres_(first.centres_) {
  Matrix rows;
  prepare(more, dim_, nearness_, rows);
  std::vector<std::uint32_t> cell_of(first.size());
  std::vector<std::uint32_t> place_of(first.size());  // of a vector among the first's
  for (std::uint32_t cell = 0; cell < first.n_cells(); ++cell) {
    for (std::uint64_t i = first.cell_offsets_[cell]; i < first.cell_offsets_[cell + 1]; ++i) {
      cell_of[first.ids_[i]] = cell;
      place_of[first.ids_[i]] = static_cast<std::uint32_t>(i);
    }
  }
  const auto n_more = static_cast<std::size_t>(rows.rows());
  cell_of.resize(first.size() + n_more);
  place_of.resize(first.size() + n_more);
  std::iota(place_of.begin() + static_cast<std::ptrdiff_t>(first.size()), place_of.end(),
            static_cast<std::uint32_t>(first.size()));
  parallel_for(n_more, kBlock, [&](std::size_t begin, std::size_t end) {
    run.check();
    std::vector<float> products(first.n_cells());
    for (std::size_t i = begin; i < end; ++i) {
      cell_of[first.size() + i] = first.nearest_cell(rows.row(static_cast<Index>(i)).data(), products);
    }
  });
  CellLists cells = sort_by_cell(cell_of, first.n_cells());
  std::vector<std::uint32_t> order;
  for (const std::uint32_t id : cells.ids) order.push_back(place_of[id]);
  vectors_ = PackedVectors(first.vectors_, PackedVectors(rows, first.vectors_.precision()), order);
  cell_offsets_ = std::move(cells.offsets);
  ids_ = std::move(cells.ids);
  derive();
}

NeighbourIndex::NeighbourIndex(const ModelReader& in, const std::string& prefix, std::size_t n_vectors, std::size_t dim)
    : dim_(padded(dim)) {
  nearness_ = static_cast<Nearness>(in.number(prefix + ".nearness", 2));
  const std::uint64_t n_cells = in.array<std::uint64_t>(prefix + ".cell_offsets").size() - 1;
  if (n_cells == 0) in.damaged(fmt::format("damaged: {}.cell_offsets has no cell", prefix));
  cell_offsets_ = in.offsets(prefix + ".cell_offsets", n_cells, n_vectors);
  centres_ = in.finite(prefix + ".centres", n_cells * dim_);
  ids_ = in.ids(prefix + ".ids", n_vectors, n_vectors);
  vectors_ = PackedVectors(in, prefix, n_vectors, dim_);
  derive();
}

void NeighbourIndex::save(ModelWriter& out, const std::string& prefix) const {
  out.text(prefix + ".nearness", std::to_string(static_cast<int>(nearness_)));
  out.array(prefix + ".cell_offsets", cell_offsets_);
  out.array(prefix + ".centres", centres_, {n_cells(), dim_});
  out.array(prefix + ".ids", ids_);
  vectors_.save(out, prefix);
}

std::uint64_t NeighbourIndex::bytes(std::size_t n_vectors, std::size_t dim, const Options& options) {
  const std::size_t screened = options.nearness == Nearness::kInnerProduct ? n_vectors : 0;
  return PackedVectors::bytes(n_vectors, padded(dim), options.precision) +
         Screen::bytes(screened, padded(dim), options.precision) +
         options.n_cells * (sizeof(float) * (padded(dim) + 1) + sizeof(std::uint64_t)) +
         n_vectors * (2 * sizeof(std::uint32_t) + sizeof(float));
}

void NeighbourIndex::derive() {
  places_.assign(size(), static_cast<std::uint32_t>(size()));  // of those that a lying file leaves out
  for (std::uint32_t place = 0; place < size(); ++place) places_[ids_[place]] = place;
  for (std::size_t cell = 0; cell < n_cells(); ++cell) {
    centre_squares_.push_back(square(centres_.data() + cell * dim_, dim_));
  }
  if (nearness_ == Nearness::kInnerProduct) screen_ = Screen(vectors_);
  if (nearness_ != Nearness::kDistance) return;
  std::vector<float> buffer;
  for (std::size_t i = 0; i < size(); ++i) squares_.push_back(square(vectors_.decode(i, 1, buffer), dim_));
}

std::vector<float> NeighbourIndex::vector(std::uint32_t id) const {
  std::vector<float> buffer;
  if (places_[id] == size()) return std::vector<float>(dim_, 0.0f);
  const float* values = vectors_.decode(places_[id], 1, buffer);
  return {values, values + dim_};
}

void NeighbourIndex::copy_vectors(std::span<const Scored> which, Matrix& out) const {
  out.resize(static_cast<Index>(which.size()), static_cast<Index>(dim_));
  std::vector<float> buffer;
  for (std::size_t i = 0; i < which.size(); ++i) {
    out.row(static_cast<Index>(i)) =
        MatrixView(vectors_.decode(places_[which[i].id], 1, buffer), 1, static_cast<Index>(dim_));
  }
}

Matrix NeighbourIndex::vectors() const {
  Matrix result = Matrix::Zero(static_cast<Index>(size()), static_cast<Index>(dim_));
  std::vector<float> buffer;
  for (std::size_t i = 0; i < size(); ++i) {
    result.row(ids_[i]) = MatrixView(vectors_.decode(i, 1, buffer), 1, static_cast<Index>(dim_));
  }
  return result;
}

std::uint32_t NeighbourIndex::nearest_cell(const float* vector, std::vector<float>& products) const {
  dot_products(vector, 1, centres_.data(), n_cells(), dim_, products.data(), n_cells());
  std::uint32_t nearest = 0;
  const auto score = [&](std::uint32_t cell) { return 2 * products[cell] - centre_squares_[cell]; };
  for (std::uint32_t cell = 1; cell < n_cells(); ++cell) nearest = score(cell) > score(nearest) ? cell : nearest;
  return nearest;
}

void NeighbourIndex::search(const Matrix& queries, std::size_t k, std::size_t probes, NeighbourScratch& scratch) const {
  prepare(queries, dim_, nearness_, scratch.queries);
  const auto n = static_cast<std::size_t>(queries.rows());
  scratch.best.resize(n);
  for (TopK& best : scratch.best) best.reset(k);
  scratch.query_squares.resize(n);
  const bool screens = nearness_ == Nearness::kInnerProduct && k <= size() / kScreened;
  scratch.screened.resize(screens ? n : 0);
  for (std::size_t i = 0; i < n; ++i) {
    const float* query = scratch.queries.row(static_cast<Index>(i)).data();
    scratch.query_squares[i] = square(query, dim_);
    if (screens) screen_.begin(query, k, scratch.screened[i]);
  }
  choose_cells(probes, scratch);
  for (std::size_t cell = 0; cell < n_cells(); ++cell) {
    if (scratch.queries_of[cell].empty()) continue;
    screens ? screen_cell(cell, scratch) : search_cell(cell, scratch);
  }
  if (screens) search_candidates(scratch);
}

std::span<const Scored> NeighbourIndex::rank_cells(std::uint32_t query, std::size_t n,
                                                   NeighbourScratch& scratch) const {
  scratch.products.resize(n_cells());
  dot_products(scratch.queries.row(query).data(), 1, centres_.data(), n_cells(), dim_, scratch.products.data(),
               n_cells());
  scratch.nearest_cells.reset(n);
  for (std::uint32_t cell = 0; cell < n_cells(); ++cell) {
    // Where products count, a cell is as good as the mean product with its vectors.
    const float score = nearness_ == Nearness::kInnerProduct ? scratch.products[cell]
                                                             : 2 * scratch.products[cell] - centre_squares_[cell];
    scratch.nearest_cells.offer(score, cell);
  }
  return scratch.nearest_cells.sorted();
}

void NeighbourIndex::choose_cells(std::size_t probes, NeighbourScratch& scratch) const {
  scratch.queries_of.resize(n_cells());
  for (auto& queries : scratch.queries_of) queries.clear();
  for (std::uint32_t query = 0; query < scratch.best.size(); ++query) {
    for (const Scored& cell : rank_cells(query, probes, scratch)) scratch.queries_of[cell.id].push_back(query);
  }
}

std::size_t NeighbourIndex::fewest_probes(const Matrix& queries, std::size_t k, double share, const Run& run) const {
  constexpr std::size_t kGrain = 16;
  const auto n = static_cast<std::size_t>(queries.rows());
  k = std::min(k, size());
  std::vector<std::size_t> probes_for(n * k, 1);  // each of the best
  parallel_for(n, kGrain, [&](std::size_t begin, std::size_t end) {
    run.check();
    NeighbourScratch scratch;
    search(queries.middleRows(static_cast<Index>(begin), static_cast<Index>(end - begin)), k, n_cells(), scratch);
    std::vector<std::size_t> probes_to(n_cells(), n_cells());
    for (std::uint32_t query = 0; query < end - begin; ++query) {
      std::size_t probes = 0;
      for (const Scored& cell : rank_cells(query, n_cells(), scratch)) probes_to[cell.id] = ++probes;
      const auto best = scratch.best[query].sorted();
      for (std::size_t i = 0; i < best.size(); ++i) {
        const auto behind = std::upper_bound(cell_offsets_.begin(), cell_offsets_.end(), places_[best[i].id]);
        probes_for[(begin + query) * k + i] = probes_to[static_cast<std::size_t>(behind - cell_offsets_.begin()) - 1];
      }
    }
  });
  if (probes_for.empty()) return 1;
  std::ranges::sort(probes_for);
  const auto wanted = static_cast<std::size_t>(std::ceil(share * static_cast<double>(probes_for.size())));
  return probes_for[std::max<std::size_t>(wanted, 1) - 1];
}

void NeighbourIndex::search_cell(std::size_t cell, NeighbourScratch& scratch) const {
  const std::vector<std::uint32_t>& queries = scratch.queries_of[cell];
  scratch.in_cell.resize(static_cast<Index>(queries.size()), static_cast<Index>(dim_));
  for (std::size_t i = 0; i < queries.size(); ++i) {
    scratch.in_cell.row(static_cast<Index>(i)) = scratch.queries.row(queries[i]);
  }
  for (std::size_t begin = cell_offsets_[cell]; begin < cell_offsets_[cell + 1]; begin += kBlock) {
    const std::size_t n = std::min(kBlock, cell_offsets_[cell + 1] - begin);
    scratch.products.resize(queries.size() * n);
    dot_products(scratch.in_cell.data(), queries.size(), vectors_.decode(begin, n, scratch.decoded), n, dim_,
                 scratch.products.data(), n);
    for (std::size_t i = 0; i < queries.size(); ++i) {
      TopK& best = scratch.best[queries[i]];
      float* scores = scratch.products.data() + i * n;
      if (nearness_ == Nearness::kDistance) {
        for (std::size_t j = 0; j < n; ++j) {
          scores[j] = 2 * scores[j] - squares_[begin + j] - scratch.query_squares[queries[i]];
        }
      }
      float threshold = best.threshold();
      for (std::size_t j = 0; j < n; ++j) {
        if (scores[j] < threshold) continue;
        best.offer(scores[j], ids_[begin + j]);
        threshold = best.threshold();
      }
    }
  }
}

void NeighbourIndex::screen_cell(std::size_t cell, NeighbourScratch& scratch) const {
  for (std::size_t begin = cell_offsets_[cell]; begin < cell_offsets_[cell + 1]; begin += kBlock) {
    const std::size_t n = std::min(kBlock, cell_offsets_[cell + 1] - begin);
    for (const std::uint32_t query : scratch.queries_of[cell]) screen_.look(begin, n, scratch.screened[query]);
  }
}

void NeighbourIndex::search_candidates(NeighbourScratch& scratch) const {
  for (std::size_t i = 0; i < scratch.screened.size(); ++i) {
    const float* query = scratch.queries.row(static_cast<Index>(i)).data();
    const float least = scratch.screened[i].least();
    for (const Scored& candidate : scratch.screened[i].candidates) {
      if (candidate.score < least) continue;
      float product = 0;
      dot_products(query, 1, vectors_.decode(candidate.id, 1, scratch.decoded), 1, dim_, &product, 1);
      scratch.best[i].offer(product, ids_[candidate.id]);
    }
  }
}

}  // namespace xylem
