// A kernel did what it may not: the launch fails with this.
#pragma once
#include <cstdint>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>

#include "emulator/exec/access/context.h"

namespace wedjat::exec {

enum class FaultKind : std::uint8_t {
  out_of_bounds,
  misaligned,
  use_after_free,
  read_only,  ///< a write to memory that threads may only read
  undefined,  ///< the manual leaves the behaviour undefined
  trap,
  breakpoint,
  assertion,
  deadlock,        ///< every thread of a CTA waits
  step_limit,      ///< LaunchOptions::step_limit or launch_step_limit
  stack_overflow,  ///< local memory of a thread, or calls too deep
  bad_call,        ///< an indirect call to what is no function, or to one that cannot run
  barrier,         ///< a barrier used as the manual forbids
  bad_free,        ///< free() of what malloc() did not give
  interrupted,     ///< from outside: interruption.h
};

std::string_view name_of(FaultKind kind);

class Fault : public std::runtime_error {
 public:
  /// Which instruction of which thread of which CTA.
  struct Place {
    std::uint32_t id;
    std::uint64_t cta;
    std::uint32_t thread;
  };

  Fault(FaultKind kind, const std::string& text, std::optional<Place> place = {})
      : std::runtime_error(text), kind_(kind), place_(place) {}
  FaultKind kind() const { return kind_; }
  const std::optional<Place>& place() const { return place_; }

 private:
  FaultKind kind_;
  std::optional<Place> place_;
};

/// Throws a Fault whose text is `what`, then kernel, PTX and source line of instruction `id`, CTA, and thread
/// of the lowest lane in `lanes`.
[[gnu::cold, noreturn]] void fail(const WarpContext& warp, std::uint32_t id, std::uint32_t lanes,
                                  FaultKind kind, const std::string& what);

/// Thrown where a launch on several host threads cannot go on: it has to be undone and run by one.
struct Abandoned {};

}  // namespace wedjat::exec
