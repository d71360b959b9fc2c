#include "traces/format/workers.h"

#include <pthread.h>
#include <sched.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <csignal>
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

template <typename Condition>
void stay_awake(std::chrono::microseconds most, const Condition& needed) {
  const auto end = std::chrono::steady_clock::now() + most;
  while (needed() && std::chrono::steady_clock::now() < end) __builtin_ia32_pause();
}

}  // namespace

struct Workers::State {
  explicit State(std::chrono::microseconds how_long) : awake(how_long) {}

  const std::chrono::microseconds awake;
  std::atomic<bool> in_use{false};
  std::mutex mutex;
  std::condition_variable wake, idle;
  std::vector<std::thread> threads;
  pid_t process = 0;  // that the threads were started in
  bool stop = false;
  std::atomic<std::uint64_t> loop{0};  // counts them
  // Who takes part says so in `working` before it looks whether the loop is open, and the owner closes the
  // loop before it looks whether anybody works: so whoever comes needs no lock.
  std::atomic<bool> open{false};
  std::atomic<unsigned> working{0};
  std::atomic<bool> often{false};              // the last loops followed each other closely
  std::chrono::steady_clock::time_point over;  // the last one
  const std::function<void(std::size_t)>* body = nullptr;
  std::size_t count = 0;
  std::atomic<std::size_t> next{0};
  std::exception_ptr error;

  // A process that was forked from theirs has none of the threads.
  bool elsewhere() const { return process != 0 && process != ::getpid(); }

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

  void run() {
    ::pthread_setname_np(::pthread_self(), "wedjat");
    std::uint64_t seen = 0;
    for (;;) {
      if (often.load()) stay_awake(awake, [&] { return loop.load() == seen; });
      if (loop.load() == seen) {
        std::unique_lock lock(mutex);
        wake.wait(lock, [&] { return stop || loop.load() != seen; });
        if (stop) return;
      }
      seen = loop.load();
      ++working;
      if (open.load()) take_part(*body, count);  // else it is over already
      if (--working == 0 && !open.load()) {
        const std::lock_guard lock(mutex);
        idle.notify_all();
      }
    }
  }
};

Workers::Workers(unsigned threads, std::chrono::microseconds awake)
    : threads_(threads), state_(std::make_unique<State>(awake)) {}

Workers::~Workers() {
  if (state_->elsewhere()) {
    static_cast<void>(state_.release());  // threads that are not here still wait on it
    return;
  }
  {
    const std::lock_guard lock(state_->mutex);
    state_->stop = true;
  }
  state_->wake.notify_all();
  for (std::thread& thread : state_->threads) thread.join();
}

void Workers::start() {
  state_->process = ::getpid();
  sigset_t all, before;
  ::sigfillset(&all);
  ::pthread_sigmask(SIG_SETMASK, &all, &before);
  try {
    while (state_->threads.size() + 1 < threads_)
      state_->threads.emplace_back([state = state_.get()] { state->run(); });
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
  if (state_->process == 0) start();
  State& state = *state_;
  {
    const std::lock_guard lock(state.mutex);
    state.body = &body;
    state.count = count;
    state.next.store(0, std::memory_order_relaxed);
    state.error = nullptr;
    state.often.store(std::chrono::steady_clock::now() - state.over < state.awake);
    state.open.store(true);
    ++state.loop;
  }
  // No more are woken than there are steps for.
  if (count > state.threads.size())
    state.wake.notify_all();
  else
    for (std::size_t i = 1; i < count; ++i) state.wake.notify_one();
  state.take_part(body, count);
  state.open.store(false);
  if (state.awake.count() > 0) stay_awake(state.awake, [&] { return state.working.load() != 0; });
  {
    std::unique_lock lock(state.mutex);
    state.idle.wait(lock, [&] { return state.working.load() == 0; });
  }
  const std::exception_ptr error = std::exchange(state.error, nullptr);
  state.over = std::chrono::steady_clock::now();
  state.in_use.store(false);
  if (error) std::rethrow_exception(error);
}

}  // namespace wedjat::traces
