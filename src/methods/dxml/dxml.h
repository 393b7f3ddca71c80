// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <string>
#include <string_view>

#include "core/options.h"
#include "learn/packed_vectors.h"
#include "methods/dxml/label_graph.h"
#include "methods/dxml/label_vectors.h"
#include "methods/dxml/net.h"
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
  int epochs = 0;
  int patience = 5;
  int learners = 1;
  int k = 0;
  double blend = -1;
  int candidates = 0;
  double vote_power = 8;
  int clusters = 0;
  int probes = 0;
  Precision precision = Precision::kFloat;
  Precision table_precision = Precision::kFloat;

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
    field("epochs", epochs, "passes over the rows; 0: chosen on validation rows", Range{0, 100000});
    field("patience", patience, "epochs without gain on the validation rows before training stops", Range{1, 100000});
    field("learners", learners, "networks that vote together", Range{1, 1000});
    field("k", k, "neighbours that vote; 0: chosen on validation rows", Range{0, 10000});
    field("blend", blend, "weight of the cosine of the rows as they are beside that of the embedded ones; -1: chosen",
          Range{-1, 1});
    field("candidates", candidates,
          "nearest embedded rows whose cosine as they are is looked at; 0: one in 40 of them, but at least 200",
          Range{0, 1000000});
    field("vote_power", vote_power, "a neighbour's vote is its cosine to this power", Range{0, 100});
    field(
        "clusters", clusters,
        "of the embedded training rows, by k-means; 0: chosen by their number where there are validation rows, else 1",
        Range{0, 1000000});
    field("probes", probes,
          "nearest clusters that a search looks into; 0: chosen on validation rows where there are some, else 1",
          Range{0, 1000000});
    field("precision", precision, "of the embedded training rows in the model");
    field("table_precision", table_precision, "of the features' vectors in the model");
  }
};

extern const Method dxml_method;

}  // namespace xylem
