// Follows what is known through a kernel's blocks, loops until nothing changes any more.
#pragma once
#include <cstdint>
#include <map>
#include <optional>
#include <vector>

#include "emulator/sched/apart/steps.h"

namespace wedjat::sched::apart {

class Walk {
 public:
  Walk(const kernel::Function& function, Steps& steps, Symbols& symbols);

  /// From the function's beginning to all its ends: what it touches is in steps.touched then. Throws Unknown.
  void run(State beginning);

 private:
  using Block = std::uint32_t;

  /// Blocks from one on to one before another, of one loop or of none.
  struct Area {
    Block first, end;
    std::map<Block, State> arrived;  ///< at blocks of it, or behind it
    std::optional<State> again;      ///< at the first one, from the area itself
  };
  void run_area(Area& area, bool is_loop);
  void run_loop(Area& outer, Block head, State entry);
  void run_block(Area& area, Block block, State state);
  void arrive(Area& area, Block from, Block at, State state);
  /// One time through the loop.
  Area once(Block head, const State& entry);
  std::uint8_t symbol_of(Block head);
  void spend(std::size_t steps);

  const kernel::Function& function_;
  Steps& steps_;
  Symbols& symbols_;
  std::vector<Block> loop_end_;  ///< by block: behind the last block that goes back to it; 0: none does
  std::map<Block, std::uint8_t> rounds_;
  std::size_t budget_;  ///< of steps
};

}  // namespace wedjat::sched::apart
