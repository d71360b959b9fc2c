// What the lanes of one store write.
#pragma once
#include <algorithm>
#include <array>
#include <cstring>
#include <optional>
#include <utility>
#include <wedjat/tool.hpp>

namespace race_check {

inline constexpr std::size_t most_stored = 64;  // bytes, by one lane

/// What a lane stores; false: the instruction does not say it so simply.
inline bool stored(const wedjat::Event& event, const wedjat_access& what, unsigned lane, char* to) {
  if (event.rows == nullptr || event.instruction->operand_count < 2 || what.bytes > most_stored) return false;
  const wedjat_operand& value = event.instruction->operands[1];
  const std::size_t bytes = value.bits / 8;
  if (value.kind == WEDJAT_ADDRESS || bytes == 0 || what.bytes != bytes * value.count) return false;
  for (unsigned e = 0; e < value.count; ++e)
    std::memcpy(to + e * bytes, wedjat::row<char>(event, 1, e) + bytes * lane, bytes);
  return true;
}

/// Lanes that store where other threads store, too; local memory is each thread's own, also by generic
/// addresses.
inline std::uint32_t lanes_in_common_memory(const wedjat::Event& event, const wedjat_access& what,
                                            const std::uint64_t* address) {
  if (what.space != WEDJAT_GENERIC) return event.executed;
  std::uint32_t lanes = event.executed;
  for (unsigned lane = 0; lane < 32; ++lane)
    lanes &= ~(static_cast<std::uint32_t>(address[lane] - WEDJAT_LOCAL_WINDOW < WEDJAT_LOCAL_WINDOW_BYTES)
               << lane);
  return lanes;
}

/// Two lanes that store different bytes to one place.
inline std::optional<std::pair<unsigned, unsigned>> lanes_that_disagree(const wedjat::Event& event,
                                                                        const wedjat_access& what,
                                                                        const std::uint64_t* address) {
  if (what.space == WEDJAT_LOCAL || what.space == WEDJAT_PARAM || what.lanes != ~0u) return std::nullopt;
  const std::uint32_t storing = lanes_in_common_memory(event, what, address);
  bool apart = true;
  if (storing == ~0u) {  // as most do
    unsigned meet = 0;
    for (unsigned lane = 1; lane < 32; ++lane)
      meet |= static_cast<unsigned>(address[lane] < address[lane - 1] + what.bytes);
    if (meet == 0) return std::nullopt;
  }
  std::array<unsigned, 32> lanes;
  unsigned count = 0;
  wedjat::each_lane(storing, [&](unsigned lane) {
    apart = apart && (count == 0 || address[lane] >= address[lanes[count - 1]] + what.bytes);
    lanes[count++] = lane;
  });
  if (apart) return std::nullopt;
  std::sort(lanes.begin(), lanes.begin() + count,
            [&](unsigned a, unsigned b) { return std::pair(address[a], a) < std::pair(address[b], b); });
  std::array<char, most_stored> low, high;
  for (unsigned i = 1; i < count; ++i) {
    const std::uint64_t between = address[lanes[i]] - address[lanes[i - 1]];
    if (between >= what.bytes) continue;
    if (!stored(event, what, lanes[i - 1], low.data()) || !stored(event, what, lanes[i], high.data()))
      return std::nullopt;
    if (std::memcmp(low.data() + between, high.data(), what.bytes - between) != 0)
      return std::pair(lanes[i - 1], lanes[i]);
  }
  return std::nullopt;
}

}  // namespace race_check
