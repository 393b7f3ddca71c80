// SPDX-License-Identifier: Apache-2.0
// What every method promises. Runs over the table: a new method is tested here without an edit.
#pragma once

#include <gtest/gtest.h>

#include <string>

#include "folder.h"
#include "xylem/tagger.h"

namespace xylem {

class Contract : public ::testing::TestWithParam<const Method*> {
 protected:
  Tagger train(Dataset data, int threads = 2, const Settings& settings = {}) const {
    TrainOptions options;
    options.method = GetParam()->name;
    options.settings = settings;
    xylem::Run run;
    run.threads = threads;
    return Tagger::train(std::move(data), options, run);
  }
  // For tests that look at every bit of a model, or every epoch of its training.
  Settings small_settings() const {
    Settings settings;
    for (const OptionInfo& option : GetParam()->options()) {
      if (option.name == "hidden" || option.name == "dim" || option.name == "code") settings[option.name] = "3";
      if (option.name == "patience") settings[option.name] = "1";
    }
    return settings;
  }

  test::Folder folder_;
};

// Nothing in the explanation is NaN or infinite; evidence falls, and has no zeros.
void expect_finite(const Explanation& explanation);

}  // namespace xylem
