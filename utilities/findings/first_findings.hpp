// Findings of handlers on several host threads, told as one thread would.
#pragma once
#include <algorithm>
#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <tuple>
#include <utility>
#include <vector>
#include <wedjat/tool.hpp>

namespace findings {

/// A finding of a launch that runs.
struct Noted {
  wedjat_severity severity = WEDJAT_ERROR;
  std::string kind, message;
  const wedjat_instruction* at = nullptr;
  std::uint64_t cta = 0;
  std::uint32_t thread = 0;

  wedjat_finding of(const wedjat_launch& launch) const {
    return {sizeof(wedjat_finding),
            static_cast<std::uint32_t>(severity),
            kind.c_str(),
            message.c_str(),
            &launch,
            at,
            cta,
            thread};
  }
};

/// Each key is told once: of the least CTA that notes it, the first time it does. All that a CTA notes comes
/// from one thread.
template <class Key>
class FirstFindings {
 public:
  void launch_begin(const wedjat_launch& launch) { parts_.begin(launch); }
  /// Whether nothing comes of it if this CTA notes the key now.
  bool is_known(std::uint32_t thread, std::uint64_t cta, const Key& key) {
    if (told_.contains(key)) return true;
    const auto& noted = parts_[thread].noted;
    const auto found = noted.find(key);
    return found != noted.end() && found->second.what.cta <= cta;
  }
  /// In an earlier launch.
  bool is_told(const Key& key) const { return told_.contains(key); }
  /// What is_known() does not know.
  void note(std::uint32_t thread, const Key& key, Noted what) {
    Part& part = parts_[thread];
    part.noted.insert_or_assign(key, Entry{std::move(what), part.sequence++});
  }
  /// Keys that were told, and those that this thread noted.
  std::size_t count(std::uint32_t thread) { return told_.size() + parts_[thread].noted.size(); }
  /// When the launch has ended: calls tell(Noted) for each.
  template <class Tell>
  void launch_end(Tell tell) {
    std::map<Key, Entry> all;
    parts_.each([&](Part& part) {
      for (auto& [key, entry] : part.noted) {
        const auto [found, is_new] = all.try_emplace(key, entry);
        if (!is_new && entry.what.cta < found->second.what.cta) found->second = std::move(entry);
      }
      part = {};
    });
    std::vector<const Entry*> in_order;
    for (const auto& [key, entry] : all) in_order.push_back(&entry), told_.insert(key);
    std::ranges::sort(in_order, {}, [](const Entry* e) { return std::pair(e->what.cta, e->sequence); });
    for (const Entry* entry : in_order) tell(entry->what);
  }
  /// All may be told again.
  void forget() { told_.clear(); }

 private:
  struct Entry {
    Noted what;
    std::uint64_t sequence;  // of what its thread noted, and so of its CTA
  };
  struct Part {
    std::map<Key, Entry> noted;
    std::uint64_t sequence = 0;
  };
  wedjat::PerThread<Part> parts_;
  std::set<Key> told_;  // nothing changes it while a launch runs
};

}  // namespace findings
