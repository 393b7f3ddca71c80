// SPDX-License-Identifier: Apache-2.0
#include "core/parallel.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <latch>
#include <mutex>
#include <numeric>
#include <set>
#include <stdexcept>
#include <thread>
#include <utility>

namespace xylem {
namespace {

using Chunks = std::set<std::pair<std::size_t, std::size_t>>;

Chunks chunks_of(std::size_t n, std::size_t grain, int threads) {
  Chunks chunks;
  std::mutex mutex;
  with_threads(threads, [&] {
    parallel_for(n, grain, [&](std::size_t begin, std::size_t end) {
      const std::lock_guard lock(mutex);
      EXPECT_TRUE(chunks.emplace(begin, end).second);
    });
  });
  return chunks;
}

TEST(ParallelFor, CutsAtTheSameBordersForAnyNumberOfThreads) {
  for (const int threads : {1, 2, 3, 7}) {
    EXPECT_EQ(chunks_of(10, 4, threads), (Chunks{{0, 4}, {4, 8}, {8, 10}}));
    EXPECT_EQ(chunks_of(8, 4, threads), (Chunks{{0, 4}, {4, 8}}));
    EXPECT_EQ(chunks_of(3, 100, threads), (Chunks{{0, 3}}));
    EXPECT_EQ(chunks_of(0, 4, threads), Chunks{});
  }
}

TEST(ParallelFor, TakesAGrainAsLargeAsNumbersGo) {
  EXPECT_EQ(chunks_of(10, std::numeric_limits<std::size_t>::max(), 2), (Chunks{{0, 10}}));
}

TEST(ParallelFor, VisitsEveryPlaceOnce) {
  std::vector<std::atomic<int>> visits(10'000);
  with_threads(3, [&] {
    parallel_for(visits.size(), 7, [&](std::size_t begin, std::size_t end) {
      for (std::size_t i = begin; i < end; ++i) ++visits[i];
    });
  });
  for (const auto& n : visits) ASSERT_EQ(n, 1);
}

TEST(ParallelFor, ThrowsWhatAChunkThrew) {
  for (const int threads : {1, 2, 3}) {
    try {
      with_threads(threads, [] {
        parallel_for(100, 1, [](std::size_t begin, std::size_t) {
          if (begin == 50) throw std::runtime_error("chunk 50");
        });
      });
      FAIL() << "nothing thrown";
    } catch (const std::runtime_error& error) {
      EXPECT_STREQ(error.what(), "chunk 50");
    }
  }
}

TEST(WithThreads, TakesNoThreadsFromAnotherCaller) {
  std::latch inside(1), done(1);
  std::jthread other([&] {
    with_threads(1, [&] {
      inside.count_down();
      done.wait();
    });
  });
  inside.wait();
  std::mutex mutex;
  std::condition_variable all_there;
  int n_there = 0;
  with_threads(3, [&] {
    parallel_for(3, 1, [&](std::size_t, std::size_t) {
      std::unique_lock lock(mutex);
      ++n_there;
      all_there.notify_all();
      EXPECT_TRUE(all_there.wait_for(lock, std::chrono::seconds(60), [&] { return n_there == 3; }));
    });
  });
  done.count_down();
}

TEST(ParallelFor, RunsInsideItself) {
  std::atomic<std::size_t> sum = 0;
  with_threads(3, [&] {
    parallel_for(20, 1, [&](std::size_t outer, std::size_t) {
      parallel_for(30, 4, [&](std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end; ++i) sum += outer * 30 + i;
      });
    });
  });
  EXPECT_EQ(sum, 600U * 599 / 2);
}

TEST(ParallelFor, StartsNoOuterChunkWhileItWaitsForAnInnerLoop) {
  with_threads(3, [] {
    PerWorker<int> depth;
    parallel_for(200, 1, [&](std::size_t, std::size_t) {
      EXPECT_EQ(depth.local(), 0);
      ++depth.local();
      std::atomic<std::size_t> work = 0;
      parallel_for(50, 1, [&](std::size_t begin, std::size_t) { work += begin; });
      --depth.local();
    });
  });
}

TEST(WithThreads, SetsTheNumberOfWorkers) {
  for (const int threads : {1, 2, 3, 7}) {
    std::size_t seen = 0;
    with_threads(threads, [&] { seen = worker_count(); });
    EXPECT_EQ(seen, static_cast<std::size_t>(threads));
  }
}

TEST(WithThreads, TakesZeroForAllOfTheMachine) {
  std::size_t seen = 0;
  with_threads(0, [&] { seen = worker_count(); });
  EXPECT_GE(seen, 1U);
}

TEST(WithThreads, TakesZeroForTheCallersThreadsInsideAnArena) {
  for (const int threads : {1, 3}) {
    with_threads(threads, [&] {
      parallel_for(100, 1, [&](std::size_t, std::size_t) {
        with_threads(0, [&] { EXPECT_EQ(worker_count(), static_cast<std::size_t>(threads)); });
      });
      with_threads(2, [] { with_threads(0, [] { EXPECT_EQ(worker_count(), 2U); }); });
    });
  }
  with_threads(0, [] { EXPECT_EQ(worker_count(), thread_count(0)); });
}

TEST(WithThreads, ThrowsWhatTheWorkThrew) {
  EXPECT_THROW(with_threads(2, [] { throw std::runtime_error("work"); }), std::runtime_error);
}

TEST(WithThreads, KeepsWorkerNumbersBelowTheCount) {
  for (const int threads : {1, 2, 3, 7}) {
    with_threads(threads, [&] {
      parallel_for(500, 1,
                   [&](std::size_t, std::size_t) { EXPECT_LT(current_worker(), static_cast<std::size_t>(threads)); });
    });
  }
}

TEST(StartableThreads, AreAllWhereThereIsNoLimit) {
  for (const std::size_t n : {1U, 2U, 7U, 3U}) EXPECT_EQ(startable_threads(n), n);
}

TEST(PerWorker, GivesNoSlotToTwoChunksAtOnce) {
  with_threads(3, [] {
    struct Slot {
      std::atomic<bool> busy = false;
      std::size_t sum = 0;
    };
    PerWorker<Slot> slots;
    std::atomic<std::size_t> total = 0;
    parallel_for(1000, 1, [&](std::size_t begin, std::size_t) {
      Slot& slot = slots.local();
      EXPECT_FALSE(slot.busy.exchange(true));
      slot.sum += begin;
      total += begin;
      slot.busy = false;
    });
    EXPECT_EQ(total, 1000U * 999 / 2);
  });
}

TEST(PerWorker, WorksOutsideOfAnyArena) {
  PerWorker<int> slots;
  slots.local() = 5;
  EXPECT_EQ(slots.local(), 5);
}

TEST(TaskGroup, WaitsForTasksThatTasksStarted) {
  for (const int threads : {1, 2, 3}) {
    std::atomic<int> leaves = 0;
    with_threads(threads, [&] {
      TaskGroup group;
      std::function<void(int)> grow = [&](int depth) {
        if (depth == 0) {
          ++leaves;
          return;
        }
        group.run([&grow, depth] { grow(depth - 1); });
        group.run([&grow, depth] { grow(depth - 1); });
      };
      grow(10);
      group.wait();
    });
    EXPECT_EQ(leaves, 1024);
  }
}

TEST(TaskGroup, ThrowsWhatATaskThrew) {
  with_threads(2, [] {
    TaskGroup group;
    for (int i = 0; i < 20; ++i) {
      group.run([i] {
        if (i == 13) throw std::runtime_error("task 13");
      });
    }
    EXPECT_THROW(group.wait(), std::runtime_error);
  });
}

TEST(TaskGroup, ThrowsWhatANestedTaskThrew) {
  with_threads(2, [] {
    TaskGroup group;
    group.run([&group] { group.run([] { throw std::runtime_error("inner"); }); });
    EXPECT_THROW(group.wait(), std::runtime_error);
  });
}

TEST(TaskGroup, CanBeUsedAgainAfterAnException) {
  with_threads(2, [] {
    TaskGroup group;
    group.run([] { throw std::runtime_error("task"); });
    EXPECT_THROW(group.wait(), std::runtime_error);
    std::atomic<bool> ran = false;
    group.run([&] { ran = true; });
    group.wait();
    EXPECT_TRUE(ran);
  });
}

TEST(TaskGroup, MayGoUnwaited) {
  std::atomic<int> ran = 0;
  with_threads(2, [&] {
    TaskGroup group;
    for (int i = 0; i < 10; ++i) group.run([&] { ++ran; });
  });
  EXPECT_EQ(ran, 10);
}

TEST(RunTasks, AWaitingThreadStartsNothingElse) {
  with_threads(3, [] {
    PerWorker<int> depth;
    std::atomic<int> ran = 0;
    parallel_for(200, 1, [&](std::size_t, std::size_t) {
      EXPECT_EQ(depth.local(), 0);
      ++depth.local();
      run_tasks([&](TaskGroup& tasks) {
        for (int i = 0; i < 5; ++i) {
          tasks.run([&] { tasks.run([&] { ++ran; }); });
        }
      });
      --depth.local();
    });
    EXPECT_EQ(ran, 1000);
  });
}

TEST(RunTasks, EndsAllTasksWhereTheFirstThrows) {
  std::atomic<int> ran = 0;
  with_threads(2, [&] {
    EXPECT_THROW(run_tasks([&](TaskGroup& tasks) {
                   for (int i = 0; i < 20; ++i) tasks.run([&] { ++ran; });
                   throw std::runtime_error("first");
                 }),
                 std::runtime_error);
    EXPECT_EQ(ran, 20);
  });
}

TEST(ParallelInOrder, VisitsEveryPlaceOnceAndStartsThemInOrder) {
  for (const int threads : {1, 3}) {
    std::vector<std::size_t> started;
    std::mutex mutex;
    with_threads(threads, [&] {
      parallel_in_order(100, [&](std::size_t i) {
        const std::lock_guard lock(mutex);
        started.push_back(i);
      });
    });
    ASSERT_EQ(started.size(), 100u);
    if (threads == 1) {
      EXPECT_TRUE(std::ranges::is_sorted(started));
    }
    EXPECT_EQ(std::set<std::size_t>(started.begin(), started.end()).size(), 100u);
  }
}

TEST(RunTasks, ThrowsWhatATaskThrew) {
  with_threads(2, [] {
    EXPECT_THROW(run_tasks([](TaskGroup& tasks) { tasks.run([] { throw std::runtime_error("task"); }); }),
                 std::runtime_error);
  });
}

}  // namespace
}  // namespace xylem
