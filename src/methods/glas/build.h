// SPDX-License-Identifier: Apache-2.0
// From what was learned to a model.
#pragma once

#include <memory>

#include "methods/glas/model.h"
#include "methods/glas/trainer.h"

namespace xylem::glas {

struct ModelSource {
  const Dataset& data;
  const KnownLabels& known;
  const LabelWords* words;  // null without label_text
  const GlasOptions& options;
  std::uint64_t seed;
};

// The model's options have the cells and probes that were chosen, where it was to choose.
std::unique_ptr<GlasModel> build_model(const ModelSource& source, TrainedWeights trained, const Run& run);

// A search looks into the fewest cells in which so many of the best labels lie, of training rows evenly spread.
inline constexpr std::size_t kRowsForProbes = 1000, kBestForProbes = 5;
inline constexpr double kShareForProbes = 0.998;
std::size_t choose_probes(const Phi& phi, float scale, const NeighbourIndex& index, const SparseRows& rows,
                          const Run& run);

// The mean of the vectors of a name's words, at length 1; 0 where none is known.
Eigen::RowVectorXf name_vector(NameReader& reader, std::string_view name, const MatrixView& words);

}  // namespace xylem::glas
