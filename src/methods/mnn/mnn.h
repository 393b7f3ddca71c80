// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/options.h"
#include "methods/mnn/averaging_nets.h"
#include "methods/neighbours/options.h"
#include "xylem/method.h"

namespace xylem {

struct MnnOptions {
  mnn::NetsOptions nets;
  neighbours::TeamOptions team;
  neighbours::VoteOptions votes;

  void fields(auto&& field) {
    nets.fields(field);
    team.fields(field);
    votes.fields(field);
  }
};

extern const Method mnn_method;

}  // namespace xylem
