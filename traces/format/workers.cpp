#include "traces/format/workers.h"

#include <pthread.h>
#include <sched.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <csignal>
#include <deque>
#include <exception>
#include <mutex>
#include <system_error>
#include <thread>
#include <utility>
#include <vector>

namespace wedjat::traces {

unsigned usable_processors() {
  cpu_set_t set;
  if (::sched_getaffinity(0, sizeof set, &set) == 0) return std::max(1, CPU_COUNT(&set));
  return std::max(1u, std::thread::hardware_concurrency());
}

namespace {

using Clock = std::chrono::steady_clock;

// Waking the threads for the next loop takes as long as so many interruptions.
constexpr unsigned kInterruptions = 4;

template <typename Condition>
void stay_awake(Clock::time_point end, const Condition& needed) {
  while (needed() && Clock::now() < end) __builtin_ia32_pause();
}

}  // namespace

struct Workers::State {
  State(std::chrono::microseconds how_long, const std::atomic<unsigned>& how_often)
      : awake(how_long), interruptions(how_often) {}

  struct Thread {
    std::condition_variable wake;
    std::thread thread;
  };

  const std::chrono::microseconds awake;
  const std::atomic<unsigned>& interruptions;
  std::atomic<bool> in_use{false};
  std::mutex mutex;
  std::condition_variable idle;
  std::vector<std::unique_ptr<Thread>> threads;
  std::atomic<pid_t> process{0};  // that the threads were started in
  bool stop = false;
  std::atomic<std::uint64_t> loop{0};  // counts them
  // Who takes part says so in `working` before it looks whether the loop is open, and the owner closes the
  // loop before it looks whether anybody works: so whoever comes needs no lock.
  std::atomic<bool> open{false};
  std::atomic<unsigned> working{0};
  const std::function<void(std::size_t)>* body = nullptr;
  std::atomic<std::size_t> count{0};
  std::atomic<std::size_t> next{0};
  std::exception_ptr error;
  std::deque<std::function<void()>> tasks;
  std::atomic<std::size_t> waiting{0};     // of them
  std::atomic<Clock::time_point> asked{};  // at_hand(), last

  // A process that was forked from theirs has none of the threads.
  bool elsewhere() const {
    const pid_t of = process.load();
    return of != 0 && of != ::getpid();
  }

  void take_part(const std::function<void(std::size_t)>& step, std::size_t steps) {
    for (std::size_t i; (i = next.fetch_add(1, std::memory_order_relaxed)) < steps;) {
      try {
        step(i);
      } catch (...) {
        next.store(steps, std::memory_order_relaxed);
        const std::lock_guard lock(mutex);
        if (!error) error = std::current_exception();
      }
    }
  }

  // False if it is over already.
  bool join_loop() {
    ++working;
    const bool joined = open.load();
    if (joined) take_part(*body, count);
    if (--working == 0 && !open.load()) {
      const std::lock_guard lock(mutex);
      idle.notify_all();
    }
    return joined;
  }

  // False if others have taken them.
  bool do_task() {
    // Of all who see it one takes the lock, which who brings the next one needs, too.
    std::size_t now = waiting.load();
    while (now != 0 && !waiting.compare_exchange_weak(now, now - 1)) {
    }
    if (now == 0) return false;
    std::unique_lock lock(mutex);
    const std::function<void()> task = std::move(tasks.front());
    tasks.pop_front();
    lock.unlock();
    task();
    return true;
  }

  // The first threads do what can be done by few, so that the others sleep: each that is awake has to be
  // interrupted whenever pages of the process are protected.
  void run(std::size_t number, std::condition_variable& wake) {
    ::pthread_setname_np(::pthread_self(), "wedjat");
    std::uint64_t seen = 0;
    bool often = false;  // its work comes so often that it stays awake
    Clock::time_point last{};
    const auto has_loop = [&] { return loop.load() != seen && number + 1 < count.load(); };
    const auto idles = [&] { return !has_loop() && waiting.load() <= number; };
    for (;;) {
      if (often) stay_awake(last + awake, [&] { return idles() && interruptions < kInterruptions; });
      if (idles()) {
        std::unique_lock lock(mutex);
        wake.wait(lock, [&] { return stop || !idles(); });
        if (stop && idles()) return;
      }
      const auto begin = Clock::now();
      bool worked;
      if (has_loop()) {
        seen = loop.load();
        worked = join_loop();
      } else {
        worked = do_task();
      }
      if (!worked) continue;
      often = begin - last < awake;
      last = Clock::now();
    }
  }
};

Workers::Workers(unsigned threads, std::chrono::microseconds awake)
    : threads_(threads), state_(std::make_unique<State>(awake, interruptions_)) {}

Workers::~Workers() {
  if (state_->elsewhere()) {
    static_cast<void>(state_.release());  // threads that are not here still wait on it
    return;
  }
  {
    const std::lock_guard lock(state_->mutex);
    state_->stop = true;
  }
  for (const auto& one : state_->threads) one->wake.notify_one();
  for (const auto& one : state_->threads) one->thread.join();
}

// With the lock held.
void Workers::start() {
  State& state = *state_;
  state.process = ::getpid();
  sigset_t all, before;
  ::sigfillset(&all);
  ::pthread_sigmask(SIG_SETMASK, &all, &before);
  try {
    while (state.threads.size() + 1 < threads_) {
      auto one = std::make_unique<State::Thread>();
      one->thread = std::thread(
          [&state, number = state.threads.size(), &wake = one->wake] { state.run(number, wake); });
      state.threads.push_back(std::move(one));
    }
  } catch (const std::system_error&) {
    // With fewer threads, then.
  }
  ::pthread_sigmask(SIG_SETMASK, &before, nullptr);
}

void Workers::each(std::size_t count, const std::function<void(std::size_t)>& body) {
  if (count < 2 || threads_ < 2 || state_->elsewhere() || state_->in_use.exchange(true)) {
    for (std::size_t i = 0; i < count; ++i) body(i);
    return;
  }
  State& state = *state_;
  interruptions_ = 0;
  {
    const std::lock_guard lock(state.mutex);
    if (state.process == 0) start();
    state.body = &body;
    state.count = count;
    state.next.store(0, std::memory_order_relaxed);
    state.error = nullptr;
    state.open.store(true);
    ++state.loop;
  }
  // No more are woken than there are steps for.
  for (std::size_t i = 0; i < std::min(count - 1, state.threads.size()); ++i)
    state.threads[i]->wake.notify_one();
  state.take_part(body, count);
  state.open.store(false);
  if (state.awake.count() > 0)
    stay_awake(Clock::now() + state.awake, [&] { return state.working.load() != 0; });
  {
    std::unique_lock lock(state.mutex);
    state.idle.wait(lock, [&] { return state.working.load() == 0; });
  }
  const std::exception_ptr error = std::exchange(state.error, nullptr);
  state.in_use.store(false);
  if (error) std::rethrow_exception(error);
}

bool Workers::to_spare() const { return threads_ > 1 && state_->awake.count() > 0; }

bool Workers::at_hand() {
  State& state = *state_;
  if (!to_spare()) return false;
  const auto now = Clock::now();
  return now - state.asked.exchange(now) < state.awake;
}

bool Workers::later(std::function<void()> task) {
  State& state = *state_;
  if (threads_ < 2 || state.elsewhere()) return false;
  std::unique_lock lock(state.mutex);
  if (state.process == 0) start();
  if (state.threads.empty()) return false;
  state.tasks.push_back(std::move(task));
  const std::size_t number = std::min(++state.waiting, state.threads.size()) - 1;
  lock.unlock();
  state.threads[number]->wake.notify_one();
  return true;
}

}  // namespace wedjat::traces
