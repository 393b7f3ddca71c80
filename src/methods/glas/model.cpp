// SPDX-License-Identifier: Apache-2.0
#include "methods/glas/model.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "algorithms/dot_products.h"
#include "algorithms/explain.h"
#include "data/utf8.h"
#include "methods/glas/label_text.h"
#include "model_file/saved_options.h"

namespace xylem::glas {
namespace {

using Eigen::Index;

constexpr std::size_t kRowsAtOnce = 64;
constexpr std::uint64_t kIndexStream = 0x696e6465;
constexpr std::size_t kLabelsPerCentre = 128;  // that k-means learns from, or a million take it minutes

// Added labels as a table of one cell. What all rows share says nothing of a label.
LabelTable table_of(const AddedLabels& added, std::size_t dim, float scale, const UsualRows& usual) {
  Matrix vectors(static_cast<Index>(added.labels.size()), static_cast<Index>(dim) + 1);
  const Eigen::RowVectorXf mean_row = usual.mean(dim);
  for (Index i = 0; i < vectors.rows(); ++i) {
    const auto number = static_cast<std::size_t>(i);
    const std::uint32_t count = added.counts[number];
    const Eigen::Map<const Eigen::RowVectorXf> sum(added.sums.data() + number * dim, static_cast<Index>(dim));
    Eigen::RowVectorXf vector = sum - static_cast<float>(count) * mean_row;
    if (const float length = vector.norm(); length > 0) vector /= length;
    const float mean_product = count > 0 ? sum.dot(vector) / static_cast<float>(count) : 0;
    vectors.row(i).head(sum.size()) = vector;
    vectors(i, sum.size()) = usual.bias(vector, count, mean_product, scale);
  }
  NeighbourIndex::Options options;
  options.nearness = Nearness::kInnerProduct;
  return {added.labels, NeighbourIndex(vectors, options, Random(0, {kIndexStream}), {})};
}

std::optional<std::uint32_t> number_in(const Array<std::uint32_t>& labels, Label label) {
  const auto found = std::lower_bound(labels.begin(), labels.end(), label);
  if (found == labels.end() || *found != label) return std::nullopt;
  return static_cast<std::uint32_t>(found - labels.begin());
}

// Rising, and below the number of labels.
Array<std::uint32_t> load_labels(const ModelReader& in, const std::string& name, std::size_t n_labels) {
  const auto labels = in.array<std::uint32_t>(name);
  for (std::size_t i = 0; i < labels.size(); ++i) {
    if (labels[i] >= n_labels || (i > 0 && labels[i] <= labels[i - 1])) {
      in.damaged(fmt::format("damaged: {} are not rising numbers below {}", name, n_labels));
    }
  }
  return labels;
}

}  // namespace

Eigen::RowVectorXf UsualRows::mean(std::size_t dim) const {
  const MatrixView rows(embedded.data(), static_cast<Index>(embedded.size() / dim), static_cast<Index>(dim));
  return rows.rows() > 0 ? Eigen::RowVectorXf(rows.colwise().mean()) : Eigen::RowVectorXf::Zero(rows.cols());
}

// By halving: how often it is there, the mean of the sigmoids, rises with the bias.
float UsualRows::bias(const Eigen::RowVectorXf& vector, std::uint32_t n_rows, float mean_product, float scale) const {
  const MatrixView rows(embedded.data(), embedded.size() / vector.size(), vector.size());
  const Eigen::ArrayXf scores = scale * (rows * vector.transpose()).array();
  const float wanted = std::min(0.5f, (n_rows > 0 ? static_cast<float>(n_rows) : of_label) / n_training);
  float low = -100, high = 100;
  for (int step = 0; step < 30; ++step) {
    const float middle = 0.5f * (low + high);
    const float frequency = rows.rows() > 0 ? (1 / (1 + (-scores - middle).exp())).mean() : 1 / (1 + std::exp(-middle));
    (frequency < wanted ? low : high) = middle;
  }
  const float by_frequency = low / scale;
  return n_rows > 0 ? std::min(by_frequency, own_score / scale - mean_product) : by_frequency;
}

struct GlasModel::Buffers {
  PhiScratch phi;
  Matrix embedded, queries;
  NeighbourScratch trained, added;
  TopK best;
  std::vector<Scored> scored;
};

GlasModel::GlasModel(ModelParts parts, const ModelShape& shape, const GlasOptions& options)
    : parts_(std::move(parts)), shape_(shape), options_(options) {
  if (parts_.added.labels.size() > 0) {
    added_ = table_of(parts_.added, dim(), parts_.scale, parts_.usual);
  }
}

void GlasModel::queries(SparseRows rows, Buffers& buffers) const {
  parts_.phi.embed(rows, buffers.phi, buffers.embedded);
  make_queries(buffers.embedded, parts_.scale, buffers.queries);
}

float GlasModel::shown(float score) const {
  return is_log_odds(options_.loss.loss) ? 1 / (1 + std::exp(-score)) : score;
}

void GlasModel::predict(const RowBlock& block, std::size_t k, Scratch& scratch, TopLabels& out) const {
  auto& buffers = scratch.as<Buffers>();
  k = std::min(k, shape_.labels);
  for (std::size_t begin = 0; begin < block.size(); begin += kRowsAtOnce) {
    const std::size_t n = std::min(kRowsAtOnce, block.size() - begin);
    queries(block.rows.slice(begin, n), buffers);
    parts_.trained.index.search(buffers.queries, k, static_cast<std::size_t>(options_.probes), buffers.trained);
    if (added_) added_->index.search(buffers.queries, k, 1, buffers.added);
    for (std::size_t i = 0; i < n; ++i) {
      buffers.best.reset(k);
      for (const Scored& found : buffers.trained.best[i].sorted()) {
        buffers.best.offer(found.score, parts_.trained.labels[found.id]);
      }
      if (added_) {
        for (const Scored& found : buffers.added.best[i].sorted()) {
          buffers.best.offer(found.score, added_->labels[found.id]);
        }
      }
      const auto best = buffers.best.sorted();
      buffers.scored.assign(best.begin(), best.end());
      // Probabilities near 1 may be equal where the scores are not.
      for (Scored& label : buffers.scored) label.score = shown(label.score);
      std::ranges::sort(buffers.scored, better);
      for (const Scored& label : buffers.scored) out.push_back(label.id, label.score);
      out.offsets.push_back(out.labels.size());
    }
  }
}

bool GlasModel::is_finite() const {
  return !added_ || added_->index.vectors().allFinite();
}

std::vector<float> GlasModel::vector_of(Label label) const {
  std::vector<float> vector;
  if (const auto number = number_in(parts_.trained.labels, label)) {
    vector = parts_.trained.index.vector(*number);
  } else if (const auto added = number_in(parts_.added.labels, label)) {
    vector = added_->index.vector(*added);
  }
  if (!vector.empty()) vector.resize(dim() + 1);
  return vector;
}

// The slope of the score at the row, times the row.
Explanation GlasModel::explain(const RowBlock& block, Label label, Scratch& scratch) const {
  Explanation result = place_label(*this, block, label, scratch);
  std::vector<float> vector = vector_of(label);
  if (vector.empty()) {
    result.basis = kNoTrainingRow;
    return result;
  }
  auto& buffers = scratch.as<Buffers>();
  const SparseRow row = block.rows[0];
  queries(block.rows, buffers);
  vector.resize(static_cast<std::size_t>(buffers.queries.cols()));
  float score = 0;
  dot_products(buffers.queries.data(), 1, vector.data(), 1, vector.size(), &score, 1);
  if (!result.rank && std::isfinite(score)) result.score = static_cast<double>(shown(score));
  result.basis = is_log_odds(options_.loss.loss)
                     ? "log-odds of the label that the feature adds; without it there were about so much less"
                     : "what the feature adds to the score; without it there were about so much less";
  // Slopes do not add up to the score, because φ has length 1 whatever the row's: the rest is said to be there anyway.
  result.bias = static_cast<double>(score);
  for (float& value : vector) value *= parts_.scale;
  const std::vector<double> values = parts_.phi.contributions(row, vector.data(), buffers.phi);
  for (std::size_t i = 0; i < row.size(); ++i) {
    if (!std::isfinite(values[i])) continue;
    result.evidence.push_back({row.ids[i], values[i]});
    result.bias -= values[i];
  }
  if (!std::isfinite(result.bias)) result.bias = 0;
  order_evidence(result.evidence);
  return result;
}

LabelVectors GlasModel::label_vectors() const {
  // No std::call_once: without any memory, glibc aborts if an exception leaves it.
  const std::lock_guard lock(vectors_mutex_);
  if (vectors_.empty()) {
    std::vector<float> all(shape_.labels * dim());
    const auto copy = [&](const LabelTable& table) {
      const Matrix vectors = table.index.vectors();
      for (std::size_t i = 0; i < table.labels.size(); ++i) {
        std::copy_n(vectors.row(static_cast<Index>(i)).data(), dim(),
                    all.begin() + static_cast<std::ptrdiff_t>(table.labels[i] * dim()));
      }
    };
    copy(parts_.trained);
    if (added_) copy(*added_);
    vectors_ = std::move(all);
  }
  return {vectors_, dim()};
}

void GlasModel::save(ModelWriter& out) const {
  const std::string prefix = kPrefix;
  save_options(out, prefix, options_);
  parts_.phi.save(out, prefix + "phi");
  const UsualRows& usual = parts_.usual;
  out.array(prefix + "scale",
            Array<float>(std::vector<float>{parts_.scale, usual.own_score, usual.n_training, usual.of_label}));
  out.array(prefix + "usual_rows", usual.embedded, {usual.embedded.size() / dim(), dim()});
  out.array(prefix + "labels", parts_.trained.labels);
  parts_.trained.index.save(out, prefix + "index");
  if (parts_.added.labels.size() > 0) {
    out.array(prefix + "added.labels", parts_.added.labels);
    out.array(prefix + "added.sums", parts_.added.sums, {parts_.added.labels.size(), dim()});
    out.array(prefix + "added.counts", parts_.added.counts);
  }
  if (!options_.label_text) return;
  out.strings(prefix + "words", parts_.words);
  out.array(prefix + "word_vectors", parts_.word_vectors, {parts_.words.size(), dim()});
}

std::unique_ptr<Model> load_model(ModelReader& in, const ModelShape& shape) {
  const std::string prefix = kPrefix;
  const auto options = load_options<GlasOptions>(in, prefix);
  const auto dim = static_cast<std::size_t>(options.phi.dim);
  if (options.cells == 0 || options.probes == 0) in.damaged("damaged: a model has cells and probes, of either some");
  const Array<float> scale = in.finite(prefix + "scale", 4);
  if (!(scale[0] > 0) || !(scale[2] > 0)) {
    in.damaged(fmt::format("damaged: {}scale has {} and {}, expected numbers above 0", prefix, scale[0], scale[2]));
  }
  Array<std::uint32_t> labels = load_labels(in, prefix + "labels", shape.labels);
  const std::size_t n_usual = in.array<float>(prefix + "usual_rows").size() / dim;
  ModelParts parts{Phi(in, prefix + "phi", shape.features, options.phi),
                   scale[0],
                   {scale[1], scale[2], scale[3], in.finite(prefix + "usual_rows", n_usual * dim)},
                   {labels, NeighbourIndex(in, prefix + "index", labels.size(), dim + 1)},
                   {},
                   {},
                   {}};
  if (in.has_array(prefix + "added.labels")) {
    parts.added.labels = load_labels(in, prefix + "added.labels", shape.labels);
    parts.added.sums = in.finite(prefix + "added.sums", parts.added.labels.size() * dim);
    parts.added.counts = in.array<std::uint32_t>(prefix + "added.counts", parts.added.labels.size());
    for (const Label label : parts.added.labels) {
      if (number_in(labels, label)) in.damaged(fmt::format("damaged: label {} is there twice", label));
    }
  }
  if (options.label_text) {
    parts.words = in.strings(prefix + "words");
    for (std::size_t i = 0; i < parts.words.size(); ++i) {
      if (find_bad_utf8(parts.words[i]).size > 0) in.damaged("damaged: a word of labels' names is no UTF-8");
    }
    parts.word_vectors = in.finite(prefix + "word_vectors", parts.words.size() * dim);
  }
  return std::make_unique<GlasModel>(std::move(parts), shape, options);
}

void make_queries(const Matrix& embedded, float scale, Matrix& out) {
  out.resize(embedded.rows(), embedded.cols() + 1);
  out.leftCols(embedded.cols()) = scale * embedded;
  out.rightCols(1).setConstant(scale);
}

std::size_t cell_count(const GlasOptions& options, std::size_t n_labels) {
  // Of tibkat-gnd's labels, 512 dimensions: 10,000 are searched in 0.14 ms with cells and without, 20,000 in 0.18 and
  // 0.28. Half as many in a cell save nothing; more cells take minutes to make for a million labels.
  constexpr std::size_t kFew = 20'000, kInCell = 64, kMost = 512;
  if (options.cells > 0) return static_cast<std::size_t>(options.cells);
  return n_labels < kFew ? 1 : std::min(n_labels / kInCell, kMost);
}

LabelTable make_table(const std::vector<Label>& labels, const Matrix& vectors, const std::vector<float>& bias,
                      float scale, const GlasOptions& options, std::uint64_t seed, const Run& run) {
  Matrix with_bias(vectors.rows(), vectors.cols() + 1);
  with_bias.leftCols(vectors.cols()) = vectors;
  for (Index i = 0; i < vectors.rows(); ++i) with_bias(i, vectors.cols()) = bias[static_cast<std::size_t>(i)] / scale;
  const NeighbourIndex::Options cells{cell_count(options, labels.size()), Nearness::kInnerProduct, options.precision,
                                      kLabelsPerCentre};
  return {labels, NeighbourIndex(with_bias, cells, Random(seed, {kIndexStream}), run)};
}

std::uint64_t model_bytes(const DataShape& shape, const GlasOptions& options) {
  const auto dim = static_cast<std::uint64_t>(options.phi.dim);
  const std::uint64_t labels =
      options.label_text ? shape.labels : std::min<std::uint64_t>(shape.labels, shape.label_pairs);
  const std::uint64_t words = options.label_text ? LabelWords::most_words(shape.labels) : 0;
  return Phi::bytes(shape.features, options.phi, options.table_precision) +
         NeighbourIndex::bytes(labels, dim + 1,
                               {cell_count(options, labels), Nearness::kInnerProduct, options.precision}) +
         sizeof(float) * dim * std::min<std::uint64_t>(shape.rows, UsualRows::kMost) + sizeof(std::uint32_t) * labels +
         words * (sizeof(float) * dim + 20) + 4096;
}

}  // namespace xylem::glas
