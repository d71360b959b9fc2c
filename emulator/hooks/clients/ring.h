// The stream of events to an isolated tool: a ring in shared memory that only the host can write, and a place
// where the tool says how far it has read. The host believes nothing of that place but numbers between the
// last one and its own.
#pragma once
#include <atomic>
#include <cstddef>
#include <cstdint>

#include "utilities/include/wedjat/tool.h"

namespace wedjat::hooks {

inline constexpr std::size_t ring_bytes = 1 << 22;
inline constexpr std::size_t ring_page = 4096;
/// In the tool's process.
enum RingFile : int { control_socket = 3, ring_file = 4, tail_file = 5 };

struct RingHead {                   // first page of the ring's file; the events follow it
  std::atomic<std::uint64_t> head;  // bytes ever written
};
struct RingTail {
  std::atomic<std::uint64_t> tail;  // bytes ever read
};

/// An event; its rows follow (ROWS: all; ADDRESSES alone: those of the accesses, sizes included), then its
/// pieces, then old memory. A multiple of 8 bytes.
struct Record {
  static constexpr std::uint32_t wrap = 0xffffffffu;  // `watch`: nothing more up to the end of the ring
  static constexpr std::uint32_t no_instruction = 0xffffffffu;  // an edge out of an empty block
  std::uint32_t bytes, watch, instruction, warp;
  std::uint64_t cta;
  std::uint32_t cta_xyz[3], active, executed, paths, pieces, unused;
};
static_assert(sizeof(Record) == 56 && sizeof(wedjat_piece) == 24);

inline std::size_t row_bytes(const wedjat_operand& operand) {
  if (operand.kind == WEDJAT_ADDRESS) return 256;
  if (operand.value == WEDJAT_PRED) return 8;
  return 32u * (operand.bits < 8 ? 1u : operand.bits / 8u);
}

/// Calls visit(operand) for each row that an event of these needs carries, in their order.
template <class Visit>
void each_carried_row(const wedjat_instruction& at, std::uint32_t needs, Visit visit) {
  if (!(at.what & WEDJAT_HAS_ROWS)) return;
  if (needs & (WEDJAT_ROWS | WEDJAT_INPUTS)) {
    for (std::uint32_t o = 0; o < at.operand_count; ++o)
      for (unsigned e = 0; e < at.operands[o].count; ++e) visit(at.operands[o], at.operands[o].first + e);
  } else if (needs & WEDJAT_ADDRESSES) {
    for (std::uint32_t a = 0; a < at.access_count; ++a) {
      const wedjat_access& access = at.accesses[a];
      visit(at.operands[access.operand], at.operands[access.operand].first);
      if (access.bytes == 0) visit(at.operands[access.size], at.operands[access.size].first);
    }
  }
}

}  // namespace wedjat::hooks
