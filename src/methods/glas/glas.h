// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "algorithms/epochs.h"
#include "algorithms/label_centroids.h"
#include "algorithms/packed_vectors.h"
#include "core/options.h"
#include "methods/glas/losses.h"
#include "methods/glas/phi.h"
#include "methods/glas/regularisers.h"
#include "xylem/method.h"

namespace xylem {

struct GlasOptions {
  glas::PhiOptions phi;
  double keep = 0.7;
  glas::LossOptions loss;
  glas::RegulariserOptions regulariser;
  double scale = 20;
  bool learn_scale = true;
  bool bias = true;
  LabelStart label_start = LabelStart::kCentroid;
  bool label_text = false;
  int batch = 0;
  int full_labels = 20'000;
  int negatives = 4096;
  double label_rate = 0.2;
  EpochOptions training = {.optimiser = {.rate = 0.01, .average = 0.5}, .patience = 2};
  double tail = 0.3;
  int cells = 0;
  int probes = 0;
  Precision precision = Precision::kFloat;
  Precision table_precision = Precision::kFloat;

  void fields(auto&& field) {
    phi.fields(field);
    field("keep", keep, "probability of keeping a feature of a row in training", Range{0.01, 1});
    loss.fields(field);
    regulariser.fields(field);
    field("scale", scale, "what the cosine of row and label is multiplied with", Range{0.001, 1000});
    field("learn_scale", learn_scale, "the scale is where learning starts");
    field("bias", bias, "each label has a number that is added to its scores, the logarithm of its frequency at first");
    field("label_start", label_start, "a label's vector at first: random, or the mean of its rows");
    field("label_text", label_text, "the words of labels' names have vectors, whose mean is a part of the label's");
    field("batch", batch, "rows of a step; 0: one in 40 of them, from 16 to 1024", Range{0, 65536});
    field("full_labels", full_labels, "up to so many labels a step looks at all, else at those of its rows and others",
          Range{0, 1e9});
    field("negatives", negatives, "so many others, at random", Range{1, 1e9});
    field("label_rate", label_rate, "length of the labels' steps, as a multiple of rate", Range{1e-6, 1e6});
    training.fields(field);
    field("tail", tail,
          "share of a label's frequency that is taken back from its scores in the model: raises rare ones",
          Range{0, 2});
    field("cells", cells,
          "of the labels' vectors, by k-means, for faster predictions; 0: one for 64 labels, at most 512, and below "
          "20,000 labels one for all",
          Range{0, 1'000'000});
    field("probes", probes,
          "best cells that a prediction looks into; 0: the fewest that find 99.8 % of the five best labels of training "
          "rows",
          Range{0, 1'000'000});
    field("precision", precision, "of the labels' vectors in the model");
    field("table_precision", table_precision, "of the features' vectors in the model");
  }
};

extern const Method glas_method;

}  // namespace xylem
