// Tries the changes of a pass, several at once, with the same outcome as one after the other.
#pragma once
#include <chrono>
#include <cstdint>
#include <functional>
#include <string>
#include <unordered_set>

#include "cli/reduce/pass.h"
#include "cli/reduce/verdict.h"

namespace wedjat::reduce {

class Search {
 public:
  using Progress = std::function<void(const std::string& pass, std::uint64_t done, std::uint64_t all)>;

  /// From when it is made on.
  class Limit {
   public:
    explicit Limit(double seconds) : seconds_(seconds) {}
    bool over() const {
      return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin_).count() > seconds_;
    }

   private:
    std::chrono::steady_clock::time_point begin_ = std::chrono::steady_clock::now();
    double seconds_;
  };

  /// `threads`: 0 means as many as there are cores. No candidate is begun after the limit.
  Search(const Verdict& verdict, unsigned threads, Progress progress, Limit limit);

  /// Applies every change of the pass after which the verdict still holds. True if there was one.
  bool run(const Pass& pass, Case& best);
  std::uint64_t tried() const { return tried_; }
  bool late() const { return late_; }  ///< it was ended by its limit

 private:
  struct Candidate {
    std::size_t change = 0;
    Case changed;
    bool holds = false;
  };
  void ask(std::vector<Candidate>& window) const;

  const Verdict& verdict_;
  unsigned threads_;
  Progress progress_;
  Limit limit_;
  bool late_ = false;
  std::uint64_t tried_ = 0;
  std::unordered_set<std::size_t> refused_;  ///< hashes of texts of which the verdict does not hold
};

}  // namespace wedjat::reduce
