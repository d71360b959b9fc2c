#include "interposer/live/work/kernels.h"

#include <algorithm>
#include <array>
#include <cstring>

#include "device_limits.h"
#include "interposer/live/work/residence.h"
#include "interposer/shim/driver/of_this_thread.h"

namespace wedjat::live {
namespace {

// {CU_LAUNCH_PARAM_BUFFER_POINTER, buffer, CU_LAUNCH_PARAM_BUFFER_SIZE, &size, CU_LAUNCH_PARAM_END}
std::span<const std::byte> buffer_of(void** extra) {
  constexpr std::uintptr_t end = 0, pointer = 1, size = 2;
  const std::byte* buffer = nullptr;
  std::size_t bytes = 0;
  for (; reinterpret_cast<std::uintptr_t>(*extra) != end; extra += 2) {
    const auto what = reinterpret_cast<std::uintptr_t>(extra[0]);
    require((what == pointer || what == size) && extra[1] != nullptr);
    if (what == pointer)
      buffer = static_cast<const std::byte*>(extra[1]);
    else
      std::memcpy(&bytes, extra[1], sizeof bytes);
  }
  require(buffer != nullptr || bytes == 0);
  return {buffer, bytes};
}

// A cluster is whole; all CTAs of a cooperative launch are resident at once.
void check_grid(CUfunc_st& function, const device::LaunchConfig& config) {
  const std::optional<std::array<std::uint32_t, 3>>& declared = needs_of(function).cluster;
  std::uint64_t ctas = 1, threads = 1;
  for (std::size_t axis = 0; axis < 3; ++axis) {
    const std::uint32_t cluster = std::max(declared ? (*declared)[axis] : config.cluster[axis], 1u);
    require(config.cluster[axis] != 0 && config.grid[axis] % cluster == 0, CUDA_ERROR_INVALID_CLUSTER_SIZE);
    ctas *= config.grid[axis];
    threads *= config.block[axis];
  }
  const std::uint32_t asked = config.cluster[0] * config.cluster[1] * config.cluster[2];
  require(asked <= most_cluster_ctas(function), CUDA_ERROR_INVALID_CLUSTER_SIZE);
  if (!config.cooperative || threads == 0) return;
  require(ctas <= resident_ctas(function, threads, config.shared_bytes) * multiprocessors(),
          CUDA_ERROR_COOPERATIVE_LAUNCH_TOO_LARGE);
}

void count(Ran& ran, const device::LaunchStatistics& went) {
  ++ran.launches;
  ran.steps += went.steps;
  ran.native_steps += went.native_steps;
  ran.seconds += went.seconds;
}

}  // namespace

void check_shared(CUfunc_st& function, std::uint64_t dynamic) {
  const auto usual =
      static_cast<std::uint64_t>(profile().attributes.at(CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK));
  require(dynamic <= most_dynamic_shared(function) ||
          dynamic + needs_of(function).declared_shared_bytes <= usual);
}

std::span<const std::byte> packed_parameters(const CUfunc_st& function, void** parameters, void** extra) {
  struct Packed;
  auto& packed = interposer::of_this_thread<std::vector<std::byte>, Packed>();
  packed.assign(function.parameter_bytes, std::byte{0});
  if (extra != nullptr && parameters == nullptr) {
    const std::span<const std::byte> given = buffer_of(extra);
    // Behind the last parameter a program may leave padding, or leave it out.
    require(function.parameters.empty() || given.size() >= function.parameter_bytes);
    if (!packed.empty()) std::memcpy(packed.data(), given.data(), packed.size());
    return packed;
  }
  if (function.parameters.empty()) return packed;
  require(parameters != nullptr);
  for (std::size_t i = 0; i < function.parameters.size(); ++i) {
    require(parameters[i] != nullptr);
    std::memcpy(packed.data() + function.parameters[i].offset, parameters[i], function.parameters[i].size);
  }
  return packed;
}

void launch(CUfunc_st& function, const device::LaunchConfig& config, std::span<const std::byte> parameters) {
  CUctx_st& here = context();
  require(function.module->context == &here, CUDA_ERROR_INVALID_HANDLE);
  check_grid(function, config);
  check_shared(function, config.shared_bytes);
  if (driver().running_graphs.empty()) show_printed(here);  // nodes leave it to who waits
  ++driver().launches;
  device::LaunchConfig complete = config;
  // As an H100 has it: of those that kernels may launch.
  if (const auto& graphs = driver().running_graphs; !graphs.empty() && graphs.back()->is_for_kernels())
    complete.graph = number(graphs.back());
  if (driver().options.lenient)
    complete.shared_bytes += room_behind(needs_of(function).static_shared_bytes + config.shared_bytes);
  const device::LaunchStatistics went = here.device.launch(function.entry, complete, parameters);
  if (!driver().options.reports.empty()) count(driver().ran[function.name], went);
}

}  // namespace wedjat::live
