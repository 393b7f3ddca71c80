// SPDX-License-Identifier: Apache-2.0
// What a long computation may know about its surroundings: seed, threads, whom to tell, when to stop, where to save.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

namespace xylem {

// How far a stage has come. Sent from one thread at a time.
struct Progress {
  std::string_view stage;  // "train", "predict"
  std::string_view unit;   // "rows", "epochs"
  std::size_t done = 0;
  std::size_t total = 0;  // 0: not known
  std::optional<double> loss;
  std::optional<double> metric;  // on the validation rows, in percent
  double part = 0;               // of the unit under way, where one takes long: the rows of an epoch
  double share = 0;              // of all the work that is done, from 0 to 1, if `total` is not known but this is
  // Where the validation rows say when to stop: so many units are left if none of them gains anything; 0: not known.
  std::size_t left_without_gain = 0;
};

// Where a training run puts what it must not lose, under names of its own. One that was written is read back whole or
// not at all. Threads may write at once, each under another name.
class Checkpoints {
 public:
  virtual ~Checkpoints() = default;
  virtual void write(std::string_view name, std::string_view bytes) = 0;
  virtual std::optional<std::string> read(std::string_view name) const = 0;
};

struct Run {
  std::uint64_t seed = 1;
  int threads = 0;  // 0: as many as the machine has
  std::function<void(const Progress&)> on_progress;
  std::function<void(const std::string&)> on_remark;  // a sentence for people
  const std::atomic<bool>* cancel = nullptr;          // set by someone else, a signal handler say
  bool keep_unfinished = true;  // training that is asked to stop gives the best model so far, if there is one by then
  Checkpoints* checkpoints = nullptr;

  void progress(const Progress& state) const {
    if (on_progress) on_progress(state);
  }
  void remark(const std::string& sentence) const {
    if (on_remark) on_remark(sentence);
  }
  bool cancelled() const { return cancel != nullptr && cancel->load(std::memory_order_relaxed); }
  // Throws an Error of kind kInterrupted once somebody has asked to stop. Long loops call it now and then.
  void check() const;
  // For finishing what is worth keeping: nobody is listened to any more, unless only finished work is wanted.
  Run to_the_end() const {
    Run run = *this;
    if (keep_unfinished) run.cancel = nullptr;
    return run;
  }
};

}  // namespace xylem
