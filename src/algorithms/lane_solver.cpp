// SPDX-License-Identifier: Apache-2.0
#include "algorithms/lane_solver.h"

#include <immintrin.h>

#include <algorithm>
#include <bit>
#include <limits>
#include <numeric>
#include <variant>

#include "core/dense.h"
#include "core/random.h"

namespace xylem {
namespace {

// Half of a group of lanes, one register of AVX2. GCC takes larger vectors apart, and Eigen's select is a branch for
// each element: with it a visit cost twice as much.
constexpr std::size_t kHalf = kLanes / 2;
using Half = float __attribute__((vector_size(kHalf * sizeof(float))));
using Mask = std::int32_t __attribute__((vector_size(kHalf * sizeof(float))));  // -1 or 0
struct Lanes {
  std::array<Half, 2> halves;
};

constexpr float kInfinity = std::numeric_limits<float>::infinity();

// Every so many passes all rows are visited, between them only those whose gradient was not small the last time. On
// validation rows of eurlex57k eight such passes took 8.1 CPU seconds where seven over all rows took 10.0, P@5 67.8 and
// 67.7; a period of eight lost half a point of P@5.
constexpr int kFullPassPeriod = 4;
constexpr double kSmallGradient = 0.25;  // times the tolerance

Half all(float value) {
  return Half{} + value;
}
Half larger(Half a, Half b) {
  return a > b ? a : b;
}
Half smaller(Half a, Half b) {
  return a < b ? a : b;
}
Half exp(Half x) {
  Eigen::Array<float, kHalf, 1> result;
  for (std::size_t i = 0; i < kHalf; ++i) result[i] = x[i];
  result = result.exp();
  for (std::size_t i = 0; i < kHalf; ++i) x[i] = result[i];
  return x;
}

// Of the lanes of a half, by the bits of those lanes.
Mask mask_of(LaneBits bits, std::size_t half) {
  constexpr Mask kBits = {1, 2, 4, 8, 16, 32, 64, 128};
  return ((Mask{} + (bits >> half * kHalf)) & kBits) != 0;
}
std::uint32_t bits_of(Mask mask, std::size_t half) {
  return static_cast<std::uint32_t>(_mm256_movemask_ps(reinterpret_cast<__m256>(mask))) << half * kHalf;
}

// What a visit of a row wants to do in its lanes.
struct Step {
  Half gradient;  // how far the row is from its best, as a change of its margin
  Half kept;      // of the row's best dual, while all others stay as they are
  Half change;    // of the dual
};

// A loss says how the dual of a row is kept, and which is the best.
struct SquaredHinge {
  static constexpr float kStart = 0;  // the dual itself is kept

  // The loss adds 1 / (2 cost) to the diagonal of the dual problem.
  static Step step(Half margin, Half kept, float square_norm, Half cost) {
    const Half shift = 0.5f / cost;
    const Half gradient = margin - 1 + shift * kept;
    const Half best = larger(kept - gradient / (square_norm + shift), Half{});
    return {kept == 0 ? smaller(gradient, Half{}) : gradient, best, best - kept};
  }
};

struct Logistic {
  static constexpr float kStart = -kInfinity;  // log(dual / (cost - dual)) is kept

  static Half sigmoid(Half x) { return 1 / (1 + exp(-x)); }

  // The best z, as it is kept, solves z + n (cost sigmoid(z) - dual) + margin = 0, n being the square norm. The left
  // side rises; it is below 0 where the sigmoid is set to 1 and above where it is set to 0. Newton's steps from the
  // last z, halving what is left where they leave it or come no closer: they may go from end to end for ever.
  static Step step(Half margin, Half kept, float square_norm, Half cost) {
    const Half dual = cost * sigmoid(kept);
    Half high = square_norm * dual - margin;
    Half low = high - square_norm * cost;
    Half z = smaller(larger(kept, low), high);
    Half last = all(kInfinity);  // how far the left side was from 0
    Mask moves = Mask{} - 1;
    for (int i = 0; i < kMostSteps && bits_of(moves, 0) != 0; ++i) {
      const Half part = sigmoid(z);
      const Half value = z + square_norm * (cost * part - dual) + margin;
      high = value > 0 ? z : high;
      low = value > 0 ? low : z;
      const Half next = z - value / (1 + square_norm * cost * part * (1 - part));
      const Half distance = larger(value, -value);
      const Mask is_closer = distance < 0.5f * last;
      last = distance;
      const Half inside = (is_closer & (next >= low) & (next <= high)) ? next : 0.5f * (low + high);
      const Mask is_far = (inside - z > kClose) | (z - inside > kClose);
      z = moves ? inside : z;  // a lane that has arrived waits for the others
      moves &= is_far;
    }
    const Half change = cost * sigmoid(z) - dual;
    return {-square_norm * change, z, change};
  }

 private:
  static constexpr int kMostSteps = 50;
  static constexpr float kClose = 1e-4f;
};

template <class LossRule, class Entry>
class LaneSolver {
 public:
  LaneSolver(const LaneProblem& problem, std::span<const Entry> entries, const LinearOptions& options,
             LaneScratch& scratch, float* weights)
      : problem_(problem),
        entries_(entries),
        scratch_(scratch),
        weights_(weights),
        small_gradient_(static_cast<float>(kSmallGradient * options.tolerance)),
        negative_cost_(static_cast<float>(options.cost)) {
    for (std::size_t lane = 0; lane < kLanes; ++lane) {
      positive_cost_.halves[lane / kHalf][lane % kHalf] = negative_cost_ * problem.positive_cost[lane];
    }
    scratch.duals.assign(problem.rows.size() * kLanes, LossRule::kStart);
  }

  void begin_pass() {
    largest_.halves.fill(all(-kInfinity));
    smallest_.halves.fill(all(kInfinity));
  }
  // How far the gradients of a lane's problem were apart in this pass.
  float gradient_range(std::size_t lane) const {
    return largest_.halves[lane / kHalf][lane % kHalf] - smallest_.halves[lane / kHalf][lane % kHalf];
  }

  // Visits a row: improves its duals in those of the lanes `live` in which it is active, and leaves it active where it
  // may matter soon again.
  void visit(std::uint32_t row, LaneBits live) {
    const LaneBits bits = scratch_.active[row] & live;
    const std::span<const Entry> entries = entries_of(row);
    const Lanes sums = product(entries);
    const float square_norm = problem_.rows.square_norm(row) + 1;  // the bias
    Lanes changes;
    std::uint32_t stays = 0;
    for (std::size_t half = 0; half < 2; ++half) {
      const Mask active = mask_of(bits, half);
      const Mask positive = mask_of(problem_.positives[row], half);
      const Half cost = positive ? positive_cost_.halves[half] : all(negative_cost_);
      const Half margin = positive ? sums.halves[half] : -sums.halves[half];
      Half& kept = lanes_at(scratch_.duals.data(), row).halves[half];
      const Step step = LossRule::step(margin, kept, square_norm, cost);

      Half& largest = largest_.halves[half];
      Half& smallest = smallest_.halves[half];
      largest = active ? larger(largest, step.gradient) : largest;
      smallest = active ? smaller(smallest, step.gradient) : smallest;
      const Mask matters = active & ((step.gradient > small_gradient_) | (step.gradient < -small_gradient_));
      stays |= bits_of(matters, half);
      kept = matters ? step.kept : kept;
      changes.halves[half] = matters ? (positive ? step.change : -step.change) : Half{};
    }
    scratch_.active[row] = static_cast<LaneBits>((scratch_.active[row] & ~bits) | stays);
    if (stays != 0) add(entries, changes);
  }

 private:
  static Lanes& lanes_at(float* array, std::size_t i) { return reinterpret_cast<Lanes*>(array)[i]; }

  Lanes& weights_of(std::size_t feature) const { return lanes_at(weights_, feature); }
  Lanes& biases() const { return weights_of(problem_.rows.n_features()); }

  std::span<const Entry> entries_of(std::uint32_t row) const {
    const std::uint64_t begin = problem_.rows.offsets()[row];
    return entries_.subspan(begin, problem_.rows.offsets()[row + 1] - begin);
  }

  Lanes product(std::span<const Entry> entries) const {
    // Four sums: one alone would wait for itself.
    std::array<Lanes, 4> sums{biases()};
    std::size_t i = 0;
    for (; i + sums.size() <= entries.size(); i += sums.size()) {
      for (std::size_t j = 0; j < sums.size(); ++j) {
        add_scaled(weights_of(entries[i + j].id()), entries[i + j].value(), sums[j]);
      }
    }
    for (; i < entries.size(); ++i) add_scaled(weights_of(entries[i].id()), entries[i].value(), sums[0]);
    for (std::size_t half = 0; half < 2; ++half) {
      sums[0].halves[half] =
          (sums[0].halves[half] + sums[1].halves[half]) + (sums[2].halves[half] + sums[3].halves[half]);
    }
    return sums[0];
  }

  void add(std::span<const Entry> entries, const Lanes& change) {
    add_scaled(change, 1, biases());
    for (const Entry& entry : entries) add_scaled(change, entry.value(), weights_of(entry.id()));
  }

  static void add_scaled(const Lanes& lanes, float scale, Lanes& to) {
    to.halves[0] += scale * lanes.halves[0];
    to.halves[1] += scale * lanes.halves[1];
  }

  const LaneProblem& problem_;
  std::span<const Entry> entries_;
  LaneScratch& scratch_;
  float* weights_;
  float small_gradient_;
  float negative_cost_;
  Lanes positive_cost_;
  Lanes largest_, smallest_;  // gradients of this pass
};

// A pass takes stretches of so many neighbouring rows in random order: memory reads ahead inside of a stretch. A pass
// over 40,500 rows of eurlex57k took 40 ms row by row and 12 ms like this. Where a node has few rows they are in the
// cache, and a better order is worth more.
std::size_t stretch_length(std::size_t n_rows) {
  return std::clamp<std::size_t>(n_rows / 512, 1, 16);
}

template <class LossRule, class Entry>
int solve(const LaneProblem& problem, std::span<const Entry> entries, const LinearOptions& options, std::uint64_t seed,
          LaneScratch& scratch, AlignedVector<float>& weights, const Run& run) {
  weights.assign((problem.rows.n_features() + 1) * kLanes, 0.0f);
  LaneSolver<LossRule, Entry> solver(problem, entries, options, scratch, weights.data());
  Random random(seed, {});
  LaneBits live = 0;
  for (const LaneBits bits : problem.members) live |= bits;

  int pass = 0;
  for (; pass < options.passes && live != 0; ++pass) {
    run.check();
    const bool is_full = pass % kFullPassPeriod == 0;
    if (is_full) scratch.active.assign(problem.members.begin(), problem.members.end());
    scratch.order.clear();
    for (std::uint32_t row = 0; row < problem.rows.size(); ++row) {
      if ((scratch.active[row] & live) != 0) scratch.order.push_back(row);
    }
    const std::size_t length = stretch_length(scratch.order.size());
    scratch.stretches.resize((scratch.order.size() + length - 1) / length);
    std::iota(scratch.stretches.begin(), scratch.stretches.end(), 0u);
    random.shuffle(std::span(scratch.stretches));
    solver.begin_pass();
    for (const std::uint32_t stretch : scratch.stretches) {
      const std::size_t end = std::min((stretch + 1) * length, scratch.order.size());
      for (std::size_t i = stretch * length; i < end; ++i) solver.visit(scratch.order[i], live);
    }
    if (!is_full) continue;
    for (std::size_t lane = 0; lane < kLanes; ++lane) {
      if (solver.gradient_range(lane) <= options.tolerance) live &= static_cast<LaneBits>(~(1u << lane));
    }
  }
  return pass;
}

}  // namespace

int solve_lanes(const LaneProblem& problem, const LinearOptions& options, std::uint64_t seed, LaneScratch& scratch,
                AlignedVector<float>& weights, const Run& run) {
  return std::visit(
      [&]<class Entry>(const std::vector<Entry>& entries) {
        const auto solve_with = options.loss == Loss::kLogistic ? solve<Logistic, Entry> : solve<SquaredHinge, Entry>;
        return solve_with(problem, entries, options, seed, scratch, weights, run);
      },
      problem.rows.entries());
}

void for_each_large(const AlignedVector<float>& weights, std::size_t n_features, float least,
                    const std::function<void(std::size_t feature, std::size_t lane, float weight)>& use) {
  const auto* lanes = reinterpret_cast<const Lanes*>(weights.data());
  for (std::size_t feature = 0; feature < n_features; ++feature) {
    std::uint32_t large = 0;
    for (std::size_t half = 0; half < 2; ++half) {
      const Half values = lanes[feature].halves[half];
      large |= bits_of(((values >= least) | (values <= -least)) & (values != 0), half);
    }
    for (; large != 0; large &= large - 1) {
      const auto lane = static_cast<std::size_t>(std::countr_zero(large));
      use(feature, lane, weights[feature * kLanes + lane]);
    }
  }
}

}  // namespace xylem
