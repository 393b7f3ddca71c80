// SPDX-License-Identifier: Apache-2.0
#include <xylem/tagger.h>
#include <xylem/version.h>

#include <cstdio>
#include <string>

int main(int argc, char** argv) {
  if (argc != 3) return 2;
  const std::string data = argv[1], model = argv[2];
  xylem::TrainOptions options;
  options.settings = {{"trees", "2"}};
  xylem::Tagger::train(xylem::read_dataset(data).data, options, {}).save(model, true);
  const xylem::Tagger tagger = xylem::Tagger::load(model);
  xylem::ReadOptions as_trained;
  as_trained.first_ids = tagger.first_ids();  // whether files count from 0 or 1 was decided in training
  const xylem::Dataset rows = xylem::read_dataset(data, as_trained).data;
  const xylem::TopLabels top = tagger.tag(rows.features.rows(), 1, {});
  std::printf("xylem %s: %zu rows tagged\n", xylem::kVersion, top.size());
  return top.size() == rows.size() ? 0 : 1;
}
