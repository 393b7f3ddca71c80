// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "core/options.h"
#include "model_file/reader.h"
#include "model_file/writer.h"
#include "xylem/error.h"

namespace xylem {

// Options as texts of a model, each under `prefix` and its name.
template <class Options>
void save_options(ModelWriter& out, const std::string& prefix, const Options& options) {
  for (const auto& [name, value] : option_values(options)) out.text(prefix + name, value);
}

// Those of a model of this version or an older or newer one: see assign_stored_options().
template <class Options>
Options load_options(const ModelReader& in, const Settings& stored) {
  Options options;
  try {
    assign_stored_options(option_fields(options), stored);
  } catch (const Error& error) {
    if (error.kind() != ErrorKind::kUsage) throw;
    in.damaged(std::string("damaged: ") + error.what());
  }
  return options;
}

template <class Options>
Options load_options(const ModelReader& in, const std::string& prefix) {
  return load_options<Options>(in, in.texts_below(prefix));
}

}  // namespace xylem
