// SPDX-License-Identifier: Apache-2.0
// A made-up library. Labels have power-law weights and belong to topics, topics to fields. A row takes a first label
// and most of the others from that one's topic, some from a second topic. Its words come from its labels' own lists,
// from the lists of their topics and fields, and from a background that all rows share. So labels of a topic are hard
// to tell apart, frequent labels are learned well and rare ones hardly. The constants were chosen on the shape of
// EURLex-4K, where parabel has P@1, 3, 5 of 89.1, 76.7, 63.4 and popular 14.1, 10.9, 9.0; on the real data set such
// trees have about 82, 69, 57. More background brings these figures down and those of Amazon-670K's shape, where rows
// are short and labels rare, too far down.
//
// Same bytes on every machine: the only arithmetic is integers and + - * / sqrt of doubles, which IEEE 754 defines to
// the last bit (this folder is compiled without fused multiply-adds), and no function like log or pow, which it does
// not.
#include "generate/world.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace xylem::generate {
namespace {

enum Stream : std::uint64_t { kLabelIds = 1, kFeatureIds, kOrder, kRows, kWords };
enum Level : std::uint64_t { kField, kTopic, kLabel };

constexpr double kSameTopic = 0.8;  // of the labels after the first
constexpr std::size_t kTopicsAField = 16;

// The share of words from the background is this in the clearest rows and 1 in the most obscure. Of the other words,
// so many come from field and topic, and the rest from the labels' own words.
constexpr double kLeastBackground = 0.3;
constexpr double kFromField = 0.2;
constexpr double kFromTopic = 0.3;

constexpr std::size_t kWordsAField = 200;
constexpr std::size_t kWordsATopic = 50;
constexpr std::size_t kWordsALabel = 10;

// Draws for each label or word that a row needs, after which any will do: a topic may be too small for the row.
constexpr std::size_t kMaxDraws = 30;

// Power laws, with an offset that keeps the first few from being everywhere.
constexpr double kWordOffset = 10;
double word_weight(std::size_t rank) {
  return 1 / (static_cast<double>(rank) + kWordOffset);
}
double label_weight(std::size_t rank, std::size_t n_labels) {
  const double x = static_cast<double>(rank) + 1 + static_cast<double>(n_labels) / 2000;
  return 1 / (x * std::sqrt(std::sqrt(x)));
}

AliasTable word_table(std::size_t n_words) {
  std::vector<double> weights;
  for (std::size_t rank = 0; rank < n_words; ++rank) weights.push_back(word_weight(rank));
  return AliasTable(weights);
}

// Of the labels `first`, `first` + `step`, ...
AliasTable label_table(std::size_t first, std::size_t step, std::size_t n_labels) {
  std::vector<double> weights;
  for (std::size_t rank = first; rank < n_labels; rank += step) weights.push_back(label_weight(rank, n_labels));
  return AliasTable(weights);
}

// Of 0 .. n-1, the first most likely: a power law with exponent 1/2.
std::size_t draw_rank(std::size_t n, Random& random) {
  const double u = random.uniform();
  return static_cast<std::size_t>(static_cast<double>(n) * (u * u));
}

// A whole number with the given mean, at random one of its two neighbours.
std::size_t round_at_random(double mean, Random& random) {
  return static_cast<std::size_t>(mean + random.uniform());
}

// Exact at powers of two, straight between them.
double rough_log2(double x) {
  int exponent = 0;
  const double mantissa = std::frexp(x, &exponent);  // in 1/2 .. 1
  return exponent - 1 + (2 * mantissa - 1);
}

std::vector<std::uint32_t> permutation(std::size_t n, std::uint64_t seed, Stream stream) {
  std::vector<std::uint32_t> result(n);
  std::iota(result.begin(), result.end(), 0u);
  Random(seed, {stream}).shuffle(std::span(result));
  return result;
}

}  // namespace

World::World(const Shape& shape, std::uint64_t seed)
    : shape_(shape),
      seed_(seed),
      label_table_(label_table(0, 1, shape.labels)),
      word_table_(word_table(shape.features)),
      order_(permutation(shape.rows, seed, kOrder)),
      label_ids_(permutation(shape.labels, seed, kLabelIds)),
      feature_ids_(permutation(shape.features, seed, kFeatureIds)) {
  const auto n_labels = static_cast<std::size_t>(shape.labels);
  const auto labels_a_topic = static_cast<std::size_t>(16 + 4 * shape.labels_a_row);
  const std::size_t n_topics = std::max<std::size_t>(1, n_labels / labels_a_topic);
  for (std::size_t topic = 0; topic < n_topics; ++topic) {
    topics_.push_back(label_table(topic, n_topics, n_labels));
    for (std::size_t label = topic; label < n_labels; label += n_topics) by_topic_.push_back(static_cast<Label>(label));
  }
  const auto room = static_cast<std::size_t>(shape.rows) * static_cast<std::size_t>(shape.labels_a_row);
  by_topic_.resize(std::min(by_topic_.size(), room));
  rareness_.resize(feature_ids_.size());
  for (std::size_t rank = 0; rank < feature_ids_.size(); ++rank) {
    rareness_[feature_ids_[rank]] = 1 + rough_log2(1 + static_cast<double>(rank) / kWordOffset);
  }
}

// Labels that the row must have so that each occurs in some training row. Rows beyond these, and test rows, have those
// of a random one, or else rare labels would be rarer there.
std::span<const Label> World::labels_due(Part part, std::uint64_t index, Random& random) const {
  const std::uint64_t n = order_.size();
  const std::uint64_t place = part == Part::kTrain && index < n ? order_[index] : random.below(n);
  const std::uint64_t begin = place * by_topic_.size() / n;
  return std::span(by_topic_).subspan(begin, (place + 1) * by_topic_.size() / n - begin);
}

std::vector<Label> World::draw_labels(Part part, std::uint64_t index, Random& random) const {
  const std::span<const Label> due = labels_due(part, index, random);
  std::vector<Label> labels(due.begin(), due.end());
  if (labels.empty()) labels.push_back(label_table_.draw(random));
  const double mean_rest = shape_.labels_a_row - static_cast<double>(labels.size());
  const std::size_t n = labels.size() + round_at_random(2 * random.uniform() * mean_rest, random);

  const std::size_t first_topic = topic_of(labels[0]);
  const std::size_t second_topic = topic_of(label_table_.draw(random));
  for (std::size_t draws = 0; labels.size() < n; ++draws) {
    const std::size_t topic = random.uniform() < kSameTopic ? first_topic : second_topic;
    const std::size_t label =
        draws < kMaxDraws * n ? topic + topics_.size() * topics_[topic].draw(random) : random.below(label_ids_.size());
    if (std::ranges::find(labels, label) == labels.end()) labels.push_back(static_cast<Label>(label));
  }
  std::ranges::sort(labels);
  return labels;
}

Feature World::word_of(std::uint64_t level, std::uint64_t group, std::size_t n_words, Random& random) const {
  Random list(seed_, {kWords, level, group, draw_rank(n_words, random)});
  return feature_ids_[draw_rank(feature_ids_.size(), list)];
}

Feature World::draw_word(std::span<const Label> labels, double background, Random& random) const {
  if (random.uniform() < background) return feature_ids_[word_table_.draw(random)];
  const Label label = labels[random.below(labels.size())];
  const double u = random.uniform();
  if (u < kFromField) return word_of(kField, topic_of(label) / kTopicsAField, kWordsAField, random);
  if (u < kFromField + kFromTopic) return word_of(kTopic, topic_of(label), kWordsATopic, random);
  return word_of(kLabel, label, kWordsALabel, random);
}

// Draws words until so many are different; a word weighs more if it was drawn often.
void World::draw_words(Row& row, RowScratch& scratch, Random& random) const {
  scratch.draws.resize(feature_ids_.size());
  const double length = shape_.nonzeros * (0.5 + 2 * random.uniform() * random.uniform());
  const std::size_t n = std::max<std::size_t>(1, round_at_random(length, random));
  const double u = random.uniform();
  const double background = kLeastBackground + (1 - kLeastBackground) * u;
  for (std::size_t draws = 0; row.features.size() < n; ++draws) {
    const Feature word = draws < kMaxDraws * n ? draw_word(row.labels, background, random)
                                               : static_cast<Feature>(random.below(feature_ids_.size()));
    if (scratch.draws[word]++ == 0) row.features.push_back(word);
  }

  std::ranges::sort(row.features);
  double squares = 0;
  scratch.weights.clear();
  for (const Feature word : row.features) {
    const double weight = (1 + rough_log2(scratch.draws[word])) * rareness_[word];
    scratch.draws[word] = 0;
    scratch.weights.push_back(weight);
    squares += weight * weight;
  }
  const double norm = std::sqrt(squares);
  for (const double weight : scratch.weights) {
    // Four digits keep the file as short as those of the real data sets.
    row.values.push_back(static_cast<float>(std::max(1.0, std::floor(weight / norm * 1e4 + 0.5)) / 1e4));
  }
}

Row World::row(Part part, std::uint64_t index, RowScratch& scratch) const {
  Random random(seed_, {kRows, static_cast<std::uint64_t>(part), index});
  Row result;
  result.labels = draw_labels(part, index, random);
  draw_words(result, scratch, random);
  for (Label& label : result.labels) label = label_ids_[label];
  std::ranges::sort(result.labels);
  return result;
}

}  // namespace xylem::generate
