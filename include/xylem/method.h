// SPDX-License-Identifier: Apache-2.0
// A method is a row in a table: its name, its options, and the functions that plan, train, load and learn more.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "xylem/dataset.h"
#include "xylem/model.h"
#include "xylem/options.h"
#include "xylem/run.h"

namespace xylem {

class ModelReader;

// The size of a training set.
struct DataShape {
  std::size_t rows = 0;
  std::size_t features = 0;
  std::size_t labels = 0;
  std::size_t nonzeros = 0;     // of the features
  std::size_t label_pairs = 0;  // rows times labels a row
};
DataShape shape_of(const Dataset& data);

// Estimates in bytes, beyond the training data itself.
struct MemoryPlan {
  std::uint64_t training = 0;  // most that training holds at once, the model included
  std::uint64_t model = 0;     // the finished model in memory
};

// What a method learns from. Rows are already scaled as the model will remember it.
struct TrainingData {
  const Dataset& train;
  const Dataset* valid = nullptr;  // for choosing (epochs, neighbours, ...), never for learning
};

// What the model file says of the model around it; label ids in the method's arrays must be below `labels`.
struct ModelShape {
  std::size_t features = 0;
  std::size_t labels = 0;
};

struct Trained {
  std::unique_ptr<Model> model;
  Settings chosen;  // what was decided on the validation rows; with these settings nothing is left to choose
  // Where somebody asked to stop before the end: what the model is, "epoch 7"; `chosen` then has what came of it.
  std::string interrupted = {};
};

struct Method {
  std::string_view name;     // what the user types and the model file records
  std::string_view summary;  // one line, for --help and the docs
  std::vector<OptionInfo> (*options)();
  // Throws kUsage if a name or a value is wrong. The options of all functions here are what it gives.
  CheckedOptions (*parse)(const Settings&);
  // Whether something is left that must be chosen on validation rows.
  bool (*chooses)(const CheckedOptions&) = [](const CheckedOptions&) { return false; };
  // Never falls when the data or the number of threads grows.
  MemoryPlan (*plan)(const DataShape&, const CheckedOptions&, std::size_t threads);
  Trained (*train)(const TrainingData&, const CheckedOptions&, const Run&);
  std::unique_ptr<Model> (*load)(ModelReader&, const ModelShape&);
  bool has_label_vectors = false;  // whether its models have Model::label_vectors()
  bool learns = false;             // whether its models have Model::learn()
  // The setting with which models read the names of labels, "label_text=yes"; empty if they never do.
  std::string_view names_setting = {};
  // The options of learning, as `options` and `parse` are those of training; null where there are none.
  std::vector<OptionInfo> (*learn_options)() = nullptr;
  CheckedOptions (*parse_learn)(const Settings&) = nullptr;
};

// All methods, in the order in which they are listed to users.
std::span<const Method* const> methods();

// Throws an Error of kind kUsage that names the nearest method if there is none called `name`.
const Method& find_method(std::string_view name);

}  // namespace xylem
