#include "cli/fuzz/search.h"

#include <algorithm>
#include <chrono>
#include <exception>
#include <mutex>
#include <thread>

namespace wedjat::fuzz {

void search(const Settings& settings, const Seeds& seeds, unsigned threads, double seconds,
            const std::function<void(std::uint32_t seed, const Disagreement* found)>& progress,
            Outcome& outcome) {
  const auto begin = std::chrono::steady_clock::now();
  const auto elapsed = [&] {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  };
  std::uint64_t next = 0;
  std::mutex mutex;
  std::exception_ptr error;
  const auto work = [&] {
    Settings mine = settings;
    for (std::unique_lock lock(mutex); next < seeds.count() && !error && elapsed() < seconds;) {
      mine.program.seed = static_cast<std::uint32_t>(seeds.first + next);
      const auto count =
          static_cast<unsigned>(std::min<std::uint64_t>(settings.together, seeds.count() - next));
      next += count;
      lock.unlock();
      std::map<std::uint32_t, Disagreement> found;
      std::exception_ptr failure;
      try {
        found = try_seeds(mine, count, outcome.spent);
      } catch (...) {
        failure = std::current_exception();
      }
      lock.lock();
      outcome.found.insert(found.begin(), found.end());
      try {
        outcome.tried += count;
        outcome.seconds = elapsed();
        for (const auto& [seed, what] : found) progress(seed, &what);
        progress(mine.program.seed, nullptr);
      } catch (...) {
        failure = std::current_exception();
      }
      if (failure && !error) error = failure;
    }
  };
  std::vector<std::thread> others;
  for (unsigned i = 1; i < threads; ++i) others.emplace_back(work);
  work();
  for (std::thread& other : others) other.join();
  outcome.seconds = elapsed();
  if (error) std::rethrow_exception(error);
}

}  // namespace wedjat::fuzz
