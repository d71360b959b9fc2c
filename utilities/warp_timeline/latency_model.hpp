// The stated model: what an instruction costs, and where a CTA runs. README.md says it.
#pragma once
#include <algorithm>
#include <cstdint>
#include <string_view>
#include <vector>
#include <wedjat/tool.hpp>

namespace warp_timeline {

struct Latencies {
  std::uint64_t alu = 4, shared = 30, global = 400, store = 4, atomic = 400, barrier = 20;

  std::uint64_t of(const wedjat_instruction& at) const {
    if (at.what & WEDJAT_BARRIER) return barrier;
    if (at.access_count == 0) return alu;
    const wedjat_access& access = at.accesses[0];
    if (access.atomic) return atomic;
    if (!access.reads) return store;
    const bool is_near = access.space == WEDJAT_SHARED || access.space == WEDJAT_SHARED_CLUSTER ||
                         access.space == WEDJAT_CONST || access.space == WEDJAT_PARAM;
    return is_near ? shared : global;
  }
};

/// Places on SMs where CTAs run one after the other.
class Places {
 public:
  Places(std::uint64_t sms, std::uint64_t resident) : resident_(resident), free_from_(sms * resident) {}

  void all_free_from(std::uint64_t time) { std::ranges::fill(free_from_, time); }
  std::uint64_t sm_of(std::uint64_t cta) const { return cta % (free_from_.size() / resident_); }
  /// The place of the CTA's SM that is free first, taken until leave().
  std::size_t enter(std::uint64_t cta) {
    const auto first = free_from_.begin() + static_cast<std::ptrdiff_t>(sm_of(cta) * resident_);
    return static_cast<std::size_t>(std::min_element(first, first + static_cast<std::ptrdiff_t>(resident_)) -
                                    free_from_.begin());
  }
  std::uint64_t free_from(std::size_t place) const { return free_from_[place]; }
  void leave(std::size_t place, std::uint64_t time) { free_from_[place] = std::max(free_from_[place], time); }
  std::uint64_t last() const { return *std::ranges::max_element(free_from_); }

 private:
  std::uint64_t resident_;
  std::vector<std::uint64_t> free_from_;  // by SM, then place
};

}  // namespace warp_timeline
