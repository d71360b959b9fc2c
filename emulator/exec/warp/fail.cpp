// Where a fault happened: kernel, place and thread.
#include <fmt/format.h>

#include "emulator/exec/access/fault.h"
#include "emulator/exec/cta/report.h"
#include "emulator/exec/warp/warp.h"

namespace wedjat::exec {

void fail(const WarpContext& context, std::uint32_t id, std::uint32_t failed, FaultKind kind,
          const std::string& what) {
  // An executor that is asked what it computes runs without a warp (update_algebra.h).
  if (context.owner == nullptr) throw Fault(kind, what);
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

}  // namespace wedjat::exec
