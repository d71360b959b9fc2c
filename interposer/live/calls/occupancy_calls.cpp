// How many CTAs of a kernel are resident at once, and which block is best for that.
#include <algorithm>

#include "device_limits.h"
#include "interposer/live/state/perform.h"
#include "interposer/live/work/modules.h"
#include "interposer/live/work/residence.h"
#include "interposer/meaning/launches.h"
#include "live_calls.h"

namespace wedjat::live::calls {
namespace {

std::uint64_t rounded(std::uint64_t value, std::uint64_t to) { return (value + to - 1) / to * to; }

std::uint64_t block_of(const CUlaunchConfig& config) {
  return std::uint64_t{config.blockDimX} * config.blockDimY * config.blockDimZ;
}

}  // namespace

void cuOccupancyMaxActiveBlocksPerMultiprocessor(int* count, CUfunction function, int threads,
                                                 std::size_t dynamic) {
  require(threads > 0);
  *count =
      static_cast<int>(resident_ctas(function_at(function), static_cast<std::uint64_t>(threads), dynamic));
}

void cuOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int* count, CUfunction function, int threads,
                                                          std::size_t dynamic, unsigned flags) {
  require(flags <= CU_OCCUPANCY_DISABLE_CACHING_OVERRIDE);
  cuOccupancyMaxActiveBlocksPerMultiprocessor(count, function, threads, dynamic);
}

// Among block sizes of whole warps the one that fills a multiprocessor most; of equals the largest.
void cuOccupancyMaxPotentialBlockSize(int* grid, int* block, CUfunction handle, CUoccupancyB2DSize dynamic_of,
                                      std::size_t dynamic, int limit) {
  CUfunc_st& function = function_at(handle);
  require(limit >= 0);
  std::uint64_t most = needs_of(function).most_threads;
  if (limit != 0) most = std::min(most, static_cast<std::uint64_t>(limit));
  std::uint64_t best = 0, best_threads = 0, best_ctas = 0;
  for (std::uint64_t threads = rounded(most, limits::warp_size); threads != 0; threads -= limits::warp_size) {
    const std::uint64_t now = std::min(threads, most);
    const std::uint64_t shared = dynamic_of ? dynamic_of(static_cast<int>(now)) : dynamic;
    const std::uint64_t held = resident_ctas(function, now, shared);
    if (held * now <= best) continue;
    best = held * now;
    best_threads = now;
    best_ctas = held;
  }
  *block = static_cast<int>(best_threads);
  *grid = static_cast<int>(best_ctas * multiprocessors());
}

void cuOccupancyMaxPotentialBlockSizeWithFlags(int* grid, int* block, CUfunction function,
                                               CUoccupancyB2DSize dynamic_of, std::size_t dynamic, int limit,
                                               unsigned flags) {
  require(flags <= CU_OCCUPANCY_DISABLE_CACHING_OVERRIDE);
  cuOccupancyMaxPotentialBlockSize(grid, block, function, dynamic_of, dynamic, limit);
}

void cuOccupancyAvailableDynamicSMemPerBlock(std::size_t* bytes, CUfunction function, int count,
                                             int threads) {
  require(count > 0 && threads > 0);
  CUfunc_st& asked = function_at(function);
  require(static_cast<std::uint64_t>(count) <= resident_ctas(asked, static_cast<std::uint64_t>(threads), 0));
  const device::Needs& needs = needs_of(asked);
  const std::uint64_t all = shared_for_ctas(asked, count == 1 ? ~std::uint64_t{0} : 0);
  const std::uint64_t each =
      all / static_cast<std::uint64_t>(count) / limits::shared_granularity * limits::shared_granularity;
  const std::uint64_t taken = needs.declared_shared_bytes;
  *bytes = each > taken ? std::min(each - taken, most_dynamic_shared(asked)) : 0;
}

void cuOccupancyMaxActiveClusters(int* count, CUfunction handle, const CUlaunchConfig* config) {
  require(config->numAttrs == 0 || config->attrs != nullptr);
  const device::LaunchConfig launch = interposer::launch_config(*config, {config->attrs, config->numAttrs});
  const std::uint64_t size = std::uint64_t{launch.cluster[0]} * launch.cluster[1] * launch.cluster[2];
  require(size != 0 && size <= most_cluster_ctas(function_at(handle)) && block_of(*config) != 0,
          CUDA_ERROR_INVALID_CLUSTER_SIZE);
  const std::uint64_t held = resident_ctas(function_at(handle), block_of(*config), config->sharedMemBytes);
  *count = static_cast<int>(held * multiprocessors() / size);
}

void cuOccupancyMaxPotentialClusterSize(int* size, CUfunction handle, const CUlaunchConfig*) {
  *size = static_cast<int>(most_cluster_ctas(function_at(handle)));
}

}  // namespace wedjat::live::calls
