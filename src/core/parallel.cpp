// SPDX-License-Identifier: Apache-2.0
#include "core/parallel.h"

#include <sched.h>
#include <signal.h>
#include <tbb/global_control.h>
#include <tbb/info.h>
#include <tbb/parallel_for.h>
#include <tbb/task_arena.h>
#include <tbb/task_group.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <mutex>
#include <system_error>
#include <thread>
#include <utility>
#include <vector>

#ifdef __SANITIZE_THREAD__
#include <sanitizer/tsan_interface.h>
#endif

namespace xylem {
namespace {

// The thread sanitizer cannot see how TBB's library hands work from thread to thread, and takes that for races. These
// tell it: what came before a publish() is seen after an observe() of the same address. Otherwise they do nothing.
void publish([[maybe_unused]] void* address) {
#ifdef __SANITIZE_THREAD__
  __tsan_release(address);
#endif
}
void observe([[maybe_unused]] void* address) {
#ifdef __SANITIZE_THREAD__
  __tsan_acquire(address);
#endif
}

// At the end of a scope, also when an exception passes.
struct PublishAtEnd {
  void* address;
  ~PublishAtEnd() { publish(address); }
};
struct ObserveAtEnd {
  void* address;
  ~ObserveAtEnd() { observe(address); }
};

// Published when work is handed out. One for all, because a task cannot look up an address of its own before it has
// observed: the closure that holds it was written by the other thread.
char handed_out = 0;

// Starts threads that do nothing until all are there, and returns how many came.
std::size_t try_threads(std::size_t n) {
  std::mutex all_there;
  std::vector<pid_t> ids(n);
  std::size_t started = 0;
  {
    std::vector<std::jthread> threads;
    threads.reserve(n);
    const std::lock_guard lock(all_there);  // released before the threads are joined
    try {
      for (; started < n; ++started) {
        threads.emplace_back([&all_there, &id = ids[started]] {
          id = ::gettid();
          const std::lock_guard wait(all_there);
        });
      }
    } catch (const std::system_error&) {  // no more of them
    }
  }
  // A thread that was joined may count for another moment.
  for (std::size_t i = 0; i < started; ++i) {
    while (::tgkill(::getpid(), ids[i], 0) == 0) ::sched_yield();
  }
  return started;
}

// TBB without memory for setting itself up leaves a reference behind, and the end of a global_control then waits for it
// for ever. So that is done once, with none around, and kept.
void set_up_scheduler() {
  // volatile, or else nobody keeps it, and it counts as leaked.
  [[maybe_unused]] static tbb::task_arena* volatile kept = [] {
    auto arena = std::make_unique<tbb::task_arena>(1);
    arena->initialize();
    return arena.release();
  }();
}

// TBB's pool belongs to the process, and the least of all limits counts. There is only one limit, which never falls: so
// a caller with few threads takes none from another. The new one comes before the old one goes, since without any
// there would be as many threads as cores.
void grow_pool(std::size_t n) {
  static std::mutex mutex;
  static std::size_t size = 0;
  static tbb::global_control* limit = nullptr;  // never destroyed: TBB may be gone by then
  const std::lock_guard lock(mutex);
  if (n <= size) return;
  auto larger = std::make_unique<tbb::global_control>(tbb::global_control::max_allowed_parallelism, n);
  delete std::exchange(limit, larger.release());
  size = n;
}

}  // namespace

std::size_t startable_threads(std::size_t n) {
  static std::mutex mutex;
  static std::size_t tried = 1, startable = 1;
  const std::lock_guard lock(mutex);
  if (n > tried) {
    // TBB ends the program if a worker cannot start: so that is tried before, with larger stacks than its own. Where
    // there is a limit, one thread is left to others, who count as well.
    const std::size_t others = try_threads(n - 1);
    startable = others == n - 1 ? n : std::max<std::size_t>(1, others);
    tried = n;
  }
  return std::min(n, startable);
}

std::size_t thread_count(int threads) {
  return static_cast<std::size_t>(threads > 0 ? threads : tbb::info::default_concurrency());
}

void with_threads(int threads, const std::function<void()>& work) {
  // Workers have places from 1 on; place 0 is that of any thread that calls.
  thread_local int depth = 0;
  if (threads == 0 && (depth > 0 || tbb::this_task_arena::current_thread_index() > 0)) return work();
  const std::size_t n = startable_threads(thread_count(threads));
  set_up_scheduler();
  grow_pool(n);
  tbb::task_arena arena(static_cast<int>(n));
  arena.execute([&] {
    struct Inside {
      Inside() { ++depth; }
      ~Inside() { --depth; }
    };
    const Inside inside;
    work();
  });
}

std::size_t worker_count() {
  return static_cast<std::size_t>(tbb::this_task_arena::max_concurrency());
}

std::size_t current_worker() {
  return static_cast<std::size_t>(std::max(0, tbb::this_task_arena::current_thread_index()));
}

void parallel_for(std::size_t n, std::size_t grain,
                  const std::function<void(std::size_t begin, std::size_t end)>& body) {
  const std::size_t n_chunks = n / grain + (n % grain != 0);
  if (n_chunks == 1) return body(0, n);  // inner loops are often this small
  char chunk_done = 0;                   // only its address matters
  const auto run_chunk = [&](std::size_t chunk) {
    observe(&handed_out);
    const PublishAtEnd publish_done{&chunk_done};
    const std::size_t begin = chunk * grain;
    body(begin, begin + std::min(grain, n - begin));
  };
  publish(&handed_out);
  const ObserveAtEnd observe_done{&chunk_done};
  tbb::this_task_arena::isolate(
      [&] { tbb::parallel_for(std::size_t{0}, n_chunks, run_chunk, tbb::simple_partitioner()); });
}

void parallel_in_order(std::size_t n, const std::function<void(std::size_t i)>& body) {
  std::atomic<std::size_t> next = 0;  // chunks start in any order: each takes the next number
  parallel_for(n, 1, [&](std::size_t, std::size_t) { body(next++); });
}

struct TaskGroup::Impl {
  tbb::task_group group;
};

TaskGroup::TaskGroup() : impl_(std::make_unique<Impl>()) {}

TaskGroup::~TaskGroup() {
  // tbb wants every group waited for, also when an exception passes.
  try {
    impl_->group.wait();
  } catch (...) {
  }
}

namespace {

// TBB makes tasks in memory of earlier ones, which another thread may have left.
char given_back = 0;
struct ReusedMemory {
  ReusedMemory() { observe(&given_back); }
  ReusedMemory(const ReusedMemory&) = delete;
  ReusedMemory& operator=(const ReusedMemory&) = delete;
  ~ReusedMemory() { publish(&given_back); }
};

// A task with the place to publish at when it is done. TBB copies it to where another thread finds it: that is when it
// is handed out.
class HandedTask {
 public:
  HandedTask(std::function<void()> task, void* done) : task_(std::move(task)), done_(done) {}
  HandedTask(const HandedTask& other) : memory_(), task_(other.task_), done_(other.done_) { publish(&handed_out); }
  HandedTask(HandedTask&& other) noexcept : task_(std::move(other.task_)), done_(other.done_) { publish(&handed_out); }
  HandedTask& operator=(const HandedTask&) = delete;
  HandedTask& operator=(HandedTask&&) = delete;
  ~HandedTask() = default;

  void operator()() const {
    observe(&handed_out);
    const PublishAtEnd publish_done{done_};
    task_();
  }

 private:
  ReusedMemory memory_;  // before the first and after the last use of the members below
  std::function<void()> task_;
  void* done_;
};

}  // namespace

void TaskGroup::run(std::function<void()> task) {
  impl_->group.run(HandedTask(std::move(task), impl_.get()));
}

void TaskGroup::wait() {
  impl_->group.wait();
  observe(impl_.get());
}

void run_tasks(const std::function<void(TaskGroup& tasks)>& first) {
  tbb::this_task_arena::isolate([&] {
    TaskGroup tasks;
    first(tasks);
    tasks.wait();
  });
}

}  // namespace xylem
