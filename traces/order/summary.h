// Open places, reported together where they are alike.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "traces/order/explain.h"

namespace wedjat::traces {

// The places of one kind in one copy.
struct OpenGroup {
  const Open* one = nullptr;  // of them
  std::size_t places = 0;
  std::uint64_t first = 0, last = 0;  // bytes of the copy, from the first place to the last
};

std::vector<OpenGroup> grouped_places(std::span<const Open> open);
// One line a group, with the evidence of one place.
std::vector<std::string> summaries(std::span<const Open> open);

}  // namespace wedjat::traces
