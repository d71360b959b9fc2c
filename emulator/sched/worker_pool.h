// Host threads that outlive launches: to start one costs more than many a launch.
#pragma once
#include <condition_variable>
#include <deque>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

namespace wedjat::sched {

class WorkerPool {
 public:
  /// The pool of this process. Its threads are made when they are first asked for.
  static WorkerPool& shared();

  WorkerPool() = default;
  ~WorkerPool();
  WorkerPool(const WorkerPool&) = delete;
  WorkerPool& operator=(const WorkerPool&) = delete;

  /// Calls `work` on the caller's thread and on up to `helpers` others at the same time, and returns when all
  /// calls have. A helper that has not begun when the caller's own call is done does not begin any more.
  /// `work` must not throw. May be called from several threads at once.
  void run(unsigned helpers, const std::function<void()>& work);
  /// Of the pool's thread that asks, from 1 on; 0: it is none.
  static unsigned number() { return number_; }

 private:
  struct Job {
    const std::function<void()>& work;
    unsigned wanted;      // helpers that may still begin
    unsigned active = 0;  // helpers at work
    std::condition_variable done;
  };
  void serve(unsigned number);

  static inline thread_local unsigned number_ = 0;
  std::mutex mutex_;
  std::condition_variable wake_;
  std::deque<Job*> jobs_;  // those that want helpers
  bool over_ = false;
  std::vector<std::thread> threads_;
};

}  // namespace wedjat::sched
