// Kernels without ordered steps: threads take CTAs by index and run each to its end.
#include <algorithm>
#include <atomic>
#include <deque>
#include <mutex>

#include "emulator/sched/worker.h"

namespace wedjat::sched {

namespace {

// CTAs a thread keeps unfinished. One that ran long goes to the back, for it may be waiting for a later one.
constexpr std::size_t most_resident = 64;

class FreeGrid {
 public:
  explicit FreeGrid(const exec::Launch& launch) : launch_(launch), end_(clusters(launch)) {}

  Statistics run() {
    const auto threads = static_cast<unsigned>(
        std::max<std::uint64_t>(1, std::min<std::uint64_t>(end_, launch_.options.threads)));
    on_threads(threads, [&] { work(threads > 1); });
    if (fault_.error) std::rethrow_exception(fault_.error);
    return statistics_;
  }

 private:
  using Slot = std::unique_ptr<Cluster>;

  void work(bool concurrent) {
    try {
      exec::MemoryPort port = make_port(launch_, concurrent);
      Statistics mine;
      std::deque<Slot> running;  // the next to run at the back
      std::vector<Slot> idle;
      for (;;) {
        if (running.size() < most_resident) start(running, idle);
        if (running.empty()) break;
        Slot cta = std::move(running.back());
        running.pop_back();
        switch (advance(*cta, port)) {
          case Outcome::finished:
            add(mine, *cta);
            [[fallthrough]];
          case Outcome::failed:
            idle.push_back(std::move(cta));
            break;
          case Outcome::unfinished:
            running.push_front(std::move(cta));
            break;
        }
      }
      const std::lock_guard lock(mutex_);
      statistics_.ctas += mine.ctas;
      statistics_.warp_instructions += mine.warp_instructions;
      statistics_.thread_instructions += mine.thread_instructions;
    } catch (...) {
      fail(0);  // no memory for a slot
    }
  }

  enum class Outcome { finished, failed, unfinished };

  void start(std::deque<Slot>& running, std::vector<Slot>& idle) {
    if (next_.load(std::memory_order_relaxed) >= end_.load(std::memory_order_relaxed)) return;
    const std::uint64_t index = next_.fetch_add(1, std::memory_order_relaxed);
    if (index >= end_.load(std::memory_order_relaxed)) return;
    if (idle.empty()) idle.push_back(std::make_unique<Cluster>(launch_, nullptr));
    idle.back()->begin(index);
    running.push_back(std::move(idle.back()));
    idle.pop_back();
  }

  Outcome advance(Cluster& cta, exec::MemoryPort& port) {
    if (cta.index >= end_.load(std::memory_order_relaxed)) return Outcome::failed;
    try {
      return cta.run(port) == Stop::finished ? Outcome::finished : Outcome::unfinished;
    } catch (...) {
      fail(cta.index);
      return Outcome::failed;
    }
  }

  // CTAs before the one that failed still run, for one of them may fail too: the first by index is the one
  // reported.
  void fail(std::uint64_t index) {
    const std::lock_guard lock(mutex_);
    fault_.add(index, std::current_exception());
    end_.store(fault_.index, std::memory_order_relaxed);
  }

  const exec::Launch& launch_;
  std::atomic<std::uint64_t> next_{0};
  std::atomic<std::uint64_t> end_;  // CTAs from here on do not run
  std::mutex mutex_;
  FirstFault fault_;
  Statistics statistics_;
};

}  // namespace

Statistics run_free(const exec::Launch& launch) { return FreeGrid(launch).run(); }

}  // namespace wedjat::sched
