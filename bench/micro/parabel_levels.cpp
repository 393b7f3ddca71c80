// SPDX-License-Identifier: Apache-2.0
// Where parabel's training time goes, measured with one thread: by stage, by level of the trees, and from this what
// more threads could gain: parabel_levels TRAIN.txt [name=value]...
#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <exception>
#include <map>
#include <string>
#include <vector>

#include "algorithms/row_scaling.h"
#include "core/parallel.h"
#include "core/stopwatch.h"
#include "methods/parabel/train_forest.h"

namespace {

using namespace xylem;
using parabel::TrainingTimes;

struct Level {
  std::size_t tasks = 0, nodes = 0;
  double seconds = 0;
};

void print_levels(const TrainingTimes& times) {
  std::map<std::pair<std::size_t, bool>, Level> levels;
  for (const TrainingTimes::Task& task : times.tasks) {
    Level& level = levels[{task.level, task.is_leaf}];
    ++level.tasks;
    level.nodes += task.n_nodes;
    level.seconds += task.seconds;
  }
  fmt::print("\n| level | | nodes | tasks | seconds | mean ms a task |\n|--:|---|--:|--:|--:|--:|\n");
  for (const auto& [key, level] : levels) {
    fmt::print("| {} | {} | {} | {} | {:.2f} | {:.2f} |\n", key.first, key.second ? "leaves" : "inner", level.nodes,
               level.tasks, level.seconds, 1000 * level.seconds / static_cast<double>(level.tasks));
  }
}

// Tasks in the order in which they are started go to the thread that is free first; a task's groups of lanes are shared
// out too. The other stages are loops that all threads share, but for the ranking.
double seconds_with(const TrainingTimes& times, std::size_t threads) {
  const double loops = times.label_vectors + times.clustering + times.sending + times.assembling;
  std::vector<double> busy(threads, times.ranking + loops / static_cast<double>(threads));
  for (const TrainingTimes::Task& task : times.tasks) {
    for (std::size_t group = 0; group < task.n_groups; ++group) {
      *std::ranges::min_element(busy) += task.seconds / static_cast<double>(task.n_groups);
    }
  }
  return std::ranges::max(busy);
}

void measure(const std::string& path, const Settings& settings) {
  Stopwatch stopwatch;
  Dataset data = read_dataset(path).data;
  scale_to_unit(data.features);
  const double reading = stopwatch.lap().wall_seconds;
  TrainingTimes times;
  const auto options = parabel_method.parse(settings).as<ParabelOptions>();
  with_threads(1, [&] { parabel::train_forest(data, options, {}, times); });
  double inner = 0, leaves = 0;
  for (const TrainingTimes::Task& task : times.tasks) (task.is_leaf ? leaves : inner) += task.seconds;

  fmt::print("| stage | seconds |\n|---|--:|\n");
  fmt::print("| read | {:.2f} |\n| rank features | {:.2f} |\n| label vectors | {:.2f} |\n| clusters | {:.2f} |\n",
             reading, times.ranking, times.label_vectors, times.clustering);
  fmt::print("| inner nodes | {:.2f} |\n| send rows | {:.2f} |\n| leaves | {:.2f} |\n| assemble | {:.2f} |\n", inner,
             times.sending, leaves, times.assembling);
  print_levels(times);
  fmt::print("\n| threads | times as fast, if memory keeps up |\n|--:|--:|\n");
  for (const std::size_t threads : {1, 2, 4, 8, 16, 32}) {
    fmt::print("| {} | {:.2f} |\n", threads, seconds_with(times, 1) / seconds_with(times, threads));
  }
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 2) {
    fmt::print(stderr, "usage: parabel_levels TRAIN.txt [name=value]...\n");
    return 2;
  }
  Settings settings;
  for (int i = 2; i < argc; ++i) {
    const std::string pair = argv[i];
    const std::size_t sign = std::min(pair.find('='), pair.size() - 1);
    settings[pair.substr(0, sign)] = pair.substr(sign + 1);
  }
  try {
    measure(argv[1], settings);
  } catch (const std::exception& error) {
    fmt::print(stderr, "parabel_levels: {}\n", error.what());
    return 1;
  }
  return 0;
}
