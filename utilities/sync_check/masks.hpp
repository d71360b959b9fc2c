// Instructions that wait for the lanes of a membermask: who is named, and who came.
#pragma once
#include <array>
#include <cstdint>
#include <optional>
#include <string_view>
#include <wedjat/tool.hpp>

namespace sync_check {

using wedjat::Event;

/// Null: the instruction has none that can be seen.
inline const wedjat_operand* operand_named(const wedjat_instruction& i, std::string_view name) {
  for (const auto& o : wedjat::operands(i))
    if (name == o.name) return &o;
  return nullptr;
}
inline const wedjat_operand* membermask_of(const wedjat_instruction& i) {
  const bool waits = (i.what & WEDJAT_WARP_SYNC) && (i.what & WEDJAT_HAS_ROWS);
  return waits ? operand_named(i, "membermask") : nullptr;
}

/// Lanes that the warp has at all.
inline std::uint32_t lanes_of(const Event& event) {
  const auto& block = event.launch->block;
  const std::uint64_t threads = std::uint64_t{block[0]} * block[1] * block[2] - 32u * event.warp;
  return threads >= 32 ? ~0u : (1u << threads) - 1;
}

inline const std::uint32_t* row_of(const Event& event, const wedjat_operand& operand) {
  return static_cast<const std::uint32_t*>(event.rows[operand.first]);
}

/// Lanes that execute and that their own membermask does not name.
inline std::uint32_t omitted_lanes(const Event& event, const wedjat_operand& membermask) {
  const std::uint32_t* const named = row_of(event, membermask);
  std::uint32_t omitted = 0;
  wedjat::each_lane(event.executed, [&](unsigned lane) { omitted |= ~named[lane] & 1u << lane; });
  return omitted;
}

/// Calls tell(absent lanes, a lane that names them) where lanes that were waited for are missed. `rows` of
/// the event, of after the instruction, hold what it read; `lanes_read` is what Tool::lanes_read says of it.
template <class Tell>
void each_absence(const Event& event, const wedjat_operand& membermask,
                  const std::optional<std::array<std::uint32_t, 32>>& lanes_read, Tell tell) {
  // A barrier of the warp waits for no lane that has ended, and gives no value.
  if (wedjat::is_warp_barrier(*event.instruction)) return;
  const std::uint32_t* const named = row_of(event, membermask);
  wedjat::each_lane(event.executed, [&](unsigned lane) {
    const std::uint32_t absent = named[lane] & ~event.executed;
    const bool is_read = lanes_read && (absent >> (*lanes_read)[lane] & 1) != 0;
    if (is_read || (absent & lanes_of(event)) != 0) tell(absent, lane);
  });
}

/// Calls tell(source, lane) where a lane takes its value from one that neither is named nor executes.
template <class Tell>
void each_unnamed_source(const Event& event, const wedjat_operand& membermask,
                         const std::optional<std::array<std::uint32_t, 32>>& lanes_read, Tell tell) {
  if (!lanes_read) return;
  const std::uint32_t* const named = row_of(event, membermask);
  wedjat::each_lane(event.executed, [&](unsigned lane) {
    const std::uint32_t source = (*lanes_read)[lane];
    if (((named[lane] | event.executed) >> source & 1) == 0) tell(source, lane);
  });
}

}  // namespace sync_check
