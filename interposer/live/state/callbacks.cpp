#include "interposer/live/state/callbacks.h"

#include <atomic>
#include <condition_variable>
#include <deque>
#include <mutex>
#include <thread>

#include "interposer/live/state/perform.h"

namespace wedjat::live {
namespace {

struct Callbacks {
  std::mutex mutex;
  std::condition_variable changed;
  std::deque<std::function<void()>> waiting;
  std::atomic<int> open = 0;  // that have not ended
  bool has_thread = false;
};

// Never destroyed: its thread ends with the process.
Callbacks& callbacks() {
  static Callbacks& all = *new Callbacks;
  return all;
}

thread_local bool is_inside = false;

void run_all() {
  Callbacks& all = callbacks();
  is_inside = true;
  std::unique_lock lock(all.mutex);
  for (;;) {
    all.changed.wait(lock, [&] { return !all.waiting.empty(); });
    const std::function<void()> next = std::move(all.waiting.front());
    all.waiting.pop_front();
    lock.unlock();
    next();
    lock.lock();
    --all.open;
    all.changed.notify_all();
  }
}

}  // namespace

void call_soon(std::function<void()> function) {
  Callbacks& all = callbacks();
  const std::lock_guard lock(all.mutex);
  all.waiting.push_back(std::move(function));
  ++all.open;
  if (!all.has_thread) std::thread(run_all).detach();
  all.has_thread = true;
  all.changed.notify_all();
}

void wait_for_callbacks() {
  Callbacks& all = callbacks();
  if (all.open.load() == 0 || is_inside || is_forked()) return;
  std::unique_lock lock(all.mutex);
  all.changed.wait(lock, [&] { return all.open.load() == 0; });
}

bool inside_callback() { return is_inside; }

}  // namespace wedjat::live
