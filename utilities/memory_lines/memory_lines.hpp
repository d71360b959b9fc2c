// The lines of global memory a warp access touches.
#pragma once
#include <array>
#include <wedjat/tool.hpp>

namespace memory_lines {

inline bool watches(const wedjat_instruction& at) {
  return at.access_count != 0 && at.accesses[0].bytes != 0 &&
         (at.accesses[0].space == WEDJAT_GLOBAL || at.accesses[0].space == WEDJAT_GENERIC);
}

/// Lines are 2^shift bytes. visit(line) for each that the first access touches, once, in the order of lanes.
template <class Visit>
void each_line(const wedjat::Event& event, unsigned shift, Visit visit) {
  if (event.addresses == nullptr) return;
  const wedjat_access& access = event.instruction->accesses[0];
  const std::uint64_t* const address = event.addresses[0];
  std::array<std::uint64_t, 64> seen;
  std::size_t count = 0;
  wedjat::each_lane(event.executed, [&](unsigned lane) {
    const std::uint64_t at = address[lane];
    if (access.space == WEDJAT_GENERIC && (at - WEDJAT_SHARED_WINDOW < WEDJAT_SHARED_WINDOW_BYTES ||
                                           at - WEDJAT_LOCAL_WINDOW < WEDJAT_LOCAL_WINDOW_BYTES))
      return;
    const std::uint64_t last = (at + access.bytes - 1) >> shift;
    for (std::uint64_t line = at >> shift; line <= last; ++line) {
      bool known = false;
      for (std::size_t i = count; i-- > 0 && !known;) known = seen[i] == line;
      if (known) continue;
      if (count < seen.size()) seen[count++] = line;
      visit(line);
    }
  });
}

/// Bytes of a line as an option says; 0: no power of two.
inline unsigned shift_of(std::uint64_t bytes) {
  return std::has_single_bit(bytes) ? static_cast<unsigned>(std::countr_zero(bytes)) : 0;
}

}  // namespace memory_lines
