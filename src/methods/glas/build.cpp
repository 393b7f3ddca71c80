// SPDX-License-Identifier: Apache-2.0
#include "methods/glas/build.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <utility>

#include "core/parallel.h"

namespace xylem::glas {
namespace {

using Eigen::Index;

struct LabelVector {
  Label label;
  Eigen::RowVectorXf vector;
};

// Labels of which there was no row, by their names.
std::vector<LabelVector> unseen_labels(const ModelSource& source, const Matrix& words) {
  std::vector<LabelVector> result;
  NameReader reader(source.words->words());
  const MatrixView view(words.data(), words.rows(), words.cols());
  for (Label label = 0; label < source.data.n_labels; ++label) {
    if (std::ranges::binary_search(source.known.labels, label)) continue;
    const Eigen::RowVectorXf vector = name_vector(reader, source.data.label_names[label], view);
    if (vector.squaredNorm() > 0) result.push_back({label, vector});
  }
  return result;
}

struct TableRows {
  std::vector<Label> labels;
  Matrix vectors;
  std::vector<float> bias;
};

// Known and unseen labels together, in their order.
TableRows merge(const KnownLabels& known, const TrainedWeights& trained, const std::vector<LabelVector>& unseen,
                const UsualRows& usual) {
  TableRows rows;
  rows.vectors.resize(trained.labels.rows() + static_cast<Index>(unseen.size()), trained.labels.cols());
  const auto add = [&](Label label, const auto& vector, float bias) {
    rows.vectors.row(static_cast<Index>(rows.labels.size())) = vector;
    rows.labels.push_back(label);
    rows.bias.push_back(bias);
  };
  auto next = unseen.begin();
  const auto add_unseen = [&] {
    add(next->label, next->vector, trained.scale * usual.bias(next->vector, 0, 0, trained.scale));
    ++next;
  };
  for (std::size_t i = 0; i < known.labels.size(); ++i) {
    while (next != unseen.end() && next->label < known.labels[i]) add_unseen();
    add(known.labels[i], trained.labels.row(static_cast<Index>(i)), trained.bias[i]);
  }
  while (next != unseen.end()) add_unseen();
  return rows;
}

// softmax compares a label with all that the row does not have: the mean of what they come to, over some training rows.
float typical_others(const Phi& phi, const ModelSource& source, const TrainedWeights& trained) {
  constexpr std::size_t kRows = 256, kRowsAtOnce = 16;
  const Eigen::Map<const Eigen::RowVectorXf> biases(trained.bias.data(), static_cast<Index>(trained.bias.size()));
  std::vector<std::uint32_t> rows;
  for (std::uint32_t row = 0; row < source.data.size() && rows.size() < kRows; ++row) {
    if (source.known.of_rows[row].size() < trained.bias.size()) rows.push_back(row);  // else there are no others
  }
  if (rows.empty()) return 0;
  std::vector<double> others(rows.size());
  parallel_for(rows.size(), kRowsAtOnce, [&](std::size_t begin, std::size_t end) {
    PhiScratch scratch;
    Matrix embedded;
    for (std::size_t i = begin; i < end; ++i) {
      phi.embed(source.data.features.rows().slice(rows[i], 1), scratch, embedded);
      Eigen::RowVectorXf scores = trained.scale * (embedded * trained.labels.transpose()) + biases;
      for (const Label label : source.known.of_rows[rows[i]]) scores[label] = std::numeric_limits<float>::lowest();
      const float highest = scores.maxCoeff();
      others[i] = static_cast<double>(highest + std::log((scores.array() - highest).exp().sum()));
    }
  });
  return static_cast<float>(std::accumulate(others.begin(), others.end(), 0.0) / static_cast<double>(others.size()));
}

UsualRows usual_rows(const Phi& phi, const ModelSource& source, const TrainedWeights& trained) {
  const std::size_t n = std::min(UsualRows::kMost, source.data.size());
  Matrix rows(static_cast<Index>(n), trained.labels.cols()), embedded;
  PhiScratch scratch;
  double sum = 0, count = 0;
  for (std::size_t i = 0; i < n; ++i) {
    const std::size_t row = i * source.data.size() / n;
    phi.embed(source.data.features.rows().slice(row, 1), scratch, embedded);
    rows.row(static_cast<Index>(i)) = embedded;
    for (const Label label : source.known.of_rows[row]) {
      sum += static_cast<double>(trained.scale * embedded.row(0).dot(trained.labels.row(label)) + trained.bias[label]);
      count += 1;
    }
  }
  UsualRows usual;
  if (count > 0) usual.own_score = static_cast<float>(sum / count);
  usual.n_training = static_cast<float>(std::max<std::size_t>(1, source.data.size()));
  std::vector<std::uint32_t> counts = source.known.counts;
  const auto median = counts.begin() + static_cast<std::ptrdiff_t>(counts.size() / 2);
  std::ranges::nth_element(counts, median);
  if (!counts.empty()) usual.of_label = static_cast<float>(*median);
  usual.embedded = std::vector<float>(rows.data(), rows.data() + rows.size());
  return usual;
}

}  // namespace

std::unique_ptr<GlasModel> build_model(const ModelSource& source, TrainedWeights trained, const Run& run) {
  trained.bias.resize(source.known.labels.size(), 0.0f);
  Phi phi(trained.phi, source.options.phi.embedding, source.options.table_precision);
  trained.phi = {};
  if (source.options.loss.loss == Loss::kSoftmax) {
    const float others = typical_others(phi, source, trained);
    for (float& bias : trained.bias) bias -= others;
  }
  take_frequencies_back(source.options.tail, source.known.counts, trained.bias);
  UsualRows usual = usual_rows(phi, source, trained);
  const std::vector<LabelVector> unseen =
      source.words == nullptr ? std::vector<LabelVector>{} : unseen_labels(source, trained.words);
  const TableRows rows = merge(source.known, trained, unseen, usual);
  trained.labels.resize(0, 0);
  LabelTable table = make_table(rows.labels, rows.vectors, rows.bias, trained.scale, source.options, source.seed, run);
  ModelParts parts{std::move(phi), trained.scale, std::move(usual), std::move(table), {}, {}, {}};
  if (source.words != nullptr) {
    parts.words = source.words->words();
    parts.word_vectors = std::vector<float>(trained.words.data(), trained.words.data() + trained.words.size());
  }
  GlasOptions options = source.options;
  const NeighbourIndex& index = parts.trained.index;
  if (options.cells == 0) options.cells = static_cast<int>(index.n_cells());
  if (options.probes == 0) {
    options.probes = static_cast<int>(choose_probes(parts.phi, parts.scale, index, source.data.features.rows(), run));
  }
  const ModelShape shape{source.data.features.n_columns, source.data.n_labels};
  return std::make_unique<GlasModel>(std::move(parts), shape, options);
}

std::size_t choose_probes(const Phi& phi, float scale, const NeighbourIndex& index, const SparseRows& rows,
                          const Run& run) {
  constexpr std::size_t kRowsAtOnce = 50;
  if (index.n_cells() == 1) return 1;
  const std::size_t n = std::min(kRowsForProbes, rows.size());
  Matrix queries(static_cast<Index>(n), static_cast<Index>(phi.dim()) + 1);
  parallel_for(n, kRowsAtOnce, [&](std::size_t begin, std::size_t end) {
    PhiScratch scratch;
    Matrix embedded, query;
    for (std::size_t i = begin; i < end; ++i) {
      phi.embed(rows.slice(i * rows.size() / n, 1), scratch, embedded);
      make_queries(embedded, scale, query);
      queries.row(static_cast<Index>(i)) = query;
    }
  });
  return index.fewest_probes(queries, kBestForProbes, kShareForProbes, run);
}

Eigen::RowVectorXf name_vector(NameReader& reader, std::string_view name, const MatrixView& words) {
  Eigen::RowVectorXf sum = Eigen::RowVectorXf::Zero(words.cols());
  const SparseRow row = reader.row(name);
  for (std::size_t i = 0; i < row.size(); ++i) sum += row.values[i] * words.row(row.ids[i]);
  const float length = sum.norm();
  return length > 0 ? Eigen::RowVectorXf(sum / length) : sum;
}

}  // namespace xylem::glas
