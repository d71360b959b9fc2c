// The measured model: a warp issues in order, and an instruction waits for the registers it reads. README.md
// says what it leaves out.
#pragma once
#include <algorithm>
#include <cstdint>
#include <map>
#include <string_view>
#include <wedjat/tool.hpp>

#include "measured_times.h"

namespace warp_timeline {

namespace h200 = wedjat::h200;

/// Latency and issue interval of one instruction; `measured` says whether the table has it.
struct Cost {
  std::uint64_t latency = 4, interval = 1;
  bool measured = false;
};

inline Cost measured_cost(const wedjat_instruction& at) {
  if (at.access_count != 0 && at.accesses[0].reads && !at.accesses[0].atomic) {
    const auto space = at.accesses[0].space;
    if (space == WEDJAT_SHARED || space == WEDJAT_SHARED_CLUSTER) return {h200::shared, 1, true};
    if (space == WEDJAT_CONST || space == WEDJAT_PARAM) return {h200::constant, 1, true};
    return {h200::l2, 1, true};
  }
  const std::string_view form = at.form;
  const auto* const end = std::end(h200::forms);
  const auto* const found =
      std::lower_bound(std::begin(h200::forms), end, form,
                       [](const h200::FormTimes& one, std::string_view name) { return one.form < name; });
  if (found == end || found->form != form) return {};
  return {found->latency, found->interval, true};
}

/// When the instructions of a straight line issue, and when the last of their results is there.
class Scoreboard {
 public:
  void issue(const wedjat_instruction& at, const Cost& cost) {
    std::uint64_t start = now_;
    if (at.guard != nullptr) start = std::max(start, ready(at.guard_register));
    each_register(at, false, [&](std::uint32_t one) { start = std::max(start, ready(one)); });
    now_ = start + cost.interval;
    end_ = std::max({end_, now_, start + cost.latency});
    each_register(at, true, [&](std::uint32_t one) { ready_[one] = start + cost.latency; });
  }
  std::uint64_t cycles() const { return end_; }

 private:
  std::uint64_t ready(std::uint32_t one) const {
    const auto found = ready_.find(one);
    return found == ready_.end() ? 0 : found->second;
  }
  template <class Do>
  static void each_register(const wedjat_instruction& at, bool written, Do what) {
    for (const wedjat_operand& operand : wedjat::operands(at)) {
      if (operand.registers == nullptr || (written ? operand.out == 0 : operand.in == 0)) continue;
      const std::uint32_t count = operand.kind == WEDJAT_ADDRESS ? 1 : operand.count;
      for (std::uint32_t i = 0; i < count; ++i)
        if (operand.registers[i] != WEDJAT_NO_REGISTER) what(operand.registers[i]);
    }
  }

  std::uint64_t now_ = 0, end_ = 0;
  std::map<std::uint32_t, std::uint64_t> ready_;  // by register
};

}  // namespace warp_timeline
