#include "emulator/exec/access/fault.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "emulator/exec/access/assertion.h"
#include "emulator/exec/access/misaligned.h"

namespace wedjat::exec {

std::string_view name_of(FaultKind kind) {
  switch (kind) {
    case FaultKind::out_of_bounds:
      return "access out of bounds";
    case FaultKind::misaligned:
      return "misaligned access";
    case FaultKind::use_after_free:
      return "use after free";
    case FaultKind::read_only:
      return "write to read-only memory";
    case FaultKind::undefined:
      return "undefined behaviour";
    case FaultKind::trap:
      return "trap";
    case FaultKind::breakpoint:
      return "breakpoint";
    case FaultKind::assertion:
      return "assertion failed";
    case FaultKind::deadlock:
      return "deadlock";
    case FaultKind::step_limit:
      return "step limit reached";
    case FaultKind::stack_overflow:
      return "stack overflow";
    case FaultKind::bad_call:
      return "call of what is no function";
    case FaultKind::barrier:
      return "barrier misused";
    case FaultKind::bad_free:
      return "bad free";
    case FaultKind::interrupted:
      return "interrupted";
  }
  return "fault";
}

Assertion::Assertion(const std::vector<std::string>& told, const std::string& where, const Place& place)
    : Fault(FaultKind::assertion,
            fmt::format("{}: {}\n{}", name_of(FaultKind::assertion), fmt::join(told, "\n"), where), place),
      told_(told),
      where_(where) {}

Assertion Assertion::with(const Assertion& other) const {
  std::vector<std::string> all = told_;
  all.insert(all.end(), other.told_.begin(), other.told_.end());
  return {all, where_, *place()};
}

void undefined(WarpContext& warp, const kernel::Step& step, std::uint32_t failed, const char* why) {
  fail(warp, step.id, failed, FaultKind::undefined, why);
}

void misaligned(WarpContext& warp, const kernel::Step& step, std::uint32_t failed, const char* why) {
  fail(warp, step.id, failed, FaultKind::misaligned, why);
}

}  // namespace wedjat::exec
