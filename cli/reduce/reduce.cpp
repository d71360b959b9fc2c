#include "cli/reduce/reduce.h"

#include <algorithm>

namespace wedjat::reduce {

Sizes sizes_of(const Case& of) {
  Sizes sizes;
  for (const Piece& piece : of.pieces)
    sizes.statements += piece.kind == Piece::Kind::statement || piece.kind == Piece::Kind::label;
  sizes.bytes = of.ptx().size();
  for (const expect::Launch& launch : of.launches) {
    std::size_t threads = 1;
    for (const auto extent : launch.grid) threads *= std::max(extent, 1u);
    for (const auto extent : launch.block) threads *= std::max(extent, 1u);
    sizes.threads += threads;
    for (const auto& buffer : launch.buffers) sizes.input_bytes += buffer.count * buffer.type.bytes;
    for (const auto& scalar : launch.scalars) sizes.input_bytes += scalar.bytes.size();
  }
  return sizes;
}

void reduce(Case& best, Search& search) {
  for (bool changed = true; changed && !search.late();) {
    changed = false;
    for (const auto& pass : text_passes(best.pieces.size())) changed |= search.run(*pass, best);
    for (const auto& pass : input_passes()) changed |= search.run(*pass, best);
    for (const auto& pass : operand_passes()) changed |= search.run(*pass, best);
  }
}

}  // namespace wedjat::reduce
