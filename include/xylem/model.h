// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <any>
#include <cstddef>
#include <memory>
#include <span>

#include "xylem/dataset.h"
#include "xylem/explanation.h"
#include "xylem/options.h"
#include "xylem/run.h"
#include "xylem/sparse.h"
#include "xylem/text_list.h"

namespace xylem {

class ModelWriter;

// Buffers that a model wants to reuse between calls. The caller keeps one per thread; a model asks for its own kind.
class Scratch {
 public:
  template <class T>
  T& as() {
    if (T* held = std::any_cast<T>(&held_)) return *held;
    return held_.emplace<T>();
  }

 private:
  std::any held_;
};

// What a model is asked about: rows, whose ids rise, and the texts that they were made from if there are any. A view,
// owns nothing. Methods that need only rows ignore the texts.
struct RowBlock {
  SparseRows rows;
  std::span<const TextView> texts;  // one for each row, or none at all

  RowBlock(SparseRows its_rows, std::span<const TextView> its_texts = {}) : rows(its_rows), texts(its_texts) {}
  std::size_t size() const { return rows.size(); }
  RowBlock slice(std::size_t first, std::size_t count) const {
    return {rows.slice(first, count), texts.empty() ? texts : texts.subspan(first, count)};
  }
};

// A vector for each label, of a model that has them; zeros for a label of which training told nothing. A view, valid as
// long as the model.
struct LabelVectors {
  std::span<const float> values;  // one label's after the other's
  std::size_t dim = 0;

  std::span<const float> operator[](Label label) const { return values.subspan(label * dim, dim); }
};

// A trained model. Immutable: any number of threads may call it at once, each with its own scratch.
class Model {
 public:
  virtual ~Model() = default;

  // Appends to `out` the k best labels of every row of the block, best first; fewer only where the model knows no
  // further ones, however many are asked for: who wants labels of a certain kind asks for more (algorithms/predict.h).
  // Feature ids that training never saw are allowed and ignored.
  virtual void predict(const RowBlock& block, std::size_t k, Scratch& scratch, TopLabels& out) const = 0;

  // Why the label gets its score for the only row of a block, or would get it: also for labels that predict() misses.
  // Score and rank are those of predict(). This one leaves features out one at a time, which works for any model;
  // methods know better.
  virtual Explanation explain(const RowBlock& row, Label label, Scratch& scratch) const;

  // For methods with has_label_vectors; an Error of kind kUsage otherwise.
  virtual LabelVectors label_vectors() const;

  // A model that knows more rows than this one; for methods that can, an Error of kind kUsage otherwise. `rows` all
  // have labels, are scaled, and have the model's features; the model's labels come first among theirs, new ones behind
  // them. The options are what the method's parse_learn gives. With none set, to learn twice gives the predictions of
  // learning all at once, unless labels' vectors have a share in them. Throws kInterrupted when asked to stop.
  virtual std::unique_ptr<Model> learn(const Dataset& rows, const CheckedOptions& options, const Run& run) const;
  // Whether learn() makes something of the names of new labels that no row has.
  virtual bool reads_label_names() const { return false; }

  // Names everything that the method's `load` needs. What it names must live until the writer has written.
  virtual void save(ModelWriter& out) const = 0;
};

}  // namespace xylem
