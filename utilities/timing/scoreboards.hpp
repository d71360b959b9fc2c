// What a warp waits on for results of memory: machine code has six scoreboards, and ptxas gives one of its
// own to each of so many loads on their way. All others share the last one, and who waits on that waits for
// all loads that were sent with it, also those behind the one that is asked for.
#pragma once
#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

#include "costs.hpp"

namespace timing {

class Scoreboards {
 public:
  static constexpr std::uint8_t kNone = 0xff;

  /// Names the scoreboard of a load until somebody has waited on it.
  struct Ticket {
    std::uint8_t board = kNone;
    std::uint32_t turn = 0;
  };

  /// For a load that is sent now, and whose result is there when it is done. What has come keeps none.
  Ticket take(Time now, Time done) {
    const auto first = std::ranges::find_if(boards_.begin(), boards_.end() - 1, [&](const Board& one) {
      return one.loads == 0 || one.until <= now;
    });
    if (first->until <= now) ++first->turn, first->loads = 0;
    first->until = first->loads++ == 0 ? done : std::max(first->until, done);
    return {static_cast<std::uint8_t>(first - boards_.begin()), first->turn};
  }
  /// When all that was sent with it is there.
  [[nodiscard]] Time until(Ticket ticket) const { return is_open(ticket) ? boards_[ticket.board].until : 0; }
  /// An instruction has waited on it.
  void close(Ticket ticket) {
    if (!is_open(ticket)) return;
    Board& board = boards_[ticket.board];
    ++board.turn, board.loads = 0;
  }

 private:
  struct Board {
    Time until = 0;
    std::uint32_t turn = 0, loads = 0;
  };
  [[nodiscard]] bool is_open(Ticket ticket) const {
    return ticket.board != kNone && boards_[ticket.board].turn == ticket.turn;
  }

  std::array<Board, h200::scoreboards_alone + 1> boards_;
};

}  // namespace timing
