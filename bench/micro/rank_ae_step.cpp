// SPDX-License-Identifier: Apache-2.0
// How long a step of rank-ae's training takes, against the matrix products in it: as many multiply-adds, at the speed
// of Eigen's product of two 1024² matrices. What is beside them are the sparse sums, the losses and the updates. One
// thread, CPU time; a round measures both, since speeds change by the minute; figures are medians over the rounds.
//
//   rank_ae_step DATA [NAME=VALUE...]
#include <fmt/format.h>

#include <cstdio>
#include <exception>
#include <string>

#include "algorithms/row_scaling.h"
#include "core/parallel.h"
#include "methods/rank_ae/trainer.h"
#include "yardsticks.h"

namespace {

using namespace xylem;

constexpr int kRounds = 9, kSteps = 5;

// Forward, the gradient by the input and that by the weights.
double multiply_adds(const rank_ae::NetOptions& options, double rows, double words, double labels) {
  const double dim = options.dim, code = options.code, hidden = options.hidden;
  const auto n_rows = static_cast<std::size_t>(rows);
  const auto codes = static_cast<double>(options.decoded_features(n_rows) + options.decoded_labels(n_rows));
  return 3 * (2 * words * dim * static_cast<double>(options.squeezed()) + rows * dim * code + rows * hidden * code +
              codes * code * hidden + codes * hidden * labels);
}

double product_rate() {
  static const Matrix factor = Matrix::Random(1024, 1024);
  Matrix product(1024, 1024);
  return 1024.0 * 1024.0 * 1024.0 / least_seconds([&] { product.noalias() = factor * factor; }, 0.1);
}

int run(const std::string& path, const Settings& settings) {
  Dataset data = read_dataset(path).data;
  scale_to_unit(data.features);
  const auto options = parse_options<RankAeOptions>(settings);
  const Run quiet;
  rank_ae::Trainer trainer({data}, options.net, options.training.optimiser, 1, quiet);
  const auto rows = rows_with_labels(data);
  const std::size_t batch = options.net.batch_of(rows.size());
  if (rows.size() < batch) {
    std::fputs("too few rows for a batch\n", stderr);
    return 2;
  }
  for (Parameters* part : trainer.parameters()) part->begin_epoch(1e-6, kRounds * kSteps + 1);
  std::vector<double> seconds, bounds;
  double words = 0;
  for (int round = 0; round < kRounds; ++round) {
    const double start = cpu_seconds();
    for (std::size_t step = 0; step < kSteps; ++step) {
      const std::size_t begin = (static_cast<std::size_t>(round) * kSteps + step) * batch % (rows.size() - batch + 1);
      trainer.step(std::span(rows).subspan(begin, batch), options.net.loss.loss, step);
      words += static_cast<double>(trainer.words_of_step());
    }
    seconds.push_back((cpu_seconds() - start) / kSteps);
    bounds.push_back(1 / product_rate());
  }
  words /= kRounds * kSteps;
  const auto labels = static_cast<double>(trainer.labels_of_step());
  const double bound = median(bounds) * multiply_adds(options.net, static_cast<double>(batch), words, labels);
  fmt::print("{} rows a step, {:.0f} different words, {:.0f} labels\n", batch, words, labels);
  fmt::print("step {:.1f} ms, its matrix products {:.1f} ms: {:.2f} of the step\n", 1e3 * median(seconds), 1e3 * bound,
             bound / median(seconds));
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 2) {
    std::fputs("usage: rank_ae_step DATA [NAME=VALUE...]\n", stderr);
    return 2;
  }
  Settings settings;
  for (int i = 2; i < argc; ++i) {
    const std::string pair = argv[i];
    const std::size_t equals = pair.find('=');
    if (equals == std::string::npos) {
      fmt::print(stderr, "{}: expected NAME=VALUE\n", pair);
      return 2;
    }
    settings[pair.substr(0, equals)] = pair.substr(equals + 1);
  }
  int status = 1;
  try {
    with_threads(1, [&] { status = run(argv[1], settings); });
  } catch (const std::exception& error) {
    fmt::print(stderr, "{}\n", error.what());
  }
  return status;
}
