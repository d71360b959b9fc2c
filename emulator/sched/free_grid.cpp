// Kernels without ordered steps: threads take CTAs of their hands and run each to its end.
#include <algorithm>
#include <atomic>
#include <deque>
#include <mutex>
#include <thread>

#include "emulator/exec/access/kept_writes.h"
#include "emulator/exec/access/recent_accesses.h"
#include "emulator/exec/warp/compiled.h"
#include "emulator/sched/assertions.h"
#include "emulator/sched/deal.h"
#include "emulator/sched/worker.h"
#include "emulator/sched/worker_pool.h"

namespace wedjat::sched {

namespace {

// CTAs a thread keeps unfinished. One that ran long goes to the back, for it may be waiting for a later one.
constexpr std::size_t most_resident = 64;

class FreeGrid {
 public:
  explicit FreeGrid(const exec::Launch& launch)
      : launch_(launch),
        most_resident_(one_by_one(launch) ? resident_on_device(launch) : most_resident),
        threads_(threads_for(launch)),
        deal_(clusters(launch), threads_),
        keeping_(launch.kept == nullptr ? 0 : launch.kept->pieces(), threads_),
        end_(clusters(launch)) {}

  Statistics run() {
    const std::uint64_t all = end_;
    if (course_ != nullptr) course_->begin(all, threads_);
    WorkerPool::shared().run(threads_ - 1, [&] { work(threads_ > 1); });
    if (course_ != nullptr) course_->drop(deal_.left());
    if (fault_.error && (!assertions_.any() || fault_.index < assertions_.first()))
      std::rethrow_exception(fault_.error);
    if (assertions_.any()) throw assertions_.all();
    return statistics_;
  }

 private:
  using Slot = std::unique_ptr<Cluster>;

  void work(bool concurrent) {
    try {
      std::optional<exec::Watch> watch = make_watch(launch_);
      exec::MemoryPort port = make_port(launch_, concurrent, watch ? &*watch : nullptr);
      Statistics mine;
      std::deque<Slot> running;  // that have begun; the next to go on at the back
      std::vector<Slot> idle;
      Followers taken;
      const unsigned hand = deal_.own(WorkerPool::number());
      if (launch_.kept != nullptr) keep_writes();
      for (;;) {
        Slot cta;
        if (running.size() < most_resident_ && claim(taken, hand, port.watch)) {
          cta = begun(taken.next++, idle);
        } else if (!running.empty()) {
          cta = std::move(running.back());
          running.pop_back();
        } else {
          break;
        }
        switch (advance(*cta, port, taken)) {
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
      if (watch) watch->finish();
      if (launch_.observer == nullptr) exec::remember_accesses(launch_.kernel, std::move(port));
      const std::lock_guard lock(mutex_);
      statistics_.ctas += mine.ctas;
      statistics_.warp_instructions += mine.warp_instructions;
      statistics_.steps += mine.steps;
      statistics_.native_steps += mine.native_steps;
      statistics_.thread_instructions += mine.thread_instructions;
    } catch (...) {
      fail(0);  // no memory for a slot
    }
  }

  // All threads together; nobody goes on before everything is kept.
  void keep_writes() {
    const unsigned hand = keeping_.own(WorkerPool::number());
    for (;;) {
      const Deal::Claim claim = keeping_.take(hand);
      if (claim.first == claim.end) break;
      for (std::uint64_t piece = claim.first; piece < claim.end; ++piece) launch_.kept->keep(piece);
      kept_.fetch_add(claim.end - claim.first, std::memory_order_acq_rel);
    }
    while (kept_.load(std::memory_order_acquire) != launch_.kept->pieces()) std::this_thread::yield();
  }

  enum class Outcome { finished, failed, unfinished };

  // True if there is one to begin.
  bool claim(Followers& taken, unsigned hand, exec::Watch* watch) {
    while (taken.next >= std::min(taken.end, end_.load(std::memory_order_relaxed))) {
      const Deal::Claim claim = deal_.take(hand);
      if (claim.first == claim.end) return false;
      if (claim.elsewhere && watch != nullptr) watch->turn_back();
      taken = {claim.first, claim.end};
      if (course_ != nullptr) course_->take(claim.end - claim.first);
    }
    return true;
  }

  Slot begun(std::uint64_t index, std::vector<Slot>& idle) {
    if (idle.empty()) idle.push_back(std::make_unique<Cluster>(launch_, nullptr, progress_));
    idle.back()->begin(index);
    Slot cta = std::move(idle.back());
    idle.pop_back();
    return cta;
  }

  Outcome advance(Cluster& cta, exec::MemoryPort& port, Followers& taken) {
    if (cta.index() >= end_.load(std::memory_order_relaxed)) return Outcome::failed;
    try {
      return cta.run(port, &taken) == Stop::finished ? Outcome::finished : Outcome::unfinished;
    } catch (const exec::Abandoned&) {
      fail(0);
      return Outcome::failed;
    } catch (const exec::Assertion& failed) {
      const std::lock_guard lock(mutex_);
      assertions_.add(cta.index(), failed);
      stop_behind();
      return Outcome::failed;
    } catch (...) {
      fail(cta.index());
      return Outcome::failed;
    }
  }

  // CTAs before the one that failed still run, for one of them may fail too: the first by index is the one
  // reported.
  void fail(std::uint64_t index) {
    const std::lock_guard lock(mutex_);
    fault_.add(index, std::current_exception());
    stop_behind();
  }
  void stop_behind() {
    const std::uint64_t end = std::min(fault_.index, assertions_.end());
    end_.store(std::min(end, end_.load(std::memory_order_relaxed)), std::memory_order_relaxed);
  }

  // Each on a line of its own: all threads read `end_` all the time.
  const exec::Launch& launch_;
  exec::Course* const course_ = launch_.native == nullptr ? nullptr : &launch_.native->course;
  Progress progress_{launch_};
  const std::uint64_t most_resident_;
  const unsigned threads_;
  Deal deal_, keeping_;  // of clusters, and of what is kept before any of them runs
  std::atomic<std::uint64_t> kept_{0};
  alignas(64) std::atomic<std::uint64_t> end_;  // CTAs from here on do not run
  alignas(64) std::mutex mutex_;
  FirstFault fault_;
  Assertions assertions_{launch_};
  Statistics statistics_;
};

}  // namespace

Statistics run_free(const exec::Launch& launch) { return FreeGrid(launch).run(); }

}  // namespace wedjat::sched
