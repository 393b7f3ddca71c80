// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <string>
#include <string_view>

#include "core/options.h"
#include "methods/dxml/label_graph.h"
#include "methods/dxml/label_vectors.h"
#include "methods/dxml/net.h"
#include "methods/neighbours/options.h"
#include "xylem/method.h"

namespace xylem {

enum class VectorKind { kNetmf, kDeepWalk };
inline auto choice_names(VectorKind) {
  return std::array<std::string_view, 2>{"netmf", "deepwalk"};
}

enum class DxmlTarget { kUnit, kMean };
inline auto choice_names(DxmlTarget) {
  return std::array<std::string_view, 2>{"unit", "mean"};
}

struct DxmlOptions {
  dxml::Edges edges = dxml::Edges::kCount;
  std::string label_graph;
  VectorKind label_vectors = VectorKind::kNetmf;
  int window = 1;
  dxml::DeepWalkOptions deepwalk;
  DxmlTarget target = DxmlTarget::kUnit;
  dxml::NetOptions net;
  neighbours::TeamOptions team;
  neighbours::VoteOptions votes;

  void fields(auto&& field) {
    field("edges", edges,
          "between labels that share rows: all alike, by the number of such rows, or over a row of the one to any "
          "other label of it; or those of a file");
    field("label_graph", label_graph, "file of edges=file, with lines label<TAB>label or label<TAB>label<TAB>weight");
    field("label_vectors", label_vectors, "random walks over the edges in closed form, or walked");
    field("window", window, "most steps between labels that meet on random walks over the edges", Range{1, 1000});
    field("deepwalk", deepwalk, "");
    field("target", target, "of a row: the mean of its labels' vectors, scaled to length 1 or not");
    net.fields(field);
    team.fields(field);
    votes.fields(field);
  }
};

extern const Method dxml_method;

}  // namespace xylem
