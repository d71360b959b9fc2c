#include "emulator/compile/analysis/row_bytes.h"

namespace wedjat::compile {

RowBytes row_bytes(const kernel::Function& function, const Liveness& liveness) {
  constexpr std::uint8_t unknown = 254;
  RowBytes bytes(liveness.rows(), unknown);
  const auto see = [&](const RowUse& use) {
    std::uint8_t& known = bytes[liveness.number(use.offset)];
    const bool fits = use.bytes <= 8 && (known == unknown || known == use.bytes);
    known = fits ? use.bytes : untracked;
  };
  for (const kernel::Step& step : function.steps) {
    for (const RowUse& use : liveness.rows_of(step)) see(use);
    if (step.guard != 0) see({.offset = guard_row(step.guard)});
  }
  for (const kernel::Block& block : function.blocks)
    for (const RowUse& use : rows_of(block.end, function)) see(use);
  return bytes;
}

}  // namespace wedjat::compile
