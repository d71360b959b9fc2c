// Accesses to shared memory of other CTAs of the cluster: they must happen before that CTA ends.
#pragma once
#include <cstdint>
#include <map>
#include <unordered_map>
#include <unordered_set>
#include <utility>

#include "clocks.hpp"
#include "records.hpp"

namespace race_check {

class Lifetimes {
 public:
  struct Visit {
    Actor actor;
    std::uint32_t clock, site;
    unsigned lane;
  };

  void clear() {
    visits_.clear();
    ended_.clear();
  }
  /// Returns whether the CTA has ended already.
  bool visit(std::uint64_t cta, const Record& record, unsigned lane) {
    if (ended_.contains(cta)) return true;
    // The last one of an actor stands for those before it.
    visits_[cta][{record.actor, record.site}] = {record.actor, record.clock, record.site, lane};
    return false;
  }
  /// Calls tell(Visit) for each that the CTA does not know of when it ends.
  template <class Tell>
  void end(std::uint64_t cta, const Clocks& known, Tell tell) {
    ended_.insert(cta);
    const auto mine = visits_.find(cta);
    if (mine == visits_.end()) return;
    for (const auto& [who, visit] : mine->second)
      if (known.of(visit.actor) < visit.clock) tell(visit);
    visits_.erase(mine);
  }

 private:
  std::unordered_map<std::uint64_t, std::map<std::pair<Actor, std::uint32_t>, Visit>> visits_;  // by CTA
  std::unordered_set<std::uint64_t> ended_;
};

}  // namespace race_check
