// SPDX-License-Identifier: Apache-2.0
// What methods have in common whose models are NeighbourModels: their row of the table, but for what is their own.
#pragma once

#include <memory>
#include <string_view>

#include "methods/neighbours/learn_rows.h"
#include "methods/neighbours/options.h"
#include "methods/typed.h"

namespace xylem::neighbours {

// Options that have a team and votes.
template <class Options>
Options parse_with_votes(const Settings& settings) {
  const auto options = parse_options<Options>(settings);
  check_options(options.team, options.votes);
  return options;
}

template <class Options>
bool leaves_something_open(const Options& options) {
  return leaves_open(options.team, options.votes);
}

template <class Options, Options (*parse)(const Settings&),
          MemoryPlan (*plan)(const DataShape&, const Options&, std::size_t),
          Trained (*train)(const TrainingData&, const Options&, const Run&)>
constexpr Method neighbour_method(std::string_view name, std::string_view summary,
                                  std::unique_ptr<Model> (*load)(ModelReader&, const ModelShape&)) {
  return {
      .name = name,
      .summary = summary,
      .options = describe_options<Options>,
      .parse = typed<parse>,
      .chooses = typed<leaves_something_open<Options>>,
      .plan = typed<plan>,
      .train = typed<train>,
      .load = load,
      .has_label_vectors = true,
      .learns = true,
      .learn_options = describe_options<LearnRowsOptions>,
      .parse_learn = typed<parse_options<LearnRowsOptions>>,
  };
}

}  // namespace xylem::neighbours
