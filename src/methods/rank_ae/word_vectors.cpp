// SPDX-License-Identifier: Apache-2.0
#include "methods/rank_ae/word_vectors.h"

#include <cmath>
#include <optional>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "core/fail.h"
#include "core/numbers.h"
#include "core/text.h"
#include "data/line_blocks.h"

namespace xylem::rank_ae {
namespace {

using Eigen::Index;

constexpr std::size_t kBlockBytes = std::size_t{1} << 22;  // of the file at once

// What is behind the last blank of the line, which is cut off with it; empty where nothing would be left.
std::string_view take_last_word(std::string_view& line) {
  const std::size_t blank = line.find_last_of(" \t");
  if (blank == std::string_view::npos || blank == 0) return {};
  const std::string_view word = line.substr(blank + 1);
  line = line.substr(0, blank);
  return word;
}

// Behind the first word of the line.
std::size_t count_numbers(std::string_view line) {
  std::size_t n = 0;
  while (parse_number<float>(take_last_word(line))) ++n;
  return n;
}

// "400000 100": how much there is.
bool is_header(std::string_view line) {
  const std::size_t blank = line.find(' ');
  return blank != std::string_view::npos && parse_number<std::uint64_t>(line.substr(0, blank)) &&
         parse_number<std::uint64_t>(line.substr(blank + 1));
}

class Reader {
 public:
  Reader(const Dataset& data, Matrix& vectors)
      : vectors_(vectors),
        numbers_(static_cast<std::size_t>(vectors.cols())),
        is_found_(static_cast<std::size_t>(vectors.rows())) {
    for (Feature feature = 0; feature < data.features.n_columns; ++feature) {
      std::string name = data.feature_name(feature);
      if (name.find(' ') != std::string::npos) continue;
      ++result.in_data;
      features_.emplace(std::move(name), feature);
    }
  }

  // Words may hold blanks: numbers are taken from the end. Returns what is no number, or all where there are too few.
  std::optional<std::string_view> read(std::string_view line) {
    const std::string_view whole = line;
    for (std::size_t i = numbers_.size(); i-- > 0;) {
      const std::string_view word = take_last_word(line);
      const auto number = parse_number<float>(word);
      if (!number) return word.empty() ? whole : word;
      numbers_[i] = *number;
    }
    if (result.in_file++ == 0) numbers_a_line_ = count_numbers(whole);
    const auto place = features_.find(std::string(line));
    if (place == features_.end() || is_found_[place->second]) return std::nullopt;
    is_found_[place->second] = true;
    ++result.found;
    auto row = vectors_.row(place->second);
    squares_before_ += row.cast<double>().squaredNorm();
    for (Index i = 0; i < row.size(); ++i) row[i] = numbers_[static_cast<std::size_t>(i)];
    squares_ += row.cast<double>().squaredNorm();
    return std::nullopt;
  }

  // Of the first one.
  std::size_t numbers_a_line() const { return numbers_a_line_; }

  void scale() {
    const auto factor = static_cast<float>(squares_ > 0 ? std::sqrt(squares_before_ / squares_) : 1);
    for (std::size_t feature = 0; feature < is_found_.size(); ++feature) {
      if (is_found_[feature]) vectors_.row(static_cast<Index>(feature)) *= factor;
    }
  }

  WordVectorsFound result;

 private:
  Matrix& vectors_;
  std::vector<float> numbers_;
  std::vector<bool> is_found_;
  std::unordered_map<std::string, Feature> features_;
  std::size_t numbers_a_line_ = 0;
  double squares_before_ = 0, squares_ = 0;
};

}  // namespace

WordVectorsFound read_word_vectors(const std::string& path, const Dataset& data, Matrix& vectors, const Run& run) {
  if (!data.feature_name) {
    fail(ErrorKind::kUsage, "word_vectors={} needs texts: the features of sparse rows have no names", path);
  }
  LineBlocks blocks(path, kBlockBytes);
  Reader reader(data, vectors);
  std::string block;
  std::size_t number = 0;
  while (blocks.next(block)) {
    run.check();
    for (std::string_view rest = block; !rest.empty();) {
      const std::size_t end = rest.find('\n');
      std::string_view line = rest.substr(0, end);
      rest.remove_prefix(end + 1);
      ++number;
      while (line.ends_with('\r') || line.ends_with(' ') || line.ends_with('\t')) line.remove_suffix(1);
      if (line.empty() || (number == 1 && is_header(line))) continue;
      if (const auto wrong = reader.read(line)) {
        fail(ErrorKind::kData, "{}:{}: found {}, expected a word and {} numbers (dim)", blocks.name(), number,
             quote(*wrong), vectors.cols());
      }
    }
  }
  if (reader.result.found == 0 && reader.numbers_a_line() > static_cast<std::size_t>(vectors.cols())) {
    fail(ErrorKind::kData, "{}: found {} numbers a line, expected {} (dim)", blocks.name(), reader.numbers_a_line(),
         vectors.cols());
  }
  if (reader.result.found == 0) {
    fail(ErrorKind::kData, "{}: found {} words, none of them among the {} of the texts", blocks.name(),
         reader.result.in_file, reader.result.in_data);
  }
  reader.scale();
  return reader.result;
}

}  // namespace xylem::rank_ae
