// The exact values of what a launch computes with floating-point numbers, beside the rounded ones.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <unordered_map>
#include <vector>

#include "emulator/hooks/hooks.h"
#include "traces/compare/ring.h"
#include "utilities/include/wedjat/tool.hpp"

namespace wedjat::traces {

// A number in a register or in memory.
struct Part {
  FloatFormat format = FloatFormat::f32;
  Mark mark;
  std::uint64_t bits = 0;  // of the rounded value: where a register or memory holds another one, this is old
};
using Parts = std::vector<Part>;  // side by side, the lowest first

class Marks {
 public:
  explicit Marks(const Ring& ring) : ring(ring) {}
  // `hooks` must not be used after this is gone.
  void attach(hooks::Hooks& hooks);

  const Ring& ring;
  std::uint64_t decisions = 0;         // of rounded values: comparisons, conversions to integers
  std::set<std::string> not_followed;  // instructions whose results could not be followed

  // What the watching tool keeps.
  struct Place {
    wedjat::Location::Kind kind = wedjat::Location::Kind::other;
    std::uint64_t owner = 0, address = 0;  // owner: of shared memory the CTA, of local memory the thread
    auto operator<=>(const Place&) const = default;
  };
  struct Held {
    Part part;
    bool any_bits = false;  // an atomic wrote it: its bits are not known here
  };
  std::map<Place, Held> memory;
  // Of a number in global memory that may be another one than its bits say; null: it is that.
  const Held* at(std::uint64_t address) const;
  using Lanes = std::unordered_map<unsigned, Parts>;
  using Registers = std::unordered_map<std::uint32_t, Lanes>;
  std::unordered_map<std::uint64_t, Registers> warps;
};

}  // namespace wedjat::traces
