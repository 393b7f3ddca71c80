// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <numeric>

#include "algorithms/layers.h"
#include "algorithms/optimiser.h"
#include "algorithms/sparse_batch.h"
#include "algorithms/weighted_sum.h"
#include "core/parallel.h"
#include "core/progress.h"
#include "methods/dxml/label_vectors.h"

namespace xylem::dxml {
namespace {

using Eigen::Index;

constexpr std::uint64_t kStartStream = 0x73746172;
constexpr std::uint64_t kOrderStream = 0x6f726472;
constexpr std::uint64_t kWalkStream = 0x77616c6b;
constexpr std::uint64_t kLonelyStream = 0x6c6f6e65;
constexpr std::size_t kLabelsAtOnce = 16;

// Two labels that met on a walk, or a label and a random one.
struct Meeting {
  Label centre, other;
  bool is_real;
};

// Draws labels with the odds of their degrees to the power of 3/4, as word2vec does.
class Sampler {
 public:
  explicit Sampler(const std::vector<float>& degrees) {
    double sum = 0;
    for (const float degree : degrees) sums_.push_back(sum += std::pow(static_cast<double>(degree), 0.75));
  }
  Label draw(Random& random) const {
    const auto place = std::ranges::upper_bound(sums_, random.uniform() * sums_.back());
    return static_cast<Label>(std::min<std::ptrdiff_t>(place - sums_.begin(), std::ssize(sums_) - 1));
  }

 private:
  std::vector<double> sums_;
};

class SkipGram {
 public:
  SkipGram(const LabelWalks& walks, std::size_t dim, int window, const DeepWalkOptions& options, std::uint64_t seed,
           const Run& run)
      : walks_(walks),
        window_(static_cast<std::size_t>(window)),
        options_(options),
        seed_(seed),
        sampler_(walks.degrees()),
        centres_(walks.degrees().size(), dim, {OptimiserKind::kAdam, options.rate}),
        others_(walks.degrees().size(), dim, {OptimiserKind::kAdam, options.rate}) {
    fill_normal(centres_.values(), 0.5 / static_cast<double>(dim), Random(seed, {kStartStream}), run);
  }

  // A walk from each of these labels, and a step of the optimiser.
  void learn(std::span<const Label> starts, std::size_t pass) {
    std::vector<std::vector<Meeting>> met(starts.size());
    parallel_for(starts.size(), 1, [&](std::size_t i, std::size_t) {
      walk(starts[i], Random(seed_, {kWalkStream, pass, starts[i]}), met[i]);
    });
    group_by_centre(met);
    centres_.begin_step();
    others_.begin_step();
    find_gradients();
    std::vector<std::uint32_t> all(labels_.size());
    std::iota(all.begin(), all.end(), 0u);
    by_other_.assign(meetings_, all, 1, 0);
    const std::span<const Label> others = by_other_.features();
    parallel_for(others.size(), kLabelsAtOnce, [&](std::size_t begin, std::size_t end) {
      std::vector<float> gradient(centres_.width());
      for (std::size_t i = begin; i < end; ++i) {
        const SparseRow row = by_other_.by_feature()[i];
        std::ranges::fill(gradient, 0.0f);
        add_weighted_rows(before_.data(), gradient.size(), row.ids, row.values, gradient.data());
        others_.update(others[i], gradient.data());
      }
    });
    parallel_for(labels_.size(), kLabelsAtOnce, [&](std::size_t begin, std::size_t end) {
      for (std::size_t i = begin; i < end; ++i) {
        centres_.update(labels_[i], gradients_.row(static_cast<Index>(i)).data());
      }
    });
  }

  void begin_pass(double rate, std::size_t steps) {
    centres_.begin_epoch(rate, steps);
    others_.begin_epoch(rate, steps);
  }
  const Matrix& vectors() const { return centres_.values(); }

 private:
  void walk(Label start, Random random, std::vector<Meeting>& out) const {
    std::vector<Label> path{start};
    while (path.size() < static_cast<std::size_t>(options_.walk_length)) {
      path.push_back(walks_.step(path.back(), random));
    }
    for (std::size_t i = 0; i < path.size(); ++i) {
      const std::size_t end = std::min(path.size(), i + window_ + 1);
      for (std::size_t j = i - std::min(i, window_); j < end; ++j) {
        if (path[j] == path[i]) continue;
        out.push_back({path[i], path[j], true});
        for (int n = 0; n < options_.negatives; ++n) {
          const Label label = sampler_.draw(random);
          if (label != path[i]) out.push_back({path[i], label, false});
        }
      }
    }
  }

  void group_by_centre(const std::vector<std::vector<Meeting>>& met) {
    const auto for_each_meeting = [&](auto&& use) {
      for (const auto& part : met) {
        for (const Meeting& meeting : part) use(meeting);
      }
    };
    numbering_.reset(centres_.rows());
    for_each_meeting([&](const Meeting& meeting) { numbering_.mark(meeting.centre); });
    meetings_.offsets.assign(numbering_.finish() + 1, 0);
    labels_.clear();
    numbering_.for_each([&](std::size_t label) { labels_.push_back(static_cast<Label>(label)); });
    for_each_meeting([&](const Meeting& meeting) { ++meetings_.offsets[numbering_.number_of(meeting.centre) + 1]; });
    std::partial_sum(meetings_.offsets.begin(), meetings_.offsets.end(), meetings_.offsets.begin());
    meetings_.ids.resize(meetings_.offsets.back());
    meetings_.values.resize(meetings_.offsets.back());
    meetings_.n_columns = centres_.rows();
    std::vector<std::uint64_t> next(meetings_.offsets.begin(), meetings_.offsets.end() - 1);
    for_each_meeting([&](const Meeting& meeting) {
      const std::uint64_t place = next[numbering_.number_of(meeting.centre)]++;
      meetings_.ids[place] = meeting.other;
      meetings_.values[place] = meeting.is_real ? 1.0f : 0.0f;
    });
  }

  // The values of the meetings become the derivatives of the logistic loss by the inner products.
  void find_gradients() {
    const auto n = static_cast<Index>(labels_.size()), dim = static_cast<Index>(centres_.width());
    before_.resize(n, dim);
    gradients_.setZero(n, dim);
    parallel_for(labels_.size(), kLabelsAtOnce, [&](std::size_t begin, std::size_t end) {
      for (std::size_t i = begin; i < end; ++i) {
        const auto row = static_cast<Index>(i);
        before_.row(row) = centres_.values().row(labels_[i]);
        for (std::uint64_t place = meetings_.offsets[i]; place < meetings_.offsets[i + 1]; ++place) {
          const float product = before_.row(row).dot(others_.values().row(meetings_.ids[place]));
          meetings_.values[place] = 1 / (1 + std::exp(-product)) - meetings_.values[place];
        }
        add_weighted_rows(others_.values().data(), centres_.width(), meetings_[i].ids, meetings_[i].values,
                          gradients_.row(row).data());
      }
    });
  }

  const LabelWalks& walks_;
  std::size_t window_;
  DeepWalkOptions options_;
  std::uint64_t seed_;
  Sampler sampler_;
  Parameters centres_, others_;  // of every label, the vector that it has, and the one as which others meet it
  // Of a step:
  std::vector<Label> labels_;  // the centres of meetings, rising
  SparseMatrix meetings_;      // a row for each, whom it met
  SparseBatch by_other_;       // the same, turned around
  Matrix before_, gradients_;  // of the centres
  Numbering numbering_;
};

}  // namespace

Matrix deepwalk_vectors(const LabelWalks& walks, std::size_t dim, int window, const DeepWalkOptions& options,
                        std::uint64_t seed, const Run& run) {
  const std::size_t n = walks.degrees().size();
  std::vector<Label> starts;
  for (Label label = 0; label < n; ++label) {
    if (walks.degrees()[label] > 0) starts.push_back(label);
  }
  // Each label is met a few times in a step: fewer would waste threads, more are steps too long to learn from.
  constexpr std::size_t kMeetingsALabel = 4, kLeastMeetings = 1024, kMostMeetings = 65536;
  const auto meetings_a_walk = static_cast<std::size_t>(options.walk_length) * 2 * static_cast<std::size_t>(window) *
                               static_cast<std::size_t>(1 + options.negatives);
  const std::size_t batch =
      std::clamp(kMeetingsALabel * starts.size(), kLeastMeetings, kMostMeetings) / meetings_a_walk + 1;
  SkipGram learner(walks, dim, window, options, seed, run);
  const auto passes = static_cast<std::size_t>(options.walks);
  ProgressCounter progress(run, "walk", "walks", passes * starts.size());
  for (std::size_t pass = 0; pass < passes; ++pass) {
    const double share = static_cast<double>(pass) / static_cast<double>(passes);
    learner.begin_pass(options.rate * (1 - share), (starts.size() + batch - 1) / batch);
    Random(seed, {kOrderStream, pass}).shuffle(std::span(starts));
    for (std::size_t begin = 0; begin < starts.size(); begin += batch) {
      run.check();
      const auto part = std::span(starts).subspan(begin, std::min(batch, starts.size() - begin));
      learner.learn(part, pass);
      progress.add(part.size());
    }
  }
  Matrix vectors = learner.vectors();
  fill_without_edges(walks, vectors, Random(seed, {kLonelyStream}));
  return vectors;
}

}  // namespace xylem::dxml
