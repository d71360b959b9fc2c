// The lines of global memory a warp access touches.
#pragma once
#include <array>
#include <set>
#include <wedjat/tool.hpp>

namespace memory_lines {

inline bool is_global(const wedjat_access& access) {
  return access.space == WEDJAT_GLOBAL || access.space == WEDJAT_GENERIC;
}
inline bool is_global(const wedjat_event& event, const wedjat_piece& piece) {
  const auto kind = wedjat::locate(event, piece).kind;
  return kind == wedjat::Location::Kind::global || kind == wedjat::Location::Kind::heap;
}
inline bool has_access(const wedjat_instruction& at) {
  for (const wedjat_access& access : wedjat::accesses(at))
    if (is_global(access)) return true;
  return false;
}
inline bool has_pieces(const wedjat_instruction& at) { return (at.what & WEDJAT_GLOBAL_PIECES) != 0; }

/// What registers say to be longer ends the kernel: one side of such a copy is shared memory.
inline constexpr std::uint32_t longest = 1 << 24;

/// Lines are 2^shift bytes. visit(line) for each that the access touches, once, in the order of lanes.
template <class Visit>
void each_line(const wedjat::Event& event, std::uint32_t index, unsigned shift, Visit visit) {
  const wedjat_access& access = event.instruction->accesses[index];
  std::array<std::uint64_t, 64> seen;
  std::size_t count = 0;
  wedjat::each_lane(event.executed & access.lanes, [&](unsigned lane) {
    const std::uint64_t at = event.addresses[index][lane];
    if (access.space == WEDJAT_GENERIC && (at - WEDJAT_SHARED_WINDOW < WEDJAT_SHARED_WINDOW_BYTES ||
                                           at - WEDJAT_LOCAL_WINDOW < WEDJAT_LOCAL_WINDOW_BYTES))
      return;
    const std::uint32_t bytes = wedjat::bytes_of(event, access, lane);
    if (bytes > longest) return;
    const std::uint64_t end = ((at + bytes - 1) >> shift) + 1;
    for (std::uint64_t line = at >> shift; bytes != 0 && line < end; ++line) {
      bool known = false;
      for (std::size_t i = count; i-- > 0 && !known;) known = seen[i] == line;
      if (known) continue;
      if (count < seen.size()) seen[count++] = line;
      visit(line);
    }
  });
}

struct How {
  bool writes, atomic;
};

/// visit(line, how) for those of all accesses of global memory, one after another; of an event with pieces,
/// for those of the pieces, each once.
template <class Visit>
void each_line(const wedjat::Event& event, unsigned shift, Visit visit) {
  if (event.addresses != nullptr)
    for (const wedjat_access& access : wedjat::accesses(*event.instruction)) {
      const auto index = static_cast<std::uint32_t>(&access - event.instruction->accesses);
      const How how{access.writes != 0, access.atomic != 0};
      if (is_global(access)) each_line(event, index, shift, [&](std::uint64_t line) { visit(line, how); });
    }
  std::set<std::uint64_t> seen;
  for (const wedjat_piece& piece : wedjat::pieces(event)) {
    if (!is_global(event, piece) || piece.bytes == 0) continue;
    const std::uint64_t end = ((piece.address + piece.bytes - 1) >> shift) + 1;
    for (std::uint64_t line = piece.address >> shift; line < end; ++line)
      if (seen.insert(line).second) visit(line, How{piece.writes != 0, piece.atomic != 0});
  }
}

/// Bytes of a line as an option says; 0: no power of two.
inline unsigned shift_of(std::uint64_t bytes) {
  return std::has_single_bit(bytes) ? static_cast<unsigned>(std::countr_zero(bytes)) : 0;
}

}  // namespace memory_lines
