#include "emulator/sched/worker_pool.h"

#include <pthread.h>

#include <algorithm>

namespace wedjat::sched {

WorkerPool& WorkerPool::shared() {
  // Never destroyed. A child after fork() has the pool but not its threads, which a condition still counts as
  // waiting: it begins with a new one.
  static WorkerPool* pool = [] {
    pthread_atfork(nullptr, nullptr, [] { pool = new WorkerPool; });
    return new WorkerPool;
  }();
  return *pool;
}

WorkerPool::~WorkerPool() {
  {
    const std::lock_guard lock(mutex_);
    over_ = true;
  }
  wake_.notify_all();
  for (std::thread& thread : threads_) thread.join();
}

void WorkerPool::run(unsigned helpers, const std::function<void()>& work) {
  if (helpers == 0) return work();
  Job job{.work = work, .wanted = helpers, .done = {}};
  {
    const std::lock_guard lock(mutex_);
    while (threads_.size() < helpers)
      threads_.emplace_back([this, number = static_cast<unsigned>(threads_.size()) + 1] { serve(number); });
    jobs_.push_back(&job);
  }
  if (helpers == 1)
    wake_.notify_one();
  else
    wake_.notify_all();
  work();
  std::unique_lock lock(mutex_);
  std::erase(jobs_, &job);
  job.done.wait(lock, [&] { return job.active == 0; });
}

void WorkerPool::serve(unsigned number) {
  number_ = number;
  std::unique_lock lock(mutex_);
  for (;;) {
    wake_.wait(lock, [&] { return over_ || !jobs_.empty(); });
    if (over_) return;
    Job& job = *jobs_.front();
    if (--job.wanted == 0) jobs_.pop_front();
    ++job.active;
    lock.unlock();
    job.work();
    lock.lock();
    if (--job.active == 0) job.done.notify_one();
  }
}

}  // namespace wedjat::sched
