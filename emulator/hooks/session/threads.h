// How many threads of the host a tool lets run what it watches.
#pragma once
#include <cstdint>

#include "utilities/include/wedjat/tool.h"

namespace wedjat::hooks {

/// From the most to the least.
enum class Threads : std::uint8_t {
  all,
  all_if_apart,  ///< of launches whose CTAs have nothing to do with each other; of others one
  one
};

/// Of wedjat_tool.capabilities, where what the tool is called for comes while a launch runs.
inline Threads threads_of(std::uint32_t capabilities) {
  if ((capabilities & WEDJAT_PARALLEL) == 0) return Threads::one;
  return (capabilities & WEDJAT_APART) == WEDJAT_APART ? Threads::all_if_apart : Threads::all;
}

}  // namespace wedjat::hooks
