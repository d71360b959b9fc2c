// Host threads that outlive launches.
#include "emulator/sched/worker_pool.h"

#include <doctest/doctest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <barrier>
#include <chrono>
#include <mutex>
#include <set>
#include <thread>

using wedjat::sched::WorkerPool;

TEST_CASE("work runs on the caller and its helpers at the same time, and again on the same threads") {
  WorkerPool pool;
  std::set<std::thread::id> seen;
  std::mutex mutex;
  for (int round = 0; round < 100; ++round) {
    std::barrier meet(3);  // hangs unless three threads work at once
    pool.run(2, [&] {
      meet.arrive_and_wait();
      const std::lock_guard lock(mutex);
      seen.insert(std::this_thread::get_id());
    });
  }
  CHECK(seen.size() == 3);
  CHECK(seen.count(std::this_thread::get_id()) == 1);
}

TEST_CASE("all calls have ended when run() returns, and none begins later") {
  WorkerPool pool;
  for (int round = 0; round < 2000; ++round) {
    std::atomic<int> begun{0}, ended{0};
    pool.run(3, [&] {
      ++begun;
      ++ended;
    });
    const int at_return = ended;
    CHECK(at_return >= 1);
    CHECK(at_return <= 4);
    CHECK(begun == at_return);
  }
}

TEST_CASE("several threads may ask at once; without helpers the caller works alone") {
  WorkerPool pool;
  std::atomic<int> alone{0};
  pool.run(0, [&] { ++alone; });
  CHECK(alone == 1);
  std::atomic<int> wrong{0};
  {
    std::vector<std::jthread> callers;
    for (int caller = 0; caller < 4; ++caller)
      callers.emplace_back([&] {
        for (int round = 0; round < 200; ++round) {
          std::atomic<int> calls{0};
          pool.run(2, [&] { ++calls; });
          if (calls < 1 || calls > 3) ++wrong;
        }
      });
  }
  CHECK(wrong == 0);
}

TEST_CASE("a child after fork() has helpers of its own") {
  const auto two_meet = [] {
    std::atomic<int> here{0};
    WorkerPool::shared().run(1, [&] {
      ++here;
      for (int i = 0; i < 2000 && here < 2; ++i) std::this_thread::sleep_for(std::chrono::milliseconds(1));
    });
    return here == 2;
  };
  for (int round = 0; round < 5; ++round) CHECK(two_meet());
  for (int round = 0; round < 5; ++round) {
    const pid_t child = fork();
    if (child == 0) {
      alarm(20);
      _exit(two_meet() && two_meet() ? 0 : 1);
    }
    int status = 0;
    waitpid(child, &status, 0);
    CHECK(WIFEXITED(status));
    CHECK(WEXITSTATUS(status) == 0);
    CHECK(two_meet());
  }
}
