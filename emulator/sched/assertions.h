// Assertions that CTAs of a launch failed. As on a GPU, those that were there at the same time go on, and may
// fail theirs.
#pragma once
#include <cstdint>
#include <map>

#include "emulator/exec/access/assertion.h"
#include "emulator/exec/cta/launch.h"

namespace wedjat::sched {

class Assertions {
 public:
  explicit Assertions(const exec::Launch& launch) : launch_(launch) {}

  void add(std::uint64_t cta, const exec::Assertion& failed) { failed_.emplace(cta, failed); }
  bool any() const { return !failed_.empty(); }
  /// The first CTA that failed one.
  std::uint64_t first() const { return failed_.begin()->first; }
  /// CTAs from here on need not run: it never grows, and what all() tells is the same from then on.
  std::uint64_t end() const;
  /// As one, in the order of the CTAs.
  exec::Assertion all() const;

 private:
  const exec::Launch& launch_;
  std::map<std::uint64_t, exec::Assertion> failed_;
};

}  // namespace wedjat::sched
