// Allocation and memset. The result of an allocation is recorded, not only its request: memory lies where it
// lay on the GPU.
#include <fmt/format.h>

#include <algorithm>

#include "traces/replay/calls/copy.h"
#include "traces/replay/calls/handlers.h"

namespace wedjat::traces {

void Replayer::allocate(const Call& call, std::uint64_t address, std::uint64_t size,
                        device::Contents contents) {
  if (address == 0 && size == 0) return;  // cuMemAllocAsync gives nothing for nothing, and calls it well
  constexpr std::uint64_t most = std::uint64_t{1} << 41;  // more than any device has
  if (size > most) refuse(call, fmt::format("it allocates {} bytes, which no device has", size));
  // Of a graph that is launched again: it had freed at its launch what it left there
  // (CUDA_GRAPH_INSTANTIATE_FLAG_AUTO_FREE_ON_LAUNCH), else that would have failed.
  const bool of_graph = &call != &calls_.calls[current_];
  if (of_graph && allocations_.contains(address)) release(call, address);
  for (auto next = stale_.begin(); next != stale_.end();) {
    const auto [at, bytes] = *next;
    const bool overlaps = at < address + size && address < at + bytes;
    if (overlaps && device_->is_allocated(at)) device_->free(at);
    next = overlaps ? stale_.erase(next) : std::next(next);
  }
  // A driver does not clear what it gives out again; that of `wedjat live` does.
  if (trace_.manifest.device && trace_.manifest.device->emulated) contents = device::Contents::zeros;
  device_->allocate_at(address, size, call.base + " (seq " + std::to_string(call.sequence()) + ")", contents);
  allocations_[address] = size;
}

void Replayer::release(const Call& call, std::uint64_t address) {
  if (!address) return;  // legal, and does nothing
  compare_freed(call, address);
  device_->free(address);
  allocations_.erase(address);
  stale_.erase(address);
}

std::pair<std::uint64_t, std::uint64_t> Replayer::allocation_of(const Call& call,
                                                                std::uint64_t address) const {
  const auto above = allocations_.upper_bound(address);
  if (above == allocations_.begin() || address - std::prev(above)->first >= std::prev(above)->second)
    refuse(call, "nothing was recorded of the memory it shares");
  return *std::prev(above);
}

void Replayer::drop_context() {
  stale_.merge(allocations_);
  allocations_.clear();
  stale_modules_.clear();
  for (const auto& [handle, loaded] : modules_)
    for (const auto& [context, instance] : loaded.instances) stale_modules_.emplace_back(handle, instance);
}

namespace {

// cuMemsetD16Async -> 2
std::size_t element_of(const Call& call) {
  if (call.base.find("D32") != std::string::npos) return 4;
  return call.base.find("D16") != std::string::npos ? 2 : 1;
}

std::uint64_t value_of(const Call& call) {
  for (const char* name : {"uc", "us", "ui"})
    if (call.entry->find(name)) return call.entry->number(name);
  throw ReplayRefused(std::string(call.symbol) + ": no value was recorded");
}

void fill_row(Replayer& replayer, std::uint64_t address, std::uint64_t value, std::size_t element,
              std::uint64_t count) {
  constexpr std::uint64_t most = std::uint64_t{1} << 20;  // elements a chunk
  Bytes chunk(std::min(count, most) * element);
  for (std::size_t i = 0; i < chunk.size(); ++i)
    chunk[i] = static_cast<std::byte>(value >> 8 * (i % element));
  for (std::uint64_t done = 0; done < count; done += most) {
    const std::uint64_t now = std::min(most, count - done);
    replayer.device().write(address + done * element, std::span(chunk).first(now * element));
  }
}

}  // namespace

void fill(Replayer& replayer, const Call& call, std::uint64_t address, std::uint64_t pitch,
          std::uint64_t value, std::size_t element, std::uint64_t count, std::uint64_t rows) {
  if (count == 0 || rows == 0) return;
  if (element != 1 && element != 2 && element != 4)
    replayer.refuse(call, fmt::format("it fills elements of {} bytes", element));
  const std::uint64_t start = replayer.resolve(address).value_or(address);
  const auto span = span_of({count > ~std::uint64_t{0} / element ? 0 : count * element, rows, 1}, pitch, 0);
  if (!span || !replayer.device().holds(start, *span))
    replayer.refuse(call,
                    fmt::format("it fills {} rows of {} elements of {} bytes from {:#x}, which is not all "
                                "memory of the device",
                                rows, count, element, address));
  replayer.check_size(call, count * element * rows);
  for (std::uint64_t y = 0; y < rows; ++y) {
    fill_row(replayer, start + y * pitch, value, element, count);
    replayer.host_memory().given(address + y * pitch, count * element);
  }
}

namespace handle {

void drop_context(Replayer& replayer, const Call&) { replayer.drop_context(); }

void allocate(Replayer& replayer, const Call& call) {
  replayer.allocate(call, replayer.given_out(call, "dptr_out"), call.entry->number("bytesize"));
}

void allocate_pitch(Replayer& replayer, const Call& call) {
  replayer.allocate(call, replayer.given_out(call, "dptr_out"),
                    replayer.given_out(call, "pPitch_out") * call.entry->number("Height"));
}

void free(Replayer& replayer, const Call& call) { replayer.release(call, call.entry->number("dptr")); }

void fill(Replayer& replayer, const Call& call) {
  traces::fill(replayer, call, call.entry->number("dstDevice"), 0, value_of(call), element_of(call),
               call.entry->number("N"), 1);
}

void fill_2d(Replayer& replayer, const Call& call) {
  traces::fill(replayer, call, call.entry->number("dstDevice"), call.entry->number("dstPitch"),
               value_of(call), element_of(call), call.entry->number("Width"), call.entry->number("Height"));
}

}  // namespace handle
}  // namespace wedjat::traces
