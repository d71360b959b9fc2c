#include "traces/replay/state/shared_handles.h"

#include "traces/replay/state/replayer.h"

namespace wedjat::traces {

void SharedHandles::give(const Bytes& handle, Replayer& owner, std::uint64_t address, std::uint64_t size) {
  if (by_handle_.contains(handle)) return;
  const View view{&owner, address};
  by_handle_[handle] = &memories_.emplace_back(Memory{size, {view}, view});
}

std::uint64_t SharedHandles::size_of(const Bytes& handle) const {
  const auto found = by_handle_.find(handle);
  return found == by_handle_.end() ? 0 : found->second->size;
}

void SharedHandles::open(const Bytes& handle, Replayer& guest, std::uint64_t address) {
  Memory& memory = *by_handle_.at(handle);
  for (View& view : memory.views)
    if (view.process == &guest && view.address == address) {
      ++view.opened;
      return;
    }
  memory.views.push_back({&guest, address});
  bring(memory, memory.views.back());
}

bool SharedHandles::close(Replayer& guest, std::uint64_t address) {
  for (Memory& memory : memories_)
    for (auto view = memory.views.begin(); view != memory.views.end(); ++view) {
      if (view->process != &guest || view->address != address) continue;
      if (--view->opened != 0) return false;
      memory.views.erase(view);
      // What it holds lives on with the others.
      if (memory.latest.process == &guest && !memory.views.empty()) bring(memory, memory.views.front());
      return true;
    }
  return true;
}

void SharedHandles::turn(Replayer& next) {
  for (Memory& memory : memories_)
    for (const View& view : memory.views)
      if (view.process == &next && memory.latest.process != &next) bring(memory, view);
}

void SharedHandles::bring(Memory& memory, const View& to) {
  device::Device &from = memory.latest.process->device(), &device = to.process->device();
  // Freed memory has nothing to bring, and needs nothing.
  if (!from.is_allocated(memory.latest.address) || !device.is_allocated(to.address)) return;
  device.mirror(to.address, from, memory.latest.address, memory.size);
  memory.latest = to;
}

}  // namespace wedjat::traces
