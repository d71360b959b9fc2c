#include "traces/replay/state/contexts.h"

#include <algorithm>
#include <set>

namespace wedjat::traces {

Contexts::Contexts(const Calls& calls) {
  std::set<std::uint64_t> all;
  for (const Call& call : calls.calls)
    for (const Event* event : call.attached) {
      if (event->name != "context") continue;
      all.insert(event->number("context"));
      changes_[event->thread].emplace_back(call.sequence(), event->number("context"));
    }
  if (all.size() < 2) changes_.clear();
  for (auto& [thread, changes] : changes_) std::ranges::stable_sort(changes, {}, &Change::first);
}

std::uint64_t Contexts::of(const Call& call) const {
  const auto thread = changes_.find(call.entry->thread);
  if (thread == changes_.end()) return 0;
  const auto after = std::ranges::upper_bound(thread->second, call.sequence(), {}, &Change::first);
  return after == thread->second.begin() ? 0 : std::prev(after)->second;
}

}  // namespace wedjat::traces
