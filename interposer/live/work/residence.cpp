#include "interposer/live/work/residence.h"

#include <algorithm>

#include "device_limits.h"
#include "interposer/live/work/modules.h"

namespace wedjat::live {
namespace {

std::uint64_t attribute(CUdevice_attribute which) {
  return static_cast<std::uint64_t>(profile().attributes.at(static_cast<int>(which)));
}

std::uint64_t rounded(std::uint64_t value, std::uint64_t to) { return (value + to - 1) / to * to; }

// Of shared memory, what each CTA takes with what the system keeps of it.
std::uint64_t shared_of(const device::Needs& needs, std::uint64_t dynamic) {
  return rounded(needs.static_shared_bytes + dynamic + limits::reserved_shared_bytes,
                 limits::shared_granularity);
}

}  // namespace

std::uint64_t shared_for_ctas(const CUfunc_st& function, std::uint64_t least) {
  constexpr std::uint64_t kib[] = {0, 8, 16, 32, 64, 100, 132, 164, 196, 228};
  const std::uint64_t all = attribute(CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_MULTIPROCESSOR);
  const auto preferred = function.attributes.find(CU_FUNC_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT);
  if (preferred == function.attributes.end() || preferred->second < 0) return all;
  const std::uint64_t wanted = std::max(least, all * static_cast<std::uint64_t>(preferred->second) / 100);
  for (const std::uint64_t size : kib)
    if (size << 10 >= std::min(wanted, all)) return size << 10;
  return all;
}

std::uint32_t room_behind(std::uint64_t shared_bytes) {
  return static_cast<std::uint32_t>(rounded(shared_bytes, limits::shared_granularity) - shared_bytes);
}

std::uint64_t most_dynamic_shared(CUfunc_st& function) {
  const auto set = function.attributes.find(CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES);
  if (set != function.attributes.end()) return static_cast<std::uint64_t>(set->second);
  const std::uint64_t own = needs_of(function).declared_shared_bytes,
                      usual = attribute(CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK);
  return (own > usual ? limits::shared_bytes_per_block : usual) - own;
}

std::uint64_t most_cluster_ctas(const CUfunc_st& function) {
  constexpr std::uint64_t portable = 8;
  const auto allowed = function.attributes.find(CU_FUNC_ATTRIBUTE_NON_PORTABLE_CLUSTER_SIZE_ALLOWED);
  return allowed != function.attributes.end() && allowed->second != 0 ? limits::cluster_ctas : portable;
}

std::uint64_t resident_ctas(CUfunc_st& function, std::uint64_t threads, std::uint64_t dynamic) {
  const device::Needs& needs = needs_of(function);
  if (threads > attribute(CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_BLOCK)) return 0;
  const std::uint64_t warps = rounded(threads, limits::warp_size) / limits::warp_size;
  const std::uint64_t by_warps = limits::warps_per_multiprocessor / warps;
  const std::uint64_t each = shared_of(needs, dynamic), by_shared = shared_for_ctas(function, each) / each;
  if (dynamic > most_dynamic_shared(function)) return 0;
  return std::min({by_warps, by_shared, std::uint64_t{limits::ctas_per_multiprocessor}});
}

}  // namespace wedjat::live
