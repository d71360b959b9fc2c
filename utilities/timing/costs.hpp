// What an instruction costs, by the tables of semantics/profiles/sm_90_times.
#pragma once
#include <algorithm>
#include <array>
#include <cstdint>
#include <string_view>
#include <wedjat/tool.hpp>

#include "measured_times.h"

namespace timing {

namespace h200 = wedjat::h200;

/// Cycles are counted in sixteenths: an instruction may become half of a machine instruction, on average.
inline constexpr std::uint32_t kParts = 16;

/// What an instruction takes: from its issue until its results are there, slots of the issuing partition, and
/// how long it keeps each pipeline busy.
struct Cost {
  std::uint32_t latency = 0, issue = 0;  // cycles, parts of a cycle
  std::array<std::uint16_t, h200::pipes> busy{};
  bool measured = true;
};

inline Cost cost_of_form(std::string_view form) {
  const auto* const end = std::end(h200::forms);
  const auto* const found =
      std::lower_bound(std::begin(h200::forms), end, form,
                       [](const h200::FormTimes& one, std::string_view name) { return one.form < name; });
  Cost cost;
  if (found == end || found->form != form) {
    cost.latency = h200::usual_latency, cost.issue = kParts, cost.measured = false;
    cost.busy[h200::usual_pipe] = h200::usual_cycles * kParts;
    return cost;
  }
  cost.latency = found->latency, cost.issue = found->issue;
  std::ranges::copy(found->busy, cost.busy.begin());
  return cost;
}

}  // namespace timing
