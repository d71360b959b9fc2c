// What the model tells of a launch, without what it needs to know that.
#pragma once
#include <cstddef>
#include <cstdint>
#include <string>

namespace timing {

/// Cycles are counted in sixteenths: an instruction may become half of a machine instruction, on average.
inline constexpr std::uint32_t kParts = 16;

using Time = std::uint64_t;  // parts of a cycle

struct Prediction {
  double cycles = 0;         // that the busiest SM has warps
  double microseconds = 0;   // of the whole launch
  std::string bound;         // what most of it is spent on
  double issue_percent = 0;  // of the slots of the busiest SM
  std::uint32_t resident = 0, registers = 0;
};

/// CTAs are dealt to SMs one after the other.
std::uint64_t cta_of(std::uint64_t sm, std::uint64_t place);
std::uint64_t sm_of(std::uint64_t cta);

/// Told of SMs, one after the other, and of their warps: a CTA is its place in the list of its SM.
struct Watcher {
  virtual ~Watcher() = default;
  virtual void begins(std::size_t sm) = 0;
  virtual void ended(std::size_t cta, std::uint32_t warp, Time begin, Time end) = 0;
  virtual void waited(std::size_t cta, std::uint32_t warp, Time begin, Time end) = 0;  // at a barrier
  virtual void read_clock(std::size_t cta, std::uint32_t warp, std::uint32_t instruction, Time now) = 0;
};

}  // namespace timing
