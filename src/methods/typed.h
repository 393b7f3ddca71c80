// SPDX-License-Identifier: Apache-2.0
// Lets a method write its functions for its own options struct. In its row of the table, typed<plan> is the function
// that takes CheckedOptions and calls plan with the struct inside.
#pragma once

#include <utility>

#include "core/options.h"
#include "xylem/method.h"

namespace xylem {
namespace detail {

template <auto function>
struct Typed;

template <class Options, Options (*parse)(const Settings&)>
struct Typed<parse> {
  static CheckedOptions call(const Settings& settings) {
    Options options = parse(settings);
    return {options, option_values(options)};
  }
};

template <class Options, bool (*chooses)(const Options&)>
struct Typed<chooses> {
  static bool call(const CheckedOptions& options) { return chooses(options.as<Options>()); }
};

template <class Options, MemoryPlan (*plan)(const DataShape&, const Options&, std::size_t)>
struct Typed<plan> {
  static MemoryPlan call(const DataShape& shape, const CheckedOptions& options, std::size_t threads) {
    return plan(shape, options.as<Options>(), threads);
  }
};

template <class Options, Trained (*train)(const TrainingData&, const Options&, const Run&)>
struct Typed<train> {
  static Trained call(const TrainingData& data, const CheckedOptions& options, const Run& run) {
    return train(data, options.as<Options>(), run);
  }
};

}  // namespace detail

template <auto function>
inline constexpr auto typed = detail::Typed<function>::call;

}  // namespace xylem
