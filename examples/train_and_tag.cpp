// SPDX-License-Identifier: Apache-2.0
// Trains on texts and tags a sentence: `train_and_tag train.jsonl "a sentence"`.
#include <xylem/corpus.h>
#include <xylem/error.h>
#include <xylem/tagger.h>

#include <cstdio>

int main(int argc, char** argv) try {
  if (argc != 3) return std::fprintf(stderr, "usage: train_and_tag TEXTS SENTENCE\n"), 2;
  const xylem::Corpus corpus = xylem::read_corpus(argv[1]).corpus;
  const xylem::Tagger tagger = xylem::Tagger::train(corpus, {}, {});
  xylem::TextList sentence;
  sentence.push_back(argv[2]);
  const xylem::TopLabels top = tagger.tag(sentence, 3, {});
  for (std::size_t i = 0; i < top.labels.size(); ++i) {
    std::printf("%.3f %s\n", static_cast<double>(top.scores[i]), tagger.label_name(top.labels[i]).c_str());
  }
} catch (const xylem::Error& error) {
  std::fprintf(stderr, "train_and_tag: %s\n", error.what());
  return static_cast<int>(error.kind());
}
