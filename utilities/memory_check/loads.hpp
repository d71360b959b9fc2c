// Loads of bytes that nobody wrote, and where what they loaded first mattered.
#pragma once
#include <algorithm>
#include <cstdint>
#include <deque>
#include <map>
#include <mutex>
#include <set>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>
#include <wedjat/tool.hpp>

#include "shadow.hpp"

namespace memory_check {

inline constexpr const char* uninitialised_register = "uninitialised-register";

/// One for all loads of an instruction in a launch: the first of the least CTA.
struct Load {
  wedjat_launch launch;
  const wedjat_instruction* at;
  std::uint64_t cta;
  std::uint32_t thread;
  const char* kind;
  std::string what;
};

/// What depends on a value that is undefined.
struct Reached {
  std::uint64_t cta = 0;
  std::uint32_t thread = 0;
  std::string how;
};

class Loads {
 public:
  /// Launch, instruction or register, and whether it is a register.
  using Key = std::tuple<std::uint64_t, std::uint32_t, bool>;

  void launch_begin(const wedjat_launch& launch) {
    parts_.begin(launch);
    parts_.each([](Part& part) { part = {}; });
  }
  /// The number of a load that this CTA need not tell any more; 0: there is none.
  Origin find(std::uint32_t thread, std::uint64_t cta, const Key& key) {
    const auto& known = parts_[thread].known;
    const auto found = known.find(key);
    return found != known.end() && found->second.first <= cta ? found->second.second : 0;
  }
  Origin add(std::uint32_t thread, const Key& key, Load load) {
    Part& part = parts_[thread];
    const std::lock_guard lock(mutex_);
    const auto [number, is_new] = numbers_.try_emplace(key, static_cast<Origin>(all_.size() + 1));
    if (is_new) all_.emplace_back();
    Entry& entry = all_[number->second - 1];
    part.known[key] = {load.cta, number->second};
    if (is_new || load.cta < entry.load.cta) entry.load = std::move(load), entry.sequence = part.sequence++;
    return number->second;
  }
  /// A handler of the launch that runs sees that something depends on it. `how` is asked for if that is news.
  template <class How>
  void reach(std::uint32_t thread, Origin origin, std::uint64_t cta, const How& how) {
    Part& part = parts_[thread];
    const auto [mine, is_new] = part.reached.try_emplace(origin, cta);
    if (!is_new && mine->second <= cta) return;
    mine->second = cta;
    const std::lock_guard lock(mutex_);
    Entry& entry = all_[origin - 1];
    if (entry.told || (entry.is_reached && entry.reached.cta <= cta)) return;
    entry.is_reached = true;
    entry.reached = how();
    entry.reached_sequence = part.sequence++;
  }
  /// When the launch has ended: calls tell(Load, Reached) for those that were reached in it, in the order of
  /// CTAs.
  template <class Tell>
  void launch_end(Tell tell) {
    std::vector<Entry*> reached;
    for (Entry& entry : all_)
      if (entry.is_reached && !entry.told) reached.push_back(&entry);
    std::ranges::sort(reached, {},
                      [](const Entry* e) { return std::pair(e->reached.cta, e->reached_sequence); });
    for (Entry* entry : reached) {
      entry->told = true;
      tell(entry->load, entry->reached);
    }
  }
  /// Outside launches: calls tell(Load) for those that were not told, in the order of launches and CTAs.
  template <class Tell>
  void tell_rest(const std::set<Origin>& origins, Tell tell) {
    std::vector<Entry*> rest;
    for (const Origin origin : origins)
      if (!all_[origin - 1].told) rest.push_back(&all_[origin - 1]);
    std::ranges::sort(
        rest, {}, [](const Entry* e) { return std::tuple(e->load.launch.index, e->load.cta, e->sequence); });
    for (Entry* entry : rest) {
      entry->told = true;
      tell(entry->load);
    }
  }
  /// All of memory; what is said of registers only matters if something depends on it.
  std::set<Origin> of_memory() const {
    std::set<Origin> all;
    for (Origin origin = 1; origin <= all_.size(); ++origin)
      if (all_[origin - 1].load.kind != std::string_view(uninitialised_register)) all.insert(origin);
    return all;
  }

 private:
  struct Entry {
    Load load;
    std::uint64_t sequence = 0, reached_sequence = 0;  // of what its thread saw, and so of its CTA
    bool is_reached = false, told = false;
    Reached reached;
  };
  struct Part {  // of a thread: what it need not look for behind the lock
    std::map<Key, std::pair<std::uint64_t, Origin>> known;  // and the least CTA
    std::map<Origin, std::uint64_t> reached;                // by the least CTA
    std::uint64_t sequence = 0;
  };
  wedjat::PerThread<Part> parts_;
  std::mutex mutex_;
  std::deque<Entry> all_;  // Origin: one more than the index
  std::map<Key, Origin> numbers_;
};

}  // namespace memory_check
