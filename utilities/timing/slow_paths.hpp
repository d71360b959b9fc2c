// Divisions and roots call a slow path for operands that the fast one cannot take: as soon as one lane has
// such.
#pragma once
#include <algorithm>
#include <cstdint>
#include <cstring>
#include <iterator>
#include <string_view>
#include <wedjat/tool.hpp>

#include "measured_times.h"

namespace timing {

namespace h200 = wedjat::h200;

/// Null of forms that have none, or whose was not measured.
inline const h200::SlowPath* slow_path_of(std::string_view form) {
  const auto found = std::ranges::find(h200::slow_paths, form, &h200::SlowPath::form);
  return found == std::end(h200::slow_paths) ? nullptr : found;
}

/// Whether a lane that executes takes it, of operands as they are before.
inline bool takes_slow_path(const wedjat_event& event, const h200::SlowPath& path) {
  const bool is_long = path.bits > 23;
  const auto exponent = [&](unsigned row, unsigned lane) {
    std::uint64_t word = 0;
    const std::size_t bytes = is_long ? 8 : 4;
    std::memcpy(&word, static_cast<const char*>(event.rows[row]) + lane * bytes, bytes);
    return static_cast<int>(word >> path.bits & (is_long ? 2047 : 255));
  };
  const auto is_within = [](int value, const h200::Range& range) {
    return value >= range.first && value <= range.last;
  };
  bool found = false;
  wedjat::each_lane(event.executed, [&](unsigned lane) {
    const wedjat_operand* const operands = event.instruction->operands;
    const int first = exponent(operands[1].first, lane);
    bool is_fast = is_within(first, path.operand);
    if (path.divides) {
      const int second = exponent(operands[2].first, lane);
      is_fast = is_fast && is_within(second, path.divisor) && is_within(first - second, path.quotient);
    }
    found = found || !is_fast;
  });
  return found;
}

}  // namespace timing
