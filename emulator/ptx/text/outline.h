// A first look at a module's text: where its outermost braces are, without parsing.
#pragma once

#include <cstddef>
#include <vector>

#include "emulator/ptx/text/source.h"

namespace wedjat::ptx {

/// What stands between a `{` of module scope and its `}`: [begin, end), braces excluded.
struct BraceRange {
  std::size_t begin = 0, end = 0;
};

/// The outermost brace ranges in order. Knows strings and comments. Throws Error for braces that do not
/// match, for what does not end, and for bytes that are not ASCII text (as ptxas refuses them anywhere).
std::vector<BraceRange> outline(const Source& source);

}  // namespace wedjat::ptx
