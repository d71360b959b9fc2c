// How far the launches of a kernel have come.
#pragma once
#include <atomic>
#include <cstdint>

namespace wedjat::exec {

/// In clusters of CTAs, of all launches that run the same native code. Threads that run them tell it.
class Course {
 public:
  /// A launch of so many, on so many host threads.
  void begin(std::uint64_t clusters, unsigned threads) {
    threads_.store(threads, std::memory_order_relaxed);
    earlier_.store(begun_.load(std::memory_order_relaxed), std::memory_order_relaxed);
    ahead_.fetch_add(clusters, std::memory_order_relaxed);
  }
  /// Some of them begin; or never will.
  void take(std::uint64_t clusters) {
    begun_.fetch_add(clusters, std::memory_order_relaxed);
    ahead_.fetch_sub(clusters, std::memory_order_relaxed);
  }
  void drop(std::uint64_t clusters) { ahead_.fetch_sub(clusters, std::memory_order_relaxed); }

  /// Of the last launch that began; 0: nobody knows.
  unsigned threads() const { return threads_.load(std::memory_order_relaxed); }

  /// What is still to be done, as a multiple of what was: as much of the launch as it has left, and of
  /// launches as many as there were before it. 1: nobody knows.
  double to_come() const {
    const auto begun = static_cast<double>(begun_.load(std::memory_order_relaxed));
    const auto ahead = static_cast<double>(ahead_.load(std::memory_order_relaxed) +
                                           earlier_.load(std::memory_order_relaxed));
    // Half of the one that runs.
    return begun == 0 ? 1 : (ahead + 0.5) / (begun - 0.5);
  }

 private:
  std::atomic<std::uint64_t> begun_{0}, ahead_{0}, earlier_{0};
  std::atomic<unsigned> threads_{0};
};

}  // namespace wedjat::exec
