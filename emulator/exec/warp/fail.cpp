// Where a fault happened: kernel, place and thread. And what may not be written.
#include <fmt/format.h>

#include "emulator/exec/access/assertion.h"
#include "emulator/exec/access/may_write.h"
#include "emulator/exec/cta/report.h"
#include "emulator/exec/warp/warp.h"

namespace wedjat::exec {

namespace {

const Warp& warp_of(const WarpContext& context) { return *static_cast<const Warp*>(context.owner); }

std::string where_of(const Warp& warp, std::uint32_t id, std::uint32_t failed) {
  const kernel::Kernel& kernel = warp.cta().launch->kernel;
  const int count = __builtin_popcount(failed);
  return fmt::format("  kernel {}\n  at {}\n  {}{}", kernel.name, describe_place(kernel, id),
                     describe_thread(warp.cta(), warp.index(), static_cast<unsigned>(__builtin_ctz(failed))),
                     count > 1 ? fmt::format(" and {} other lanes of its warp", count - 1) : "");
}

Fault::Place place_of(const Warp& warp, std::uint32_t id, std::uint32_t failed) {
  return {id, warp.cta().index, 32 * warp.index() + static_cast<unsigned>(__builtin_ctz(failed))};
}

}  // namespace

void fail(const WarpContext& context, std::uint32_t id, std::uint32_t failed, FaultKind kind,
          const std::string& what) {
  // An executor that is asked what it computes runs without a warp (update_algebra.h).
  if (context.owner == nullptr) throw Fault(kind, what);
  const Warp& warp = warp_of(context);
  throw Fault(kind, fmt::format("{}: {}\n{}", name_of(kind), what, where_of(warp, id, failed)),
              place_of(warp, id, failed));
}

void fail_assertion(const WarpContext& context, std::uint32_t id, std::uint32_t failed,
                    const std::vector<std::string>& told) {
  const Warp& warp = warp_of(context);
  throw Assertion(told, where_of(warp, id, failed), place_of(warp, id, failed));
}

bool may_write(const WarpContext& warp, std::uint64_t address) {
  // Nobody owns it where an instruction is only tried out (access/update_algebra.h).
  const memory::ReadOnly* const refused =
      warp.owner == nullptr ? nullptr : warp_of(warp).cta().launch->read_only;
  return refused == nullptr || !refused->holds(address);
}

}  // namespace wedjat::exec
