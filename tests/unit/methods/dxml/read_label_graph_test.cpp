// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <map>

#include "folder.h"
#include "methods/dxml/label_graph.h"
#include "xylem/error.h"

namespace xylem::dxml {
namespace {

class ReadLabelGraph : public ::testing::Test {
 protected:
  ReadLabelGraph() {
    data_.n_labels = 4;
    for (const char* name : {"plants", "trees", "animals", "trees"}) data_.label_names.push_back(name);
  }
  GraphFile read(const std::string& text) {
    const std::string path = folder_ / "graph.tsv";
    test::write_plain(path, text);
    return read_label_graph(path, data_);
  }
  std::string error_of(const std::string& text) {
    try {
      read(text);
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::kData);
      return error.what();
    }
    return "none";
  }
  static std::map<std::pair<Label, Label>, float> weights_of(const SparseMatrix& graph) {
    std::map<std::pair<Label, Label>, float> result;
    for (Label a = 0; a < graph.size(); ++a) {
      for (std::size_t i = 0; i < graph[a].size(); ++i) result[{a, graph[a].ids[i]}] = graph[a].values[i];
    }
    return result;
  }

  test::Folder folder_;
  Dataset data_;
};

using Weights = std::map<std::pair<Label, Label>, float>;

TEST_F(ReadLabelGraph, EdgesLeadBothWaysAndAddUp) {
  const GraphFile file = read("plants\tanimals\nanimals\tplants\t2.5\n\nplants\tplants\n");
  EXPECT_EQ(file.n_lines, 3u);
  EXPECT_EQ(file.n_unknown, 0u);
  EXPECT_EQ(weights_of(file.graph), (Weights{{{0, 2}, 3.5f}, {{2, 0}, 3.5f}}));
  EXPECT_EQ(file.graph.size(), 4u);
}

TEST_F(ReadLabelGraph, ANameOfSeveralLabelsStandsForAll) {
  EXPECT_EQ(weights_of(read("plants\ttrees\n").graph), (Weights{{{0, 1}, 1}, {{0, 3}, 1}, {{1, 0}, 1}, {{3, 0}, 1}}));
}

TEST_F(ReadLabelGraph, UnknownLabelsAreCounted) {
  const GraphFile file = read("plants\ttrees\nplants\tliving things\n");
  EXPECT_EQ(file.n_lines, 2u);
  EXPECT_EQ(file.n_unknown, 1u);
  EXPECT_NE(error_of("a\tb\n").find("found 1 edges, none of them between labels of the data"), std::string::npos);
  EXPECT_NE(error_of("").find("graph.tsv:1: found no line"), std::string::npos);
}

TEST_F(ReadLabelGraph, WithoutNamesLabelsGoByNumberAsTheDataCountThem) {
  data_.label_names = {};
  data_.first_ids.label = 1;
  EXPECT_EQ(weights_of(read("1\t4\n").graph), (Weights{{{0, 3}, 1}, {{3, 0}, 1}}));
  EXPECT_EQ(read("1\t4\n0\t1\n5\t1\n").n_unknown, 2u);
}

TEST_F(ReadLabelGraph, SaysWhichLineIsNoEdge) {
  for (const char* line : {"plants", "plants\t", "\ttrees", "plants\ttrees\t", "plants\ttrees\t-1",
                           "plants\ttrees\tnan", "plants\ttrees\t1\t2", "plants\ttrees\tinf", "plants\ttrees\t0"}) {
    const std::string error = error_of("plants\ttrees\n" + std::string(line) + "\n");
    EXPECT_NE(error.find("graph.tsv:2: found"), std::string::npos) << line << ": " << error;
    EXPECT_NE(error.find("expected label<TAB>label"), std::string::npos) << line << ": " << error;
  }
}

}  // namespace
}  // namespace xylem::dxml
