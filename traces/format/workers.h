// Threads that share one loop at a time. They live inside recorded applications too: started at the first
// loop, with all signals blocked, and leaked with their owner there.
#pragma once

#include <atomic>
#include <chrono>
#include <cstddef>
#include <functional>
#include <memory>

namespace wedjat::traces {

// Processors this process may run on.
unsigned usable_processors();

class Workers {
 public:
  // So many threads, of which the caller's own is one. Waking one takes as long as many a step: where loops
  // follow each other within `awake`, who has worked looks for more so long before it sleeps.
  explicit Workers(unsigned threads, std::chrono::microseconds awake = {});
  ~Workers();
  Workers(const Workers&) = delete;
  Workers& operator=(const Workers&) = delete;

  // Calls body(0) … body(count - 1), each once, on these threads and the caller's, and returns when all are
  // done; the first exception comes out. A second caller at the same time works alone.
  void each(std::size_t count, const std::function<void(std::size_t)>& body);

  unsigned others() const { return threads_ - 1; }
  // Whether there are, and their work takes the caller's processor from nobody.
  bool to_spare() const;

  // Says that all processors were interrupted on which one of these threads was awake: where that happens
  // time after time without work for them, they sleep at once.
  void interrupted() { interruptions_.fetch_add(1, std::memory_order_relaxed); }

  // Says that there is a task for later(). False where doing it takes the caller less than handing it over:
  // unless work comes so often that these threads are awake, or stay so once woken.
  bool at_hand();
  // One of these threads calls `task`, which throws nothing, when it has no loop to take part in. False, and
  // nothing is called, if there are none but the caller.
  bool later(std::function<void()> task);

 private:
  struct State;
  void start();

  const unsigned threads_;
  std::atomic<unsigned> interruptions_{0};  // since there was work
  std::unique_ptr<State> state_;
};

}  // namespace wedjat::traces
