// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>

#include "algorithms/epochs.h"
#include "algorithms/label_centroids.h"
#include "algorithms/packed_vectors.h"
#include "core/options.h"
#include "methods/rank_ae/rank_loss.h"

namespace xylem {
namespace rank_ae {

struct NetOptions {
  int dim = 256;
  int code = 256;
  int hidden = 512;
  bool attention = true;
  int reduction = 4;
  LossOptions loss;
  double lambda = 1;
  bool decode_features = true;
  double decode_labels = 0.25;
  int warmup = 1;
  LabelStart label_start = LabelStart::kCentroid;
  double keep = 0.85;
  double dropout = 0;
  int batch = 0;
  int negatives = 0;
  double inner_rate = 0.1;
  double tail = 0;

  void fields(auto&& field) {
    field("dim", dim, "channels of a word's vector", Range{1, 4096});
    field("code", code, "width of the code that words and labels share", Range{1, 4096});
    field("hidden", hidden, "width of the hidden layers of the labels' encoder and decoder", Range{1, 8192});
    field("attention", attention, "whether the channels of a word's vector are weighed");
    field("reduction", reduction, "channels a unit of the network that weighs them", Range{1, 4096});
    loss.fields(field);
    field("lambda", lambda, "weight of that loss beside the distance of the two codes", Range{0, 1e6});
    field("decode_features", decode_features, "whether the decoder learns from the codes of the rows' words");
    field("decode_labels", decode_labels, "share of the rows from the codes of whose labels it learns", Range{0, 1});
    field("warmup", warmup, "epochs of binary cross-entropy before loss=rank begins", Range{0, 100000});
    field("label_start", label_start, "a label's vector at first: random, or the mean of its rows");
    field("keep", keep, "probability of keeping a feature of a row in training", Range{0.01, 1});
    field("dropout", dropout, "probability of dropping a unit of the decoder's hidden layer in training",
          Range{0, 0.99});
    field("batch", batch, "rows of a step; 0: one in 64 of all, but 32 to 512", Range{0, 65536});
    field("negatives", negatives,
          "random labels that a step looks at beside those of its rows; 0: all, of more than 50000 labels 10000",
          Range{0, 100'000'000});
    field("inner_rate", inner_rate, "length of the steps of the layers between words and labels, as a multiple of rate",
          Range{0, 1000});
    field("tail", tail,
          "share of a label's frequency that is taken back from its scores in the model: raises rare ones",
          Range{0, 2});
  }

  std::size_t squeezed() const { return attention ? static_cast<std::size_t>((dim + reduction - 1) / reduction) : 0; }
  std::size_t batch_of(std::size_t n_rows) const;
  // How many rows of a batch have codes of the kind decoded.
  std::size_t decoded_features(std::size_t n_rows) const { return decode_features ? n_rows : 0; }
  std::size_t decoded_labels(std::size_t n_rows) const;
  // For the sampler, where 0 is all.
  std::size_t sampled(std::size_t n_labels) const;
};

}  // namespace rank_ae

struct RankAeOptions {
  rank_ae::NetOptions net;
  EpochOptions training{.optimiser = {.rate = 0.002, .average = 0.7}};
  Precision table_precision = Precision::kFloat;
  std::string word_vectors;

  void fields(auto&& field) {
    net.fields(field);
    training.fields(field);
    field("table_precision", table_precision, "of the words' vectors in the model");
    field("word_vectors", word_vectors,
          "file of first vectors for the words of texts, as GloVe's: a word and dim numbers a line");
  }
};

}  // namespace xylem
