#include "emulator/exec/fault.h"

#include <fmt/format.h>

#include "emulator/exec/report.h"
#include "emulator/exec/warp.h"

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

void fail(const WarpContext& context, std::uint32_t id, std::uint32_t failed, FaultKind kind,
          const std::string& what) {
  const auto& warp = *static_cast<const Warp*>(context.owner);
  const kernel::Kernel& kernel = warp.cta().launch->kernel;
  const int count = __builtin_popcount(failed);
  const auto lane = static_cast<unsigned>(__builtin_ctz(failed));
  throw Fault(kind,
              fmt::format("{}: {}\n  kernel {}\n  at {}\n  {}{}", name_of(kind), what, kernel.name,
                          describe_place(kernel, id), describe_thread(warp.cta(), warp.index(), lane),
                          count > 1 ? fmt::format(" and {} other lanes of its warp", count - 1) : ""),
              Fault::Place{id, warp.cta().index, 32 * warp.index() + lane});
}

void undefined(WarpContext& warp, const kernel::Step& step, std::uint32_t failed, const char* why) {
  fail(warp, step.id, failed, FaultKind::undefined, why);
}

}  // namespace wedjat::exec
