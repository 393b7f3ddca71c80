// SPDX-License-Identifier: Apache-2.0
#include "methods/mnn/averaging_nets.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "algorithms/epochs.h"
#include "algorithms/fixed_layer.h"
#include "core/bytes.h"
#include "core/sparse_tools.h"
#include "methods/mnn/match_loss.h"

namespace xylem::mnn {
namespace {

using Eigen::Index;

constexpr std::uint64_t kFeatureStream = 0x66656174;
constexpr std::uint64_t kLabelStream = 0x6c61626c;

}  // namespace

AveragingNet::AveragingNet(PackedVectors table, Array<float> label_vectors)
    : table_(std::move(table)), label_vectors_(std::move(label_vectors)) {}

AveragingNet::AveragingNet(const ModelReader& in, const std::string& prefix, std::size_t n_features, std::size_t dim)
    : table_(in, prefix + ".table", n_features, dim) {}

void AveragingNet::embed(SparseRows rows, Matrix&, Matrix& out) const {
  sparse_forward(rows, table_, MatrixView(nullptr, 0, 0), out);
  for (Index row = 0; row < out.rows(); ++row) {
    const float length = out.row(row).norm();
    if (length > 0) out.row(row) /= length;
  }
}

std::unique_ptr<neighbours::Encoder> AveragingNet::packed(Precision precision) const {
  return std::make_unique<AveragingNet>(table_.as(precision), label_vectors_);
}

void AveragingNet::save(ModelWriter& out, const std::string& prefix) const {
  table_.save(out, prefix + ".table");
}

void AveragingNet::save(std::string& bytes) const {
  table_.save(bytes);
  append_bytes(bytes, label_vectors_.span());
}

bool AveragingNet::is_finite() const {
  return table_.is_finite() && xylem::is_finite(label_vectors_.span());
}

NetsTrainer::NetsTrainer(const Dataset& data, const NetsOptions& options, const OptimiserOptions& optimiser,
                         std::uint64_t seed, const Run& run)
    : data_(data), options_(options), seed_(seed), label_sets_(label_sets(data.labels, data.n_labels)) {
  const auto dim = static_cast<std::size_t>(options.dim);
  const double deviation = 1 / std::sqrt(static_cast<double>(dim));
  features_ =
      SparseLayer(data.features.n_columns, dim, deviation, optimiser, Random(seed, {kFeatureStream}), false, run);
  labels_ = SparseLayer(data.n_labels, dim, deviation, optimiser, Random(seed, {kLabelStream}), false, run);
}

void NetsTrainer::start_from(const neighbours::Encoder& net, std::span<const float> label_vectors) {
  std::string bytes;
  net.save(bytes);
  std::string_view rest = bytes;
  Matrix& table = features_.table.values();
  take_bytes(rest, std::span(table.data(), static_cast<std::size_t>(table.size())));
  const MatrixView known(label_vectors.data(), static_cast<Index>(labels_.table.rows()),
                         static_cast<Index>(labels_.table.width()));
  for (Index label = 0; label < known.rows(); ++label) {
    if (!known.row(label).isZero(0)) labels_.table.values().row(label) = known.row(label);
  }
}

double NetsTrainer::epoch(std::span<const std::uint32_t> order, std::size_t number, double rate,
                          const std::function<void(std::size_t)>& on_rows) {
  const auto batch = static_cast<std::size_t>(options_.batch);
  const std::size_t steps = count_batches(order.size(), batch);
  features_.begin_epoch(rate, steps);
  labels_.begin_epoch(rate, steps);
  const double loss = for_batches(order, batch, seed_, number, on_rows,
                                  [&](auto rows, std::uint64_t seed) { return step(rows, seed); });
  features_.finish_epoch();
  labels_.finish_epoch();
  return loss;
}

double NetsTrainer::step(std::span<const std::uint32_t> rows, std::uint64_t seed) {
  rows_.assign(data_.features, rows, options_.keep, seed);
  sets_.assign(label_sets_, rows, 1, seed);
  std::vector<std::span<const Label>> labels;
  for (const std::uint32_t row : rows) labels.push_back(data_.labels[row]);
  features_.begin_step(rows_);
  labels_.begin_step(sets_);
  features_.forward(rows_.rows().rows(), row_vectors_);
  labels_.forward(sets_.rows().rows(), set_vectors_);
  normalise_rows(row_vectors_, row_lengths_);
  normalise_rows(set_vectors_, set_lengths_);
  const auto negatives =
      hardest_negatives(row_vectors_, set_vectors_, labels, static_cast<std::size_t>(options_.negatives), seed);
  const double loss = match_loss(row_vectors_, set_vectors_, negatives, options_.margin, row_deltas_, set_deltas_);
  normalise_rows_backward(row_vectors_, row_lengths_, row_deltas_);
  normalise_rows_backward(set_vectors_, set_lengths_, set_deltas_);
  features_.backward(rows_, row_deltas_);
  labels_.backward(sets_, set_deltas_);
  return loss;
}

std::unique_ptr<neighbours::Encoder> NetsTrainer::encoder() const {
  std::vector<float> known(labels_.table.rows() * labels_.table.width(), 0.0f);
  for (const Label label : data_.labels.ids) {
    std::copy_n(labels_.table.trained().row(label).data(), labels_.table.width(),
                known.data() + label * labels_.table.width());
  }
  return std::make_unique<AveragingNet>(PackedVectors(features_.table.trained(), Precision::kFloat), std::move(known));
}

void NetsTrainer::save(std::string& bytes) const {
  for (const Parameters* part : {&features_.table, &labels_.table}) part->save(bytes);
}

void NetsTrainer::load(std::string_view& bytes) {
  for (Parameters* part : {&features_.table, &labels_.table}) part->load(bytes);
}

std::unique_ptr<neighbours::Encoder> NetsTrainer::load_encoder(std::string_view& bytes) const {
  const auto dim = static_cast<std::size_t>(options_.dim);
  PackedVectors table(bytes, features_.table.rows(), dim);
  return std::make_unique<AveragingNet>(std::move(table), take_values<float>(bytes, labels_.table.rows() * dim));
}

std::uint64_t NetsTrainer::bytes(std::size_t n_features, std::size_t n_labels, std::size_t label_pairs, std::size_t dim,
                                 const OptimiserOptions& options) {
  return Parameters::bytes(n_features, dim, options) + Parameters::bytes(n_labels, dim, options) +
         label_pairs * (sizeof(Label) + sizeof(float));
}

}  // namespace xylem::mnn
