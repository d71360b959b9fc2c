#include "emulator/exec/access/memory_port.h"

#include <fmt/format.h>

#include "emulator/exec/access/fault.h"
#include "emulator/exec/access/kept_writes.h"
#include "emulator/exec/access/learn_memory.h"
#include "emulator/exec/access/may_write.h"
#include "emulator/exec/access/watch.h"

namespace wedjat::exec {

using kernel::Space;

namespace {

std::uintptr_t integer(const std::byte* at) { return reinterpret_cast<std::uintptr_t>(at); }

// Bytes [low, end) of a memory of `size` bytes that begins at address `base`.
bool inside(std::uint64_t low, std::uint64_t high, std::uint64_t bytes, std::uint64_t base,
            std::uint64_t size) {
  return low - base < size && high - base < size && bytes <= size - (high - base);
}

// Stores and updates, not copies that also read.
bool only_writes(const kernel::Step& step) {
  using namespace kernel::effect;
  return step.form != nullptr && (step.form->effects & (writes_memory | updates_memory)) != 0 &&
         (step.form->effects & reads_memory) == 0;
}

// A kernel's parameters are read-only (PTX ISA 5.1.6.1).
bool reach_parameters(const MemoryPort& port, const kernel::Step& step, std::uint64_t low, std::uint64_t high,
                      std::uint64_t bytes, Reach& reach) {
  reach = {integer(port.parameters) - memory::param_window.base, 0};
  return inside(low, high, bytes, memory::param_window.base, port.parameter_bytes) && !only_writes(step);
}

// Own shared memory, or that of another CTA of the cluster.
bool reach_cluster(const MemoryPort& port, std::uint64_t low, std::uint64_t high, std::uint64_t bytes,
                   Reach& reach) {
  if (inside(low, high, bytes, port.shared_address, port.shared_bytes)) {
    reach = {integer(port.shared) - port.shared_address, 0};
    return true;
  }
  const std::uint64_t rank = low / memory::shared_stride;
  if (rank >= port.cluster.size()) return false;
  const std::uint64_t begin = rank * memory::shared_stride + memory::shared_reserved;
  reach = {integer(port.cluster[rank]) - begin, 0};
  return inside(low, high, bytes, begin, port.shared_bytes);
}

bool reach_window(const MemoryPort& port, const kernel::Step& step, std::uint64_t low, std::uint64_t high,
                  std::uint64_t bytes, Reach& reach) {
  using namespace memory;
  if (shared_window.contains(low) && shared_window.contains(high)) {
    if (!reach_cluster(port, low - shared_window.base, high - shared_window.base, bytes, reach)) return false;
    reach.base -= shared_window.base;
  } else if (inside(low, high, bytes, local_window.base, port.local_bytes))
    reach = {integer(port.local) - local_window.base, port.local_stride};
  else
    return reach_parameters(port, step, low, high, bytes, reach);
  return true;
}

bool reach_device(WarpContext& warp, const kernel::Step& step, std::uint64_t low, std::uint64_t high,
                  std::uint64_t bytes, Use use, Reach& reach) {
  MemoryPort& port = *warp.memory;
  auto extent = port.device->find(low);
  if (!extent || !inside(low, high, bytes, extent->address, extent->size)) return false;
  if (use != Use::read && !may_write(warp, low)) return false;
  if (port.kept != nullptr && use == Use::read) {
    extent = port.kept->readable(step.id, *extent, low, bytes);
    if (!inside(low, high, bytes, extent->address, extent->size)) return false;
  }
  Recent& recent = port.cache[step.id];
  recent.extent = *extent;
  recent.noted = port.watch != nullptr && port.watch->follow(*extent, use, step.id);
  recent.own = false;
  if (port.watch != nullptr && use == Use::update && !recent.noted)
    if (const auto stand_in = port.watch->stand_in(*extent, step.id))
      recent = {*stand_in, recent.shape, false, true};
  reach = {integer(recent.extent.host) - extent->address, 0};
  return true;
}

std::string_view name_of(Space space) {
  switch (space) {
    case Space::None:
    case Space::Generic:
      return "generic";
    case Space::Global:
      return "global";
    case Space::Shared:
      return "shared";
    case Space::SharedCluster:
      return "shared::cluster";
    case Space::Local:
      return "local";
    case Space::Const:
      return "const";
    case Space::Param:
    case Space::ParamEntry:
    case Space::ParamFunc:
      return "param";
  }
  return "?";
}

[[noreturn]] void fail_access(WarpContext& warp, const kernel::Step& step, Space space, int lane,
                              std::uint64_t address, std::uint64_t bytes) {
  const MemoryPort& port = *warp.memory;
  const std::string what = fmt::format("{} bytes at {} address {:#x}", bytes, name_of(space), address);
  const std::uint32_t mask = 1u << lane;
  auto out = [&](std::string_view memory, std::uint64_t size) {
    fail(warp, step.id, mask, FaultKind::out_of_bounds,
         fmt::format("{}: {} has {} bytes", what, memory, size));
  };
  const auto parameters = [&] {
    if (only_writes(step) && inside(address, address, bytes, memory::param_window.base, port.parameter_bytes))
      fail(warp, step.id, mask, FaultKind::read_only, what + ": the kernel's parameter memory");
    out("the kernel's parameter memory", port.parameter_bytes);
  };
  switch (space) {
    case Space::Shared:
    case Space::SharedCluster:
      out("shared memory", port.shared_bytes);
    case Space::Local:
      out("the thread's local memory", port.local_bytes);
    case Space::Param:
    case Space::ParamEntry:
    case Space::ParamFunc:
      if (memory::param_window.contains(address)) parameters();
      out("the thread's local memory", port.local_bytes);
    case Space::None:
    case Space::Generic:
      if (memory::shared_window.contains(address)) out("shared memory", port.shared_bytes);
      if (memory::local_window.contains(address)) out("the thread's local memory", port.local_bytes);
      if (memory::param_window.contains(address)) parameters();
      break;
    case Space::Global:
    case Space::Const:
      break;
  }
  // Where all of it is, writing it is what fails.
  if (const auto held = port.device->find(address); held && held->contains(address, bytes))
    fail(warp, step.id, mask, FaultKind::read_only,
         fmt::format("{}: {}", what, port.device->describe(address)));
  fail(warp, step.id, mask,
       port.device->was_freed(address) ? FaultKind::use_after_free : FaultKind::out_of_bounds,
       fmt::format("{}: {}", what, port.device->describe(address)));
}

}  // namespace

bool reach_slowly(WarpContext& warp, const kernel::Step& step, Space space, std::uint64_t low,
                  std::uint64_t high, std::uint64_t bytes, Use use, Reach& reach) {
  MemoryPort& port = *warp.memory;
  switch (space) {
    case Space::None:
    case Space::Generic:
      return reach_window(port, step, low, high, bytes, reach) ||
             reach_device(warp, step, low, high, bytes, use, reach);
    case Space::Global:
    case Space::Const:
      return reach_device(warp, step, low, high, bytes, use, reach);
    case Space::Shared:
      reach = {integer(port.shared) - port.shared_address, 0};
      return inside(low, high, bytes, port.shared_address, port.shared_bytes);
    case Space::SharedCluster:
      return reach_cluster(port, low, high, bytes, reach);
    case Space::Local:
      reach = {integer(port.local), port.local_stride};
      return inside(low, high, bytes, 0, port.local_bytes);
    case Space::Param:
    case Space::ParamEntry:
    case Space::ParamFunc:
      if (low < memory::param_window.base)
        return reach_slowly(warp, step, Space::Local, low, high, bytes, use, reach);
      return reach_parameters(port, step, low, high, bytes, reach);
  }
  return false;
}

bool learn_memory(WarpContext& warp, const kernel::Step& step, Space space, Use use, std::uint64_t address) {
  const Recent& recent = warp.memory->cache[step.id];
  Reach reach;
  return !recent.extent.contains(address, 1) &&
         reach_slowly(warp, step, space, address, address, 1, use, reach) &&
         recent.extent.contains(address, 1);
}

void reach_each(WarpContext& warp, const kernel::Step& step, Space space, const Access& access, Use use,
                std::uintptr_t* host) {
  for (std::uint32_t rest = access.mask; rest != 0; rest &= rest - 1) {
    const int lane = __builtin_ctz(rest);
    const std::uint64_t address = access.address[lane];
    Reach reach;
    if (!reach_slowly(warp, step, space, address, address, access.bytes, use, reach))
      fail_access(warp, step, space, lane, address, access.bytes);
    note_range(warp, step, use, address, access.bytes);
    host[lane] = reach.base + address + static_cast<std::uint64_t>(lane) * reach.stride;
  }
  // Lanes may have found memory of this thread alone, or not.
  if (use == Use::update) warp.memory->cache[step.id].own = false;
}

std::byte* reach_lane(WarpContext& warp, const kernel::Step& step, Space space, int lane,
                      std::uint64_t address, std::uint64_t bytes, Use use) {
  const MemoryPort& port = *warp.memory;
  Reach reach;
  if (space == Space::Global || space == Space::Generic) {
    const Recent& near = port.cache[step.id];
    // Copies read and write by one step: that its reads are not noted says nothing of its writes.
    // And that it may be read says nothing of writing it.
    const bool is_known =
        use == Use::read || ((near.noted || port.watch == nullptr) && may_write(warp, address));
    if (is_known && near.extent.contains(address, bytes)) {
      if (near.noted) note_range(warp, step, use, address, bytes);
      return near.extent.host + (address - near.extent.address);
    }
  }
  if (!reach_slowly(warp, step, space, address, address, bytes, use, reach))
    fail_access(warp, step, space, lane, address, bytes);
  note_range(warp, step, use, address, bytes);
  return reinterpret_cast<std::byte*>(reach.base + address + static_cast<std::uint64_t>(lane) * reach.stride);
}

void note_range(WarpContext& warp, const kernel::Step& step, Use use, std::uint64_t address,
                std::uint64_t bytes) {
  const MemoryPort& port = *warp.memory;
  const Recent& recent = port.cache[step.id];
  // Outside: what it reached is no memory of the device.
  if (!recent.noted || !recent.extent.contains(address, bytes)) return;
  port.watch->note(recent.extent, use, step.id, recent.extent.host + (address - recent.extent.address),
                   bytes);
}

void note_lanes(WarpContext& warp, const kernel::Step& step, Use use, const Access& access) {
  for (std::uint32_t rest = access.mask; rest != 0; rest &= rest - 1)
    note_range(warp, step, use, access.address[__builtin_ctz(rest)], access.bytes);
}

void fail_misaligned(WarpContext& warp, const kernel::Step& step, Space space, const Access& access) {
  std::uint32_t failed = 0;
  for (std::uint32_t rest = access.mask; rest != 0; rest &= rest - 1)
    if (access.address[__builtin_ctz(rest)] & (access.bytes - 1)) failed |= rest & -rest;
  fail(warp, step.id, failed, FaultKind::misaligned,
       fmt::format("{} bytes at {} address {:#x}, which is no multiple of {}", access.bytes, name_of(space),
                   access.address[__builtin_ctz(failed)], access.bytes));
}

}  // namespace wedjat::exec
