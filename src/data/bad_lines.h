// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "xylem/dataset.h"

namespace xylem {

struct BadLine {
  std::size_t line = 0;  // counted from 0
  std::string problem;   // "found ..., expected ..."; empty after the first kMaxProblems of a list
};
constexpr std::size_t kMaxProblems = 10;

// The lines of one file that could not be understood, in order, and how many of them may be skipped.
class BadLines {
 public:
  BadLines(std::string file, std::size_t most) : file_(std::move(file)), most_(most) {}

  // What messages call line 0: 2 for rows below a header.
  void set_first_line(std::size_t number) { first_line_ = number; }
  void add(std::size_t line, std::string_view problem);
  // Some that come to light late and belong between the others.
  void merge(std::vector<BadLine> late);

  bool empty() const { return lines_.empty(); }
  const std::vector<BadLine>& lines() const { return lines_; }
  // Throws kData, naming the first, where there are more than may be skipped.
  void check() const;
  // Throws kData where bad lines are all there is.
  void check_rows(std::size_t n_rows) const;
  [[noreturn]] void fail_at(std::size_t line, std::string_view problem) const;
  // `file:line: problem` of the first kMaxProblems.
  std::vector<std::string> messages() const;
  void put_into(ReadReport& report) const;

 private:
  std::string message(std::size_t line, std::string_view problem) const;

  std::string file_;
  std::size_t most_;
  std::size_t first_line_ = 1;
  std::vector<BadLine> lines_;
};

}  // namespace xylem
