#include "cli/reduce/search.h"

#include <algorithm>
#include <atomic>
#include <exception>
#include <mutex>
#include <thread>

namespace wedjat::reduce {
namespace {

std::size_t hash_of(const Case& of) { return std::hash<std::string>()(of.text()); }

}  // namespace

Search::Search(const Verdict& verdict, unsigned threads, Progress progress, Limit limit)
    : verdict_(verdict),
      threads_(threads != 0 ? threads : std::max(1u, std::thread::hardware_concurrency())),
      progress_(std::move(progress)),
      limit_(limit) {}

void Search::ask(std::vector<Candidate>& window) const {
  std::atomic<std::size_t> next = 0;
  std::mutex mutex;
  std::exception_ptr error;
  const auto work = [&] {
    for (std::size_t i = next++; i < window.size(); i = next++) {
      try {
        window[i].holds = verdict_.holds(window[i].changed);
      } catch (...) {
        const std::scoped_lock lock(mutex);
        error = std::current_exception();
      }
    }
  };
  std::vector<std::thread> others;
  for (unsigned i = 1; i < threads_ && i < window.size(); ++i) others.emplace_back(work);
  work();
  for (std::thread& other : others) other.join();
  if (error) std::rethrow_exception(error);
}

// A window of candidates is asked at once. The first that holds is taken, and those behind it are forgotten:
// that is what asking one after the other would have come to, with any number of threads.
bool Search::run(const Pass& pass, Case& best) {
  bool any = false;
  for (std::size_t change = 0; change < pass.count(best);) {
    std::vector<Candidate> window;
    while (window.size() < threads_ && change < pass.count(best)) {
      Candidate candidate{change++, best};
      if (!pass.apply(candidate.changed, candidate.change)) continue;
      if (refused_.contains(hash_of(candidate.changed))) continue;
      window.push_back(std::move(candidate));
    }
    late_ = late_ || limit_.over();
    if (late_) break;
    if (progress_) progress_(pass.name(), change, pass.count(best));
    ask(window);
    for (Candidate& candidate : window) {
      ++tried_;
      if (!candidate.holds) {
        refused_.insert(hash_of(candidate.changed));
        continue;
      }
      best = std::move(candidate.changed);
      change = candidate.change;
      any = true;
      break;
    }
  }
  return any;
}

}  // namespace wedjat::reduce
