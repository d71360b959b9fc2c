// Kernels with ordered steps: CTAs run on any thread, but do such steps only in their turn.
#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <deque>
#include <mutex>
#include <set>
#include <unordered_map>

#include "emulator/exec/access/recent_accesses.h"
#include "emulator/sched/assertions.h"
#include "emulator/sched/turns.h"
#include "emulator/sched/worker.h"
#include "emulator/sched/worker_pool.h"

namespace wedjat::sched {

namespace {

// CTAs each thread may start before their turn has come: they hold memory while they wait for it.
constexpr std::uint64_t ahead_of_turn = 16;
// How far they may be ahead: those that finished before their turn are remembered by index.
constexpr std::uint64_t furthest_ahead = 1 << 14;

// Fewer if their local memory is large.
std::uint64_t held_ahead(const exec::Launch& launch) {
  constexpr std::uint64_t most_bytes = 1u << 30;
  const std::uint64_t each =
      std::max<std::uint64_t>(1, local_bytes(launch) * launch.block.count() * launch.cluster.count());
  return std::clamp<std::uint64_t>(most_bytes / each, 1, ahead_of_turn);
}

bool is_assertion(const std::exception_ptr& error) {
  try {
    std::rethrow_exception(error);
  } catch (const exec::Assertion&) {
    return true;
  } catch (...) {
    return false;
  }
}

class TurnGrid {
 public:
  explicit TurnGrid(const exec::Launch& launch)
      : launch_(launch),
        ctas_(clusters(launch)),
        turns_(ctas_, resident_on_device(launch)),
        most_unfinished_(one_by_one(launch) ? resident_on_device(launch)
                                            : threads_for(launch) * held_ahead(launch)),
        turn_(turns_.current()) {}

  Statistics run() {
    threads_ = threads_for(launch_);
    WorkerPool::shared().run(threads_ - 1, [&] { work(); });
    if (error_) std::rethrow_exception(error_);
    if (assertions_.any()) throw assertions_.all();
    return statistics_;
  }

 private:
  using Slot = std::unique_ptr<Cluster>;

  void work() {
    std::unique_lock lock(mutex_);
    try {
      std::optional<exec::Watch> watch = make_watch(launch_);
      // Only who has the turn updates device memory.
      exec::MemoryPort port = make_port(launch_, false, watch ? &*watch : nullptr);
      while (Slot cta = next(lock)) {
        lock.unlock();
        Stop stop = Stop::finished;
        std::exception_ptr error;
        try {
          stop = cta->run(port);
        } catch (...) {
          error = std::current_exception();
        }
        lock.lock();
        settle(std::move(cta), stop, std::move(error));
      }
      if (launch_.observer == nullptr) exec::remember_accesses(launch_.kernel, std::move(port));
    } catch (...) {  // no memory for a slot
      if (!lock.owns_lock()) lock.lock();
      end(std::current_exception());
    }
  }

  // A CTA to run now; waits for one if need be. Null: the launch is over.
  Slot next(std::unique_lock<std::mutex>& lock) {
    for (;;) {
      if (over_) return nullptr;
      const std::uint64_t current = turns_.current();
      if (const auto parked = parked_.find(current); parked != parked_.end()) {
        Slot cta = std::move(parked->second);
        parked_.erase(parked);
        return cta;
      }
      const bool room = next_start_ < std::min(ctas_, end_of_failed_) && unfinished_ < most_unfinished_ &&
                        next_start_ < turns_.next_new() + furthest_ahead;
      if (next_start_ == current || room) return start();
      if (!ready_.empty()) {
        Slot cta = std::move(ready_.front());
        ready_.pop_front();
        return cta;
      }
      changed_.wait(lock);
    }
  }

  Slot start() {
    if (idle_.empty()) idle_.push_back(std::make_unique<Cluster>(launch_, &turn_, progress_));
    Slot cta = std::move(idle_.back());
    idle_.pop_back();
    cta->begin(next_start_++);
    ++unfinished_;
    return cta;
  }

  void settle(Slot cta, Stop stop, std::exception_ptr error) {
    const std::uint64_t index = cta->index();
    const bool abandoned = launch_.watch != nullptr && launch_.watch->abandoned();
    if (error && (abandoned || exec::interruption != 0)) {
      end(std::move(error));
    } else if (error) {
      // Others before it by turn may still run: the fault counts when its turn comes.
      end_of_failed_ =
          std::min(end_of_failed_, index + (is_assertion(error) ? resident_on_device(launch_) : 0));
      failed_.emplace(index, std::move(error));
      retire(std::move(cta));
    } else if (stop == Stop::finished) {
      add(statistics_, *cta);
      finished_.insert(index);
      retire(std::move(cta));
    } else if (stop == Stop::turn) {
      parked_.emplace(index, std::move(cta));
    } else {
      if (stop == Stop::turn_over) pass(false);
      ready_.push_back(std::move(cta));
    }
    // The turn goes past those that are done.
    while (!over_) {
      const std::uint64_t current = turns_.current();
      if (current == Turns::nobody || current >= assertions_.end()) {
        end(nullptr);
      } else if (const auto failure = failed_.find(current); failure != failed_.end()) {
        fail(current, failure->second);
      } else if (finished_.erase(current) != 0) {
        pass(true);
      } else {
        break;
      }
    }
    changed_.notify_all();
  }

  // It is the CTA's turn, and it failed.
  void fail(std::uint64_t cta, const std::exception_ptr& error) {
    try {
      std::rethrow_exception(error);
    } catch (const exec::Assertion& failed) {
      assertions_.add(cta, failed);
      failed_.erase(cta);
      pass(true);
    } catch (...) {
      end(assertions_.any() ? nullptr : error);
    }
  }

  void pass(bool finished) {
    turns_.pass(finished);
    if (launch_.watch != nullptr) launch_.watch->turned = static_cast<std::uint32_t>(turns_.next_new());
    turn_.store(turns_.current(), std::memory_order_release);
  }

  void retire(Slot cta) {
    --unfinished_;
    idle_.push_back(std::move(cta));
  }

  void end(std::exception_ptr error) {
    over_ = true;
    error_ = std::move(error);
    changed_.notify_all();
  }

  const exec::Launch& launch_;
  Progress progress_{launch_};
  const std::uint64_t ctas_;
  unsigned threads_ = 1;
  std::mutex mutex_;
  std::condition_variable changed_;
  Turns turns_;
  const std::uint64_t most_unfinished_;
  std::atomic<std::uint64_t> turn_;
  std::uint64_t next_start_ = 0;  // CTAs start in index order
  std::uint64_t unfinished_ = 0;
  std::unordered_map<std::uint64_t, Slot> parked_;  // need their turn
  std::deque<Slot> ready_;                          // stopped, but can go on
  std::vector<Slot> idle_;
  std::set<std::uint64_t> finished_;  // before their turn came
  std::unordered_map<std::uint64_t, std::exception_ptr> failed_;
  std::uint64_t end_of_failed_ = ~std::uint64_t{0};
  Assertions assertions_{launch_};
  bool over_ = false;
  std::exception_ptr error_;
  Statistics statistics_;
};

}  // namespace

Statistics run_in_turns(const exec::Launch& launch) { return TurnGrid(launch).run(); }

}  // namespace wedjat::sched
