// What the next CTA will read, asked for while this one reads.
#include <algorithm>

#include "emulator/compile/emit/region_emitter.h"

namespace wedjat::compile {

// A CTA whose warps meet at barriers reads a little at its beginning and then does something else, for so
// long that the processor does not see that the CTA after it reads on from there: a reduction in shared
// memory takes a tenth longer. In loops, and where CTAs follow each other without barriers, it sees that
// itself.
bool RegionEmitter::reads_once() const {
  const Node& first = region_.nodes.front();
  return !request_.sweep && request_.full() && request_.function == 0 && first.block == 0 &&
         first.first == 0 &&
         std::ranges::count_if(pace_, [](const auto& asks) { return asks.has_value(); }) == 1;
}

// Behind the bytes that lanes side by side read.
void RegionEmitter::ask_ahead(llvm::Value* host, std::uint64_t bytes) {
  constexpr std::uint64_t line = 64, ahead = 2048;
  const auto number = [&](std::uint32_t n) { return builder_.getInt32(n); };
  constexpr std::uint32_t to_read = 0, keep = 3, data = 1;
  for (std::uint64_t offset = ahead; offset < ahead + bytes; offset += line)
    builder_.CreateIntrinsic(
        llvm::Intrinsic::prefetch, {builder_.getPtrTy()},
        {builder_.CreateIntToPtr(builder_.CreateAdd(host, builder_.getInt64(offset)), builder_.getPtrTy()),
         number(to_read), number(keep), number(data)});
}

}  // namespace wedjat::compile
