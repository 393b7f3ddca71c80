// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "algorithms/packed_vectors.h"
#include "core/array.h"
#include "core/dense.h"
#include "core/random.h"
#include "core/top_k.h"
#include "xylem/run.h"

namespace xylem {

// The score of a vector for a query: their cosine, minus their squared distance, or their inner product.
enum class Nearness { kCosine, kDistance, kInnerProduct };
inline auto choice_names(Nearness) {
  return std::array<std::string_view, 3>{"cosine", "distance", "inner-product"};
}

struct NeighbourScratch {
  std::vector<TopK> best;  // of each query; ids are rows of the matrix that the index was made from
  // Buffers:
  Matrix queries, in_cell;
  std::vector<float> query_squares, decoded, products;
  std::vector<std::vector<std::uint32_t>> queries_of;  // each cell
  TopK nearest_cells;
  std::vector<Screen::Query> screened;  // of each query
};

// Vectors in cells, each of the vectors that its centre is the nearest of. A search looks into the cells whose centres
// are nearest to the query; where it looks into all, or there is but one, it finds the best exactly. Inner products are
// first taken nearly, from a copy of the vectors in one byte a dimension, and then exactly where they may be the best.
class NeighbourIndex {
 public:
  struct Options {
    std::size_t n_cells = 1;
    Nearness nearness = Nearness::kCosine;
    Precision precision = Precision::kFloat;
    std::size_t sample = 0;  // the cells are learned from so many vectors for each; 0: from all
  };
  NeighbourIndex(const Matrix& vectors, const Options& options, Random random, const Run& run);
  NeighbourIndex(const ModelReader& in, const std::string& prefix, std::size_t n_vectors, std::size_t dim);
  // More vectors behind those of `first`, in the cells that it has: once or little by little is the same.
  NeighbourIndex(const NeighbourIndex& first, const Matrix& more, const Run& run);
  void save(ModelWriter& out, const std::string& prefix) const;

  std::size_t size() const { return ids_.size(); }
  std::size_t n_cells() const { return cell_offsets_.size() - 1; }

  // Of one that it was made from, and of all in their order, as far as the precision keeps them; scaled to length 1 for
  // cosines, with zeros at the end.
  std::vector<float> vector(std::uint32_t id) const;
  Matrix vectors() const;
  // Of several, a row of `out` each.
  void copy_vectors(std::span<const Scored> which, Matrix& out) const;

  // Leaves the k best for each row of `queries` in scratch.best. What a query gets does not depend on the others.
  void search(const Matrix& queries, std::size_t k, std::size_t probes, NeighbourScratch& scratch) const;

  // The fewest with which this share of the k best for these queries is found.
  std::size_t fewest_probes(const Matrix& queries, std::size_t k, double share, const Run& run) const;

  static std::uint64_t bytes(std::size_t n_vectors, std::size_t dim, const Options& options);

 private:
  // What follows from the vectors and cells, and is not saved.
  void derive();
  // Of a prepared vector.
  std::uint32_t nearest_cell(const float* vector, std::vector<float>& products) const;
  // The best cells for one of the queries, best first.
  std::span<const Scored> rank_cells(std::uint32_t query, std::size_t n, NeighbourScratch& scratch) const;
  void choose_cells(std::size_t probes, NeighbourScratch& scratch) const;
  void search_cell(std::size_t cell, NeighbourScratch& scratch) const;
  void screen_cell(std::size_t cell, NeighbourScratch& scratch) const;
  void search_candidates(NeighbourScratch& scratch) const;

  Nearness nearness_;
  std::size_t dim_;  // of a vector, with zeros at the end where that is no multiple of 8
  Array<float> centres_;
  Array<std::uint64_t> cell_offsets_;
  Array<std::uint32_t> ids_;  // of the vectors, which lie cell by cell
  PackedVectors vectors_;
  Screen screen_;                                // for inner products only
  std::vector<std::uint32_t> places_;            // of each id among them
  std::vector<float> centre_squares_, squares_;  // of lengths; the second for distances only
};

}  // namespace xylem
