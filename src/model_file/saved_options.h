// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

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

template <class Options>
Options load_options(const ModelReader& in, const std::string& prefix) {
  Options options;
  const std::vector<OptionField> fields = option_fields(options);
  for (const OptionField& field : fields) {
    try {
      assign_options(fields, {{field.name, in.text(prefix + field.name)}});
    } catch (const Error& error) {
      if (error.kind() != ErrorKind::kUsage) throw;
      in.damaged(std::string("damaged: ") + error.what());
    }
  }
  return options;
}

}  // namespace xylem
