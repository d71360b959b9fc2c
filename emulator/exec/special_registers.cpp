#include "emulator/exec/special_registers.h"

#include "emulator/memory/windows.h"

namespace wedjat::exec {

using kernel::SpecialRegister;

namespace {

// As an H100 (SXM) has them; a CTA's place follows from its index, never from the host thread that runs it.
constexpr std::uint64_t multiprocessors = 132;

std::uint64_t axis(const Dim3& dim, unsigned which) {
  return which == 0 ? dim.x : which == 1 ? dim.y : dim.z;
}

bool between(SpecialRegister which, SpecialRegister first, SpecialRegister last) {
  return which >= first && which <= last;
}

unsigned offset(SpecialRegister which, SpecialRegister first) {
  return static_cast<unsigned>(which) - static_cast<unsigned>(first);
}

std::uint64_t thread_axis(const Dim3& block, std::uint64_t thread, unsigned which) {
  if (which == 0) return thread % block.x;
  if (which == 1) return thread / block.x % block.y;
  return thread / block.x / block.y;
}

std::uint64_t lane_mask(SpecialRegister which, unsigned lane) {
  const std::uint32_t equal = 1u << lane, less = equal - 1;
  switch (which) {
    case SpecialRegister::lanemask_eq:
      return equal;
    case SpecialRegister::lanemask_le:
      return less | equal;
    case SpecialRegister::lanemask_lt:
      return less;
    case SpecialRegister::lanemask_ge:
      return ~less;
    default:
      return ~(less | equal);
  }
}

}  // namespace

bool differs_by_lane(SpecialRegister which) {
  return between(which, SpecialRegister::tid_x, SpecialRegister::tid_z) || which == SpecialRegister::laneid ||
         between(which, SpecialRegister::lanemask_eq, SpecialRegister::lanemask_gt);
}

bool differs_by_cta(SpecialRegister which) {
  return between(which, SpecialRegister::ctaid_x, SpecialRegister::ctaid_z) ||
         between(which, SpecialRegister::clusterid_x, SpecialRegister::clusterid_z) ||
         between(which, SpecialRegister::cluster_ctaid_x, SpecialRegister::cluster_ctaid_z) ||
         which == SpecialRegister::cluster_ctarank || which == SpecialRegister::smid ||
         which >= SpecialRegister::clock;
}

std::uint64_t special_register(SpecialRegister which, const CtaState& cta, std::uint32_t warp,
                               unsigned lane) {
  using R = SpecialRegister;
  const Launch& launch = *cta.launch;
  if (between(which, R::tid_x, R::tid_z))
    return thread_axis(launch.block, std::uint64_t{warp} * 32 + lane, offset(which, R::tid_x));
  if (between(which, R::ntid_x, R::ntid_z)) return axis(launch.block, offset(which, R::ntid_x));
  if (between(which, R::ctaid_x, R::ctaid_z)) return axis(cta.ctaid, offset(which, R::ctaid_x));
  if (between(which, R::nctaid_x, R::nctaid_z)) return axis(launch.grid, offset(which, R::nctaid_x));
  if (between(which, R::clusterid_x, R::clusterid_z))
    return axis(cta.ctaid, offset(which, R::clusterid_x)) /
           axis(launch.cluster, offset(which, R::clusterid_x));
  if (between(which, R::nclusterid_x, R::nclusterid_z))
    return axis(launch.grid, offset(which, R::nclusterid_x)) /
           axis(launch.cluster, offset(which, R::nclusterid_x));
  if (between(which, R::cluster_ctaid_x, R::cluster_ctaid_z))
    return axis(cta.ctaid, offset(which, R::cluster_ctaid_x)) %
           axis(launch.cluster, offset(which, R::cluster_ctaid_x));
  if (between(which, R::cluster_nctaid_x, R::cluster_nctaid_z))
    return axis(launch.cluster, offset(which, R::cluster_nctaid_x));
  if (between(which, R::lanemask_eq, R::lanemask_gt)) return lane_mask(which, lane);
  const std::uint64_t time = cta.steps + cta.slept;
  switch (which) {
    case R::cluster_ctarank:
      return cta.cluster_rank;
    case R::cluster_nctarank:
      return launch.cluster.count();
    case R::is_explicit_cluster:
      return launch.cluster.count() > 1;
    case R::laneid:
      return lane;
    case R::warpid:
      return warp;
    case R::nwarpid:
      return 64;
    case R::smid:
      return cta.index % multiprocessors;
    case R::nsmid:
      return multiprocessors;
    case R::envreg1:
      return launch.grid_workspace >> 32;
    case R::envreg2:
      return launch.grid_workspace;
    case R::gridid:
      return launch.grid_id;
    case R::dynamic_smem_size:
      return launch.dynamic_shared_bytes;
    case R::total_smem_size:
      return (launch.shared_bytes() + 127) / 128 * 128;  // what the device allots
    case R::aggr_smem_size:
      return launch.shared_bytes() + memory::shared_reserved;
    case R::clock:
    case R::clock64:
    case R::globaltimer:
    case R::globaltimer_lo:
      return time;
    case R::clock_hi:
    case R::globaltimer_hi:
      return time >> 32;
    default:
      return 0;
  }
}

}  // namespace wedjat::exec
