// Tries the changes of a pass, several at once, with the same outcome as one after the other.
#pragma once
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

  /// `threads`: 0 means as many as there are cores.
  Search(const Verdict& verdict, unsigned threads, Progress progress);

  /// Applies every change of the pass after which the verdict still holds. True if there was one.
  bool run(const Pass& pass, Case& best);
  std::uint64_t tried() const { return tried_; }

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
  std::uint64_t tried_ = 0;
  std::unordered_set<std::size_t> refused_;  ///< hashes of texts of which the verdict does not hold
};

}  // namespace wedjat::reduce
