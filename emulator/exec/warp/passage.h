// What native code is told of a path, and tells.
#pragma once
#include <cstdint>

#include "emulator/exec/access/memory_port.h"

namespace wedjat::exec {

/// One path of a warp on its way through native code.
struct Passage {
  std::byte* rows = nullptr;  ///< of the path's frame
  WarpContext* warp = nullptr;
  const Recent* recent = nullptr;                   ///< by Step::id
  std::uint64_t shared_host = 0, shared_bytes = 0;  ///< host - address; and how much there is
  std::uint64_t shared_address = 0;
  std::uint32_t mask = 0;   ///< lanes of the path
  std::uint32_t rival = 0;  ///< it leaves at the end of a block if the next one is not before this one,
  std::int64_t floor = 0;   ///< or the budget is not above this
  std::int64_t budget = 0;  ///< what is left of it; the code counts it down
  std::uint64_t steps = 0;  ///< that the code ran
  std::uint64_t instructions = 0;     ///< PTX instructions of the blocks that it ended
  std::uint32_t certificate = 0;      ///< what code that left the path here knows of its rows; 0: nothing
  std::uint32_t leaves = 0;           ///< the same of the code that runs now
  std::uint32_t block = 0, step = 0;  ///< where the path goes on; a step past the last: the end of the block
};

enum class Left : std::uint8_t {
  refused,   ///< the rows are not what the code was made for: nothing has happened
  at_step,   ///< before a step, or the end of a block, that the loop has to do, with the rest of the block
  at_block,  ///< between two blocks; the loop decides who goes on
};

/// All that may be read again lies in the rows when it returns. Lets through what executors throw.
using NativeCode = Left (*)(Passage&);

}  // namespace wedjat::exec
