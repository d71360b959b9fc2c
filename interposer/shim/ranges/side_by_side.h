// Copies bytes from and to many places at once.
#pragma once

#include <cstddef>
#include <span>

#include "traces/format/workers.h"

namespace wedjat::interposer {

struct Move {
  std::span<const std::byte> from;
  std::byte* to;
};
void copy_side_by_side(std::span<const Move> moves, traces::Workers& workers);

}  // namespace wedjat::interposer
