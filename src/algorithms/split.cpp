// SPDX-License-Identifier: Apache-2.0
#include "algorithms/split.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

#include "core/parallel.h"

namespace xylem {
namespace {

constexpr int kMostRounds = 20;
constexpr double kLeastGain = 1e-4;  // of the mean cosine; Parabel's
constexpr std::size_t kMembersAtOnce = 256;
constexpr std::size_t kSides = 2;
using Sides = float __attribute__((vector_size(kSides * sizeof(float))));

double inverse_length(double squares) {
  return squares > 0 ? 1 / std::sqrt(squares) : 0;
}

// A member's products with the sums of both sides.
struct Leaning {
  float products[kSides];
  float to_left;
  std::uint32_t member;
  bool was_left;
};

bool leans_more(const Leaning& a, const Leaning& b) {
  return a.to_left != b.to_left ? a.to_left > b.to_left : a.member < b.member;
}

class TwoWaySplit {
 public:
  TwoWaySplit(const SparseMatrix& vectors, std::span<std::uint32_t> members, std::size_t n_left, SplitScratch& scratch)
      : vectors_(vectors), members_(members), n_left_(n_left), leanings_(members.size()), sums_(scratch.sums) {
    sums_.resize(kSides * vectors.n_columns);
  }

  // Adds to the sides' sums, the first n_left of the members on one side. The sides in parallel: neither writes what
  // the other reads.
  void add_up(std::size_t n_left, std::span<const std::uint32_t> members) {
    parallel_for(kSides, 1, [&](std::size_t side, std::size_t) {
      for (const std::uint32_t member : side == 0 ? members.first(n_left) : members.subspan(n_left)) {
        add(member, 1, side);
      }
    });
  }

  // Brings the sums up to date with what choose() has moved.
  void move() {
    parallel_for(kSides, 1, [&](std::size_t side, std::size_t) {
      for (const Move& move : moves_) add(move.member, (move.to_left == (side == 0)) ? 1 : -1, side);
    });
  }

  void forget(std::span<const std::uint32_t> members) {
    for (const std::uint32_t member : members) {
      for (const Feature column : vectors_[member].ids) {
        for (std::size_t side = 0; side < kSides; ++side) sums_[kSides * column + side] = 0;
      }
    }
  }

  void multiply() {
    parallel_for(members_.size(), kMembersAtOnce, [&](std::size_t begin, std::size_t end) {
      for (std::size_t m = begin; m < end; ++m) {
        const SparseRow row = vectors_[members_[m]];
        // Four products of each side: one alone would wait for itself.
        std::array<Sides, 4> products{};
        std::size_t i = 0;
        for (; i + products.size() <= row.size(); i += products.size()) {
          for (std::size_t j = 0; j < products.size(); ++j) {
            products[j] += row.values[i + j] * sums_of(row.ids[i + j]);
          }
        }
        for (; i < row.size(); ++i) products[0] += row.values[i] * sums_of(row.ids[i]);
        const Sides product = (products[0] + products[1]) + (products[2] + products[3]);
        leanings_[m] = {{product[0], product[1]}, 0, members_[m], m < n_left_};
      }
    });
  }

  // Chooses the sides by the difference of the cosines to their means; returns how well they fit.
  double choose(double left_scale, double right_scale) {
    for (Leaning& leaning : leanings_) {
      leaning.to_left = static_cast<float>(leaning.products[0] * left_scale - leaning.products[1] * right_scale);
    }
    const auto border = leanings_.begin() + static_cast<std::ptrdiff_t>(n_left_);
    std::nth_element(leanings_.begin(), border, leanings_.end(), leans_more);
    double fit = 0;
    moves_.clear();
    for (std::size_t i = 0; i < leanings_.size(); ++i) {
      const Leaning& leaning = leanings_[i];
      const bool is_left = i < n_left_;
      members_[i] = leaning.member;
      fit += is_left ? leaning.to_left : -leaning.to_left;
      if (is_left != leaning.was_left) moves_.push_back({leaning.member, is_left});
    }
    // The order within a side must not depend on how the selection went.
    std::ranges::sort(members_.first(n_left_));
    std::ranges::sort(members_.subspan(n_left_));
    std::ranges::sort(moves_, {}, &Move::member);
    return fit / static_cast<double>(leanings_.size());
  }

  void run(Random random) {
    const std::size_t n = members_.size();
    const std::size_t first = random.below(n);
    const std::size_t second = (first + 1 + random.below(n - 1)) % n;
    const std::uint32_t starts[] = {members_[first], members_[second]};
    add_up(1, starts);
    multiply();
    forget(starts);
    choose(1, 1);
    double before = -2;  // two rows may fit the members better than means do, and say nothing about these
    add_up(n_left_, members_);
    for (int round = 1; round < kMostRounds; ++round) {
      multiply();
      // A sum's product with itself is that of its members with it.
      double left_squares = 0, right_squares = 0;
      for (std::size_t i = 0; i < n; ++i)
        (i < n_left_ ? left_squares : right_squares) += leanings_[i].products[i >= n_left_];
      const double fit = choose(inverse_length(left_squares), inverse_length(right_squares));
      if (fit - before < kLeastGain) break;
      before = fit;
      move();
    }
    forget(members_);
  }

 private:
  struct Move {
    std::uint32_t member;
    bool to_left;
  };

  Sides sums_of(Feature column) const { return reinterpret_cast<const Sides*>(sums_.data())[column]; }
  void add(std::uint32_t member, float scale, std::size_t side) {
    const SparseRow row = vectors_[member];
    for (std::size_t i = 0; i < row.size(); ++i) sums_[kSides * row.ids[i] + side] += scale * row.values[i];
  }

  const SparseMatrix& vectors_;
  std::span<std::uint32_t> members_;
  std::size_t n_left_;
  std::vector<Leaning> leanings_;
  std::vector<Move> moves_;  // from one side to the other, by member
  AlignedVector<float>& sums_;
};

// The members' vectors with the columns that occur renumbered, so that means of all of them are small.
SparseMatrix copy_members(const SparseMatrix& vectors, std::span<const std::uint32_t> members) {
  SparseMatrix result;
  for (const std::uint32_t member : members) result.push_back(vectors[member]);
  std::vector<std::uint32_t> number(vectors.n_columns, 0);
  for (const Feature column : result.ids) number[column] = 1;
  std::exclusive_scan(number.begin(), number.end(), number.begin(), 0u);
  for (Feature& column : result.ids) column = number[column];
  result.n_columns = number.empty() ? 0 : number.back() + 1;
  return result;
}

}  // namespace

void split_in_two(const SparseMatrix& vectors, std::span<std::uint32_t> members, std::size_t n_left, Random random,
                  SplitScratch& scratch) {
  if (n_left == 0 || n_left >= members.size()) return;
  TwoWaySplit(vectors, members, n_left, scratch).run(random);
}

std::vector<std::size_t> split_freely(const SparseMatrix& all_vectors, std::span<std::uint32_t> members,
                                      std::size_t n_clusters, Random random) {
  const std::size_t n = members.size();
  n_clusters = std::min(n_clusters, n);
  const SparseMatrix vectors = copy_members(all_vectors, members);
  std::vector<std::uint32_t> order(n);  // places in members, cluster by cluster
  std::iota(order.begin(), order.end(), 0u);
  random.shuffle(std::span(order));
  std::vector<std::size_t> sizes(n_clusters, 1);  // the means start from different members

  AlignedVector<float> means;  // [column][cluster]
  std::vector<std::uint32_t> cluster_of(n);
  std::vector<float> cosines(n);
  double before = -2;
  for (int round = 0; round < kMostRounds; ++round) {
    means.assign(vectors.n_columns * n_clusters, 0.0f);
    std::vector<std::size_t> begins(n_clusters, 0);
    std::exclusive_scan(sizes.begin(), sizes.end(), begins.begin(), std::size_t{0});
    // A thread takes whole clusters; the sums are then scaled to means of length 1.
    parallel_for(n_clusters, 1, [&](std::size_t cluster, std::size_t) {
      for (std::size_t i = begins[cluster]; i < begins[cluster] + sizes[cluster]; ++i) {
        const SparseRow row = vectors[order[i]];
        for (std::size_t j = 0; j < row.size(); ++j) means[row.ids[j] * n_clusters + cluster] += row.values[j];
      }
    });
    std::vector<double> squares(n_clusters, 0);
    for (std::size_t place = 0; place < means.size(); place += n_clusters) {
      for (std::size_t c = 0; c < n_clusters; ++c)
        squares[c] += static_cast<double>(means[place + c]) * means[place + c];
    }
    std::vector<float> scales(n_clusters);
    for (std::size_t c = 0; c < n_clusters; ++c) scales[c] = static_cast<float>(inverse_length(squares[c]));
    parallel_for(n, kMembersAtOnce, [&](std::size_t begin, std::size_t end) {
      std::vector<float> products(n_clusters);
      for (std::size_t m = begin; m < end; ++m) {
        std::ranges::fill(products, 0.0f);
        const SparseRow row = vectors[m];
        for (std::size_t i = 0; i < row.size(); ++i) {
          const float* mean = means.data() + row.ids[i] * n_clusters;
          for (std::size_t c = 0; c < n_clusters; ++c) products[c] += row.values[i] * mean[c];
        }
        for (std::size_t c = 0; c < n_clusters; ++c) products[c] *= scales[c];
        const auto best = std::ranges::max_element(products);
        cluster_of[m] = static_cast<std::uint32_t>(best - products.begin());
        cosines[m] = *best;
      }
    });
    std::ranges::fill(sizes, 0);
    for (const std::uint32_t cluster : cluster_of) ++sizes[cluster];
    std::exclusive_scan(sizes.begin(), sizes.end(), begins.begin(), std::size_t{0});
    for (std::size_t m = 0; m < n; ++m) order[begins[cluster_of[m]]++] = static_cast<std::uint32_t>(m);
    const double fit = std::accumulate(cosines.begin(), cosines.end(), 0.0) / static_cast<double>(n);
    if (fit - before < kLeastGain) break;
    before = fit;
  }
  const std::vector<std::uint32_t> given(members.begin(), members.end());
  for (std::size_t i = 0; i < n; ++i) members[i] = given[order[i]];
  std::erase(sizes, std::size_t{0});
  return sizes;
}

}  // namespace xylem
