// SPDX-License-Identifier: Apache-2.0
#include <xylem/tagger.h>

#include <exception>

// How many labels the model has; 0 if it cannot be loaded.
extern "C" __attribute__((visibility("default"))) unsigned long tags_count_labels(const char* model) {
  try {
    return xylem::Tagger::load(model).n_labels();
  } catch (const std::exception&) {
    return 0;
  }
}
