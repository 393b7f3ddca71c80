// SPDX-License-Identifier: Apache-2.0
// The only place that knows threads. Work is cut at borders that do not depend on the number of threads, so that sums
// taken in chunk order are the same for all of them.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <vector>

namespace xylem {

// What a number of threads stands for: 0 means all of the machine.
std::size_t thread_count(int threads);

// How many of `n` threads the system lets this process have, which a limit of processes or of address space may keep
// from starting any. At least 1, the caller.
std::size_t startable_threads(std::size_t n);

// Calls `work` in an arena of so many threads, or of as many as can start. Loops and tasks inside use that arena. Its
// threads come from one pool that the process owns: any number of callers may be inside at once, each with its own
// number of threads. Inside an arena 0 is that arena.
void with_threads(int threads, const std::function<void()>& work);

// The threads of the arena that the caller is in, and the caller's place among them.
std::size_t worker_count();
std::size_t current_worker();

// Calls body(begin, end) for the chunks [0, grain), [grain, 2 grain), ... of 0 .. n-1, in any order and on any thread.
// A thread that waits for an inner loop never starts a chunk of an outer one. The first exception stops the loop and is
// thrown again here.
void parallel_for(std::size_t n, std::size_t grain,
                  const std::function<void(std::size_t begin, std::size_t end)>& body);

// Calls body(0), body(1), ... on any thread; they start in this order.
void parallel_in_order(std::size_t n, const std::function<void(std::size_t i)>& body);

// Tasks that may start further tasks; wait() returns when all are done and throws again what one of them threw.
class TaskGroup {
 public:
  TaskGroup();
  ~TaskGroup();
  void run(std::function<void()> task);
  void wait();

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

// Calls `first` with a group for tasks and waits for all of them. As in a loop, a thread that waits here starts nothing
// but these tasks.
void run_tasks(const std::function<void(TaskGroup& tasks)>& first);

// One T for each thread of the arena it was made in.
template <class T>
class PerWorker {
 public:
  PerWorker() : slots_(worker_count()) {}
  T& local() { return slots_[current_worker()].value; }

 private:
  struct alignas(64) Slot {
    T value;
  };
  std::vector<Slot> slots_;
};

}  // namespace xylem
