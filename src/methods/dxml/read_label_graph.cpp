// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <optional>
#include <utility>

#include "core/fail.h"
#include "core/numbers.h"
#include "core/text.h"
#include "data/lines.h"
#include "data/name_index.h"
#include "methods/dxml/label_graph.h"

namespace xylem::dxml {
namespace {

constexpr float kLeastWeight = 1e-6f, kMostWeight = 1e9f;  // sums and quotients of such stay far from the limits

struct Edge {
  Label from, to;
  float weight;
};

struct EdgeLine {
  std::string_view from, to;
  float weight;
};

std::optional<EdgeLine> parse_line(std::string_view line) {
  EdgeLine edge{{}, {}, 1};
  const std::size_t first = line.find('\t');
  if (first == std::string_view::npos) return std::nullopt;
  const std::size_t second = line.find('\t', first + 1);
  edge.from = line.substr(0, first);
  edge.to = line.substr(first + 1, second == std::string_view::npos ? second : second - first - 1);
  if (second != std::string_view::npos) {
    const auto weight = parse_number<float>(line.substr(second + 1));
    if (!weight || !(*weight >= kLeastWeight && *weight <= kMostWeight)) return std::nullopt;
    edge.weight = *weight;
  }
  if (edge.from.empty() || edge.to.empty()) return std::nullopt;
  return edge;
}

SparseMatrix symmetric_matrix(std::vector<Edge> edges, std::size_t n_labels) {
  const std::size_t n = edges.size();
  for (std::size_t i = 0; i < n; ++i) edges.push_back({edges[i].to, edges[i].from, edges[i].weight});
  std::ranges::stable_sort(edges, {}, [](const Edge& edge) { return std::pair(edge.from, edge.to); });
  SparseMatrix graph;
  graph.n_columns = n_labels;
  std::size_t i = 0;
  for (Label label = 0; label < n_labels; ++label) {
    while (i < edges.size() && edges[i].from == label) {
      const Label to = edges[i].to;
      float weight = 0;
      for (; i < edges.size() && edges[i].from == label && edges[i].to == to; ++i) weight += edges[i].weight;
      graph.ids.push_back(to);
      graph.values.push_back(weight);
    }
    graph.offsets.push_back(graph.ids.size());
  }
  return graph;
}

}  // namespace

GraphFile read_label_graph(const std::string& path, const Dataset& data) {
  const FileLines file = read_lines(path);
  const NameIndex names(data.label_names);
  const auto labels_of = [&](std::string_view name) {
    if (data.label_names.size() > 0) {
      const auto found = names.find(name);
      return std::vector<Label>(found.begin(), found.end());
    }
    const Label label = label_of_number(name, data.first_ids.label, data.n_labels);
    return label == kNoLabel ? std::vector<Label>() : std::vector{label};
  };
  GraphFile result;
  std::vector<Edge> edges;
  for (std::size_t i = 0; i < file.lines.size(); ++i) {
    if (file.lines[i].empty()) continue;
    const auto line = parse_line(file.lines[i]);
    if (!line) {
      fail(ErrorKind::kData,
           "{}:{}: found {}, expected label<TAB>label, or with <TAB>weight behind it, a number from {} to {}",
           file.file, i + 1, quote(file.lines[i]), kLeastWeight, kMostWeight);
    }
    ++result.n_lines;
    const std::vector<Label> from = labels_of(line->from), to = labels_of(line->to);
    if (from.empty() || to.empty()) ++result.n_unknown;
    for (const Label a : from) {
      for (const Label b : to) {
        if (a != b) edges.push_back({a, b, line->weight});
      }
    }
  }
  if (result.n_lines == 0) fail(ErrorKind::kData, "{}:1: found no line, expected label<TAB>label", file.file);
  if (result.n_unknown == result.n_lines) {
    fail(ErrorKind::kData, "{}: found {} edges, none of them between labels of the data; expected their {}", file.file,
         result.n_lines, data.label_names.size() > 0 ? "names" : "numbers");
  }
  result.graph = symmetric_matrix(std::move(edges), data.n_labels);
  return result;
}

}  // namespace xylem::dxml
