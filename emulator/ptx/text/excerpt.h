// The part of one or more modules that a kernel can reach.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "emulator/ptx/text/source.h"

namespace wedjat::ptx {

struct Excerpt {
  std::vector<std::string> texts;  ///< one a source, in their order; empty if nothing of it is reached
  std::string whole_because;       ///< why nothing may be left out, then texts are those of the sources
};

/// Keeps each declaration of module scope that a root's text names, those that these name and so on, in the
/// modules' order. What is kept stands as it was written, byte for byte; comments between declarations go. A
/// name is looked for in all sources, whatever its linkage, and any word counts as a name: what is kept may
/// be more than is needed, never less. Where a body declares a `.callprototype`, all device functions stay,
/// for an indirect call may reach any of them (PTX ISA 9.7.12.4). Sections of debug information speak of
/// everything: of them only .debug_str stays, where a `.loc` names its labels (PTX ISA 11.5.2). Throws Error
/// for text that is no PTX.
Excerpt excerpt(std::span<const Source> sources, std::span<const std::string_view> roots);

}  // namespace wedjat::ptx
