#include "emulator/exec/cta/special_registers.h"

#include "device_limits.h"
#include "emulator/memory/windows.h"
#include "special_values.h"

namespace wedjat::exec {

using kernel::SpecialRegister;

namespace {

static_assert(memory::shared_reserved == limits::reserved_shared_bytes);

std::uint64_t axis(const Dim3& dim, unsigned which) {
  return which == 0 ? dim.x : which == 1 ? dim.y : dim.z;
}

// Each `source` of semantics/special_registers.psem. A new one is a member function here.
struct Sources {
  const CtaState& cta;
  std::uint32_t warp_index;
  unsigned lane_index;

  std::uint64_t thread_index(unsigned component) const {
    const Dim3& block = cta.launch->block;
    const std::uint32_t thread = warp_index * limits::warp_size + lane_index;
    // Most blocks are rows of threads: nothing to divide.
    if (thread < block.x) return component == 0 ? thread : 0;
    if (component == 0) return thread % block.x;
    if (component == 1) return thread / block.x % block.y;
    return thread / block.x / block.y;
  }
  std::uint64_t lane(unsigned) const { return lane_index; }
  std::uint64_t warp(unsigned) const { return warp_index; }
  std::uint64_t cta_index(unsigned component) const { return axis(cta.ctaid, component); }
  std::uint64_t cta_number(unsigned) const { return cta.index; }
  std::uint64_t cluster_rank(unsigned) const { return cta.cluster_rank; }
  std::uint64_t cta_shape(unsigned component) const { return axis(cta.launch->block, component); }
  std::uint64_t grid_shape(unsigned component) const { return axis(cta.launch->grid, component); }
  std::uint64_t cluster_shape(unsigned component) const { return axis(cta.launch->cluster, component); }
  std::uint64_t launch_number(unsigned) const { return cta.launch->grid_id; }
  std::uint64_t grid_workspace(unsigned) const { return cta.launch->grid_workspace; }
  std::uint64_t graph(unsigned) const { return cta.launch->graph; }
  std::uint64_t shared_bytes(unsigned) const { return cta.launch->shared_bytes(); }
  std::uint64_t dynamic_shared_bytes(unsigned) const { return cta.launch->dynamic_shared_bytes; }
  std::uint64_t time(unsigned) const { return cta.steps + cta.slept; }
};

bool may_differ(SpecialRegister which, unsigned between) {
  return (kernel::special_periods[static_cast<std::size_t>(which)] & between) != 0;
}

}  // namespace

bool differs_by_cta(SpecialRegister which) { return may_differ(which, 1); }

bool differs_by_lane(SpecialRegister which) { return may_differ(which, 2); }

std::uint64_t special_register(SpecialRegister which, const CtaState& cta, std::uint32_t warp,
                               unsigned lane) {
  return special_value(which, Sources{cta, warp, lane});
}

}  // namespace wedjat::exec
