// Kernel launches.
#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "traces/replay/handlers.h"

namespace wedjat::traces {

void Replayer::launch(const Call& call, std::uint64_t function, const std::uint32_t (&grid)[3],
                      const std::uint32_t (&block)[3], const std::uint32_t (&cluster)[3],
                      std::uint32_t shared_bytes, bool cooperative) {
  const auto kernel = kernels_.find(function);
  if (kernel == kernels_.end())
    refuse(call, fmt::format("nothing was recorded of the function {:#x}", function));
  std::uint64_t parent = kernel->second.parent;
  if (const auto alias = aliases_.find(parent); alias != aliases_.end()) parent = alias->second;
  if (const auto bare = no_ptx_.find(parent); bare != no_ptx_.end())
    refuse(call, fmt::format(
                     "kernel {} has no PTX that a device of compute capability 9.0 runs; its module holds {}",
                     kernel->second.name, bare->second));
  const auto module = modules_.find(parent);
  if (module == modules_.end())
    refuse(call, fmt::format("the module of kernel {} was not recorded", kernel->second.name));

  const Event* payload = call.payload("params");
  const Bytes params = payload ? trace_.contents(*payload) : Bytes{};
  device::LaunchConfig config;
  std::ranges::copy(grid, config.grid);
  std::ranges::copy(block, config.block);
  std::ranges::copy(cluster, config.cluster);
  config.shared_bytes = shared_bytes;
  config.cooperative = cooperative;
  const auto statistics =
      device_->launch(device_->function(module->second, kernel->second.name), config, params);
  report_.launched.push_back({call.sequence(), kernel->second.name, statistics.seconds,
                              statistics.thread_instructions, statistics.warp_instructions});
  if (std::ranges::find(kernels_since_check_, kernel->second.name) == kernels_since_check_.end())
    kernels_since_check_.push_back(kernel->second.name);
}

namespace handle {
namespace {

std::uint32_t number(const Call& call, const char* field) {
  return static_cast<std::uint32_t>(call.entry->number(field));
}

// CUlaunchConfig and CUlaunchAttribute as C lays them out (64-bit).
struct Config {
  std::uint32_t grid[3], block[3], shared_bytes, padding;
  std::uint64_t stream, attributes;
  std::uint32_t attribute_count, padding2;
};
static_assert(sizeof(Config) == 56);
struct Attribute {
  std::uint32_t id, padding;
  std::uint32_t value[16];
};
static_assert(sizeof(Attribute) == 72);
constexpr std::uint32_t cooperative_grid = 2;   // CU_LAUNCH_ATTRIBUTE_COOPERATIVE
constexpr std::uint32_t cluster_dimension = 4;  // CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION

}  // namespace

void launch(Replayer& replayer, const Call& call) {
  const std::uint32_t grid[3] = {number(call, "gridDimX"), number(call, "gridDimY"),
                                 number(call, "gridDimZ")};
  const std::uint32_t block[3] = {number(call, "blockDimX"), number(call, "blockDimY"),
                                  number(call, "blockDimZ")};
  replayer.launch(call, call.entry->number("f"), grid, block, {1, 1, 1}, number(call, "sharedMemBytes"),
                  call.base == "cuLaunchCooperativeKernel");
}

void launch_extended(Replayer& replayer, const Call& call) {
  const Bytes& bytes = call.entry->bytes("config_in");
  if (bytes.size() != sizeof(Config)) replayer.refuse(call, "its configuration was not recorded whole");
  Config config;
  std::memcpy(&config, bytes.data(), sizeof config);
  std::uint32_t cluster[3] = {1, 1, 1};
  bool cooperative = false;
  if (const Event* payload = call.payload("config.attrs")) {
    const Bytes attributes = replayer.trace().contents(*payload);
    for (std::size_t at = 0; at + sizeof(Attribute) <= attributes.size(); at += sizeof(Attribute)) {
      Attribute attribute;
      std::memcpy(&attribute, attributes.data() + at, sizeof attribute);
      if (attribute.id == cooperative_grid) cooperative = attribute.value[0] != 0;
      if (attribute.id == cluster_dimension) std::copy_n(attribute.value, 3, cluster);
    }
  } else if (config.attribute_count) {
    replayer.refuse(call, "its launch attributes were not recorded");
  }
  replayer.launch(call, call.entry->number("f"), config.grid, config.block, cluster, config.shared_bytes,
                  cooperative);
}

}  // namespace handle
}  // namespace wedjat::traces
