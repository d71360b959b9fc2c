// Accesses that go on as those before them did. A tool that asks for it (WEDJAT_UNLESS_EXPECTED) is told only
// how many such came between two events; with what it was told, Expectation says which they were. Host,
// native code and readers of traces follow the same rule, which is Expectation::take.
#pragma once
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <vector>

#include "tool.h"

namespace wedjat {

/// Whether lane l of 32 has address[0] + l % 2^log * step + l / 2^log * rows: eight lanes at a time.
inline bool is_tile(const std::uint64_t* address, std::uint64_t step, unsigned log, std::uint64_t rows) {
  using Eight = std::uint64_t __attribute__((vector_size(64)));
  constexpr Eight count_up{0, 1, 2, 3, 4, 5, 6, 7};
  Eight apart{};
  for (unsigned g = 0; g < 4; ++g) {
    const Eight lane = count_up + std::uint64_t{8} * g;
    Eight there;
    std::memcpy(&there, address + 8 * g, sizeof there);
    const Eight column = lane & ((std::uint64_t{1} << log) - 1), row = lane >> std::uint64_t{log};
    apart |= there ^ (column * step + row * rows + address[0]);
  }
  std::uint64_t any = 0;
  for (int i = 0; i < 8; ++i) any |= apart[i];
  return any == 0;
}

/// Addresses of 32 lanes: lane l has first + l % width * step + l / width * rows.
struct Tile {
  std::uint32_t width = 0;  ///< 32, 16, 8 or 4; 0: they are not that regular
  std::uint64_t first = 0, step = 0;
  std::uint64_t rows = 0;  ///< 0 of width 32
};

/// The widest that they are.
inline Tile tile_of(const std::uint64_t* address) {
  const std::uint64_t step = address[1] - address[0];
  for (unsigned log = 5; log >= 2; --log) {
    const std::uint64_t rows = log == 5 ? 0 : address[1u << log] - address[0];
    if (is_tile(address, step, log, rows)) return {1u << log, address[0], step, rows};
  }
  return {};
}

/// Whether events of the instruction may be left out where they are as expected: it has one access, of all
/// lanes, of as many bytes as the instruction says.
inline bool may_be_expected(const wedjat_instruction& at) {
  return at.access_count == 1 && at.accesses[0].bytes != 0 && at.accesses[0].lanes == ~0u;
}

/// Numbers that go on by the same difference.
struct Series {
  std::uint64_t last = 0;
  std::uint64_t apart = 0;   ///< what the next is expected to be further
  std::uint64_t missed = 0;  ///< what was expected behind the one that last was wrong

  std::uint64_t next() const { return last + apart; }
  void take(std::uint64_t number) {
    if (next() != number) {
      // Wrong twice, the difference is another; once, as where an inner loop begins again, it stays.
      if (next() == missed) apart = number - last;
      missed = number + apart;
    }
    last = number;
  }
};

/// What is known of an instruction. Native code reads and writes it, and Expected.
struct ExpectedSite {
  Series address;           ///< the first address
  Series begins;            ///< the same where a warp has not gone back yet, from warp to warp
  std::uint64_t rows = 0;   ///< Tile::rows of the last that had some
  std::uint64_t after = 0;  ///< key of what came next, when it came last; 0: nothing regular
  std::uint64_t moved = 0;  ///< how many warps further that was
};

struct Expected {
  ExpectedSite* previous = nullptr;  ///< of the event before
  ExpectedSite* sites = nullptr;
  std::uint64_t warp = 0;      ///< of the event before: CTA * warps of a CTA + warp
  std::uint64_t left_out = 0;  ///< since the last event that was not
  std::uint64_t begins = 1;    ///< 1: its warp has not gone back yet, to an earlier instruction
};

/// Of one launch and tool.
class Expectation {
 public:
  static constexpr std::size_t most_sites = (std::size_t{1} << 24) - 1;

  explicit Expectation(std::size_t sites = 0) : sites_(sites + 1) {
    state_ = {.previous = sites_.data(), .sites = sites_.data() + 1};
  }
  Expectation(Expectation&&) = default;
  Expectation& operator=(Expectation&&) = default;

  /// Instruction, width and step in one number; 0: of addresses whose events are never left out.
  static constexpr std::uint64_t key_of(std::size_t site, std::uint32_t width, std::uint64_t step) {
    const auto narrow = static_cast<std::uint32_t>(step);
    if (width == 0 || static_cast<std::uint64_t>(static_cast<std::int32_t>(narrow)) != step) return 0;
    return (std::uint64_t{site} + 1) << 40 | std::uint64_t{width} << 32 | narrow;
  }

  /// An event comes; `at`: of width 0 unless all 32 lanes take part. Whether it is as expected: the
  /// instruction, how its lanes lie and how many warps further it is are as after the event before, when that
  /// came last; the first address goes on by the same difference, from warp to warp where a warp has just
  /// begun.
  bool take(std::size_t site, std::uint64_t warp, const Tile& at) {
    ExpectedSite &here = state_.sites[site], &before = *state_.previous;
    const std::uint64_t key = key_of(site, at.width, at.step), moved = warp - state_.warp;
    const bool follows = key != 0 && before.after == key && before.moved == moved;
    const bool begins = begins_at(site, moved);
    const bool has_rows = at.width < 32;
    const bool goes_on =
        (begins ? here.begins : here.address).next() == at.first && (!has_rows || here.rows == at.rows);
    if (!follows) before.after = key, before.moved = moved;
    if (key != 0) {
      if (begins) {
        here.begins.take(at.first);
        here.address.last = at.first;
      } else {
        here.address.take(at.first);
      }
      if (has_rows) here.rows = at.rows;
    }
    state_.previous = &here;
    state_.warp = warp;
    state_.begins = begins;
    return follows && goes_on;
  }

  struct Event {
    std::size_t site;
    std::uint64_t warp;
    Tile at;
  };
  /// What would be as expected; false: nothing would.
  bool next(Event& to) const {
    const std::uint64_t key = state_.previous->after;
    if (key == 0) return false;
    to.site = (key >> 40) - 1;
    to.warp = state_.warp + state_.previous->moved;
    const ExpectedSite& here = state_.sites[to.site];
    const Series& series = begins_at(to.site, state_.previous->moved) ? here.begins : here.address;
    const auto width = static_cast<std::uint32_t>(key >> 32 & 0xff);
    to.at = {width, series.next(), static_cast<std::uint64_t>(static_cast<std::int32_t>(key)),
             width < 32 ? here.rows : 0};
    return true;
  }

  Expected& state() { return state_; }

  /// Native code left so many rounds of a loop out: each of `count` sites, from the first on, had that many
  /// events as expected, but those from `done` on one less.
  static void pass_rounds(Expected& state, std::uint64_t first, std::uint64_t count, std::uint64_t rounds,
                          std::uint64_t done) {
    for (std::uint64_t i = 0; i < count; ++i) {
      ExpectedSite& here = state.sites[first + i];
      here.address.last += (rounds - (i < done ? 0 : 1)) * here.address.apart;
    }
  }

 private:
  // Instructions have their numbers in the order of the program.
  bool begins_at(std::size_t site, std::uint64_t moved) const {
    return moved != 0 || (state_.begins != 0 && state_.sites + site > state_.previous);
  }

  std::vector<ExpectedSite> sites_;  // the first stands before all others
  Expected state_;
};

}  // namespace wedjat
