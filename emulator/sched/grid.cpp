#include "emulator/sched/grid.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <chrono>
#include <stdexcept>

#include "device_limits.h"
#include "emulator/exec/access/recent_accesses.h"
#include "emulator/sched/races/guard.h"
#include "emulator/sched/worker.h"

namespace wedjat::sched {

namespace {

void check_shape(const exec::Launch& launch) {
  auto refuse = [&](const std::string& why) {
    throw std::invalid_argument(fmt::format("cannot launch '{}': {}", launch.kernel.name, why));
  };
  const auto& [gx, gy, gz] = launch.grid;
  const auto& [bx, by, bz] = launch.block;
  if (gx == 0 || gy == 0 || gz == 0) refuse(fmt::format("empty grid ({},{},{})", gx, gy, gz));
  if (gx > limits::grid[0] || gy > limits::grid[1] || gz > limits::grid[2])
    refuse(fmt::format("grid ({},{},{}) passes ({})", gx, gy, gz, fmt::join(limits::grid, ",")));
  if (launch.block.count() == 0) refuse(fmt::format("empty block ({},{},{})", bx, by, bz));
  if (bx > limits::block[0] || by > limits::block[1] || bz > limits::block[2] ||
      launch.block.count() > limits::threads_per_block)
    refuse(fmt::format("block ({},{},{}) passes {} threads or ({})", bx, by, bz, limits::threads_per_block,
                       fmt::join(limits::block, ",")));
  const auto& cluster = launch.cluster;
  if (cluster.count() == 0 || gx % cluster.x != 0 || gy % cluster.y != 0 || gz % cluster.z != 0)
    refuse(fmt::format("grid ({},{},{}) is no multiple of the cluster ({},{},{})", gx, gy, gz, cluster.x,
                       cluster.y, cluster.z));
  if (launch.parameters.size() != launch.kernel.parameter_bytes)
    refuse(fmt::format("{} bytes of parameters given, it takes {}", launch.parameters.size(),
                       launch.kernel.parameter_bytes));
}

}  // namespace

std::uint64_t resident_on_device(const exec::Launch& launch) {
  const std::uint64_t ctas =
      limits::multiprocessors *
      std::clamp<std::uint64_t>(limits::threads_per_multiprocessor / launch.block.count(), 1,
                                limits::ctas_per_multiprocessor);
  return std::max<std::uint64_t>(1, ctas / launch.cluster.count());
}

unsigned threads_for(const exec::Launch& launch) {
  if (one_by_one(launch)) return 1;
  return static_cast<unsigned>(
      std::max<std::uint64_t>(1, std::min<std::uint64_t>(clusters(launch), launch.options.threads)));
}

exec::MemoryPort make_port(const exec::Launch& launch, bool concurrent, exec::Watch* watch) {
  exec::MemoryPort port;
  port.device = &launch.memory;
  port.generation = launch.memory.generation();
  const bool watched = watch != nullptr || concurrent || launch.observer != nullptr;
  // What may be read only may have been written by the launch before.
  port.cache = watched || launch.read_only != nullptr
                   ? std::vector<exec::Recent>(launch.kernel.origins.size())
                   : exec::recall_accesses(launch.kernel, port.generation);
  port.concurrent = concurrent;
  port.watch = watch;
  port.kept = launch.kept;
  // The port refuses writes of parameters.
  port.parameters = const_cast<std::byte*>(launch.parameters.data());
  port.parameter_bytes = launch.parameters.size();
  port.constants = launch.constants;
  return port;
}

Statistics run_grid(const exec::Launch& launch) {
  check_shape(launch);
  const auto begin = std::chrono::steady_clock::now();
  // Who observes a launch has asked have_at_most() before.
  const bool guarded = threads_for(launch) > 1 && launch.observer == nullptr;
  Statistics statistics = guarded ? run_guarded(launch) : run_unguarded(launch);
  statistics.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  return statistics;
}

}  // namespace wedjat::sched
