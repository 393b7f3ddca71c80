// SPDX-License-Identifier: Apache-2.0
// Models inside models: an ensemble keeps several of the same method in one file.
#include "algorithms/predict.h"
#include "algorithms/row_scaling.h"
#include "contract.h"
#include "core/parallel.h"
#include "model_file/reader.h"
#include "model_file/writer.h"
#include "toy_data.h"

namespace xylem {
namespace {

using test::toy_data;

TEST_P(Contract, SharesAFileWithAnotherModelOfItsKind) {
  const std::string path = folder_ / "both.xylem";
  const char* const members[] = {"first", "second"};
  std::vector<std::unique_ptr<Model>> models;
  Dataset data;
  const auto predictions = [&](const Model& model) {
    return predict_rows(model, data.features.rows(), RowScale::kAsGiven, 5, {});
  };
  ModelWriter writer;
  for (const char* member : members) {
    data = toy_data(models.size() + 1);
    scale_to_unit(data.features);
    with_threads(2, [&] { models.push_back(GetParam()->train({data, &data}, GetParam()->parse({}), {}).model); });
    const Scope inside(writer, member);
    models.back()->save(writer);
  }
  writer.write(path, IfExists::kFail);
  const TopLabels one = predictions(*models[0]), other = predictions(*models[1]);
  ASSERT_TRUE(one.labels != other.labels || one.scores != other.scores);

  ModelReader reader(path);
  for (std::size_t i = 0; i < models.size(); ++i) {
    const Scope inside(reader, members[i]);
    const std::unique_ptr<Model> loaded = GetParam()->load(reader, {data.features.n_columns, data.n_labels});
    EXPECT_EQ(predictions(*loaded).labels, predictions(*models[i]).labels);
    EXPECT_EQ(predictions(*loaded).scores, predictions(*models[i]).scores);
  }
}

}  // namespace
}  // namespace xylem
