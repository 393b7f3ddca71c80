// SPDX-License-Identifier: Apache-2.0
#include "core/parallel.h"

#include <tbb/global_control.h>
#include <tbb/info.h>
#include <tbb/parallel_for.h>
#include <tbb/task_arena.h>
#include <tbb/task_group.h>

#include <algorithm>

namespace xylem {

void with_threads(int threads, const std::function<void()>& work) {
  const int n = threads > 0 ? threads : tbb::info::default_concurrency();
  // Without the global limit raised, TBB would not start more workers than there are cores.
  tbb::global_control limit(tbb::global_control::max_allowed_parallelism, static_cast<std::size_t>(n));
  tbb::task_arena arena(n);
  arena.execute(work);
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
  tbb::this_task_arena::isolate([&] {
    tbb::parallel_for(
        std::size_t{0}, n_chunks,
        [&](std::size_t chunk) {
          const std::size_t begin = chunk * grain;
          body(begin, begin + std::min(grain, n - begin));
        },
        tbb::simple_partitioner());
  });
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

void TaskGroup::run(std::function<void()> task) { impl_->group.run(std::move(task)); }

void TaskGroup::wait() { impl_->group.wait(); }

}  // namespace xylem
