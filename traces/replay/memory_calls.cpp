// Allocation and memset. The result of an allocation is recorded, not only its request: memory lies where it
// lay on the GPU.
#include <algorithm>

#include "traces/replay/handlers.h"

namespace wedjat::traces {

void Replayer::allocate(const Call& call, std::uint64_t address, std::uint64_t size) {
  device_->allocate_at(address, size, call.base + " (seq " + std::to_string(call.sequence()) + ")");
}

void Replayer::release(const Call& call, std::uint64_t address) {
  if (address) device_->free(address);  // cuMemFree(0) is legal and does nothing
}

namespace {

std::uint64_t result_address(const Call& call) {
  const auto values = call.exit->numbers("dptr_out");
  if (values.empty())
    throw ReplayRefused(std::string(call.symbol) + " (seq " + std::to_string(call.sequence()) +
                        "): no address was recorded");
  return values[0];
}

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

namespace handle {

void allocate(Replayer& replayer, const Call& call) {
  replayer.allocate(call, result_address(call), call.entry->number("bytesize"));
}

void allocate_pitch(Replayer& replayer, const Call& call) {
  const auto pitch = call.exit->numbers("pPitch_out");
  if (pitch.empty()) replayer.refuse(call, "no pitch was recorded");
  replayer.allocate(call, result_address(call), pitch[0] * call.entry->number("Height"));
}

void free(Replayer& replayer, const Call& call) { replayer.release(call, call.entry->number("dptr")); }

void map(Replayer& replayer, const Call& call) {
  replayer.allocate(call, call.entry->number("ptr"), call.entry->number("size"));
}

void free_mapped(Replayer& replayer, const Call& call) { replayer.release(call, call.entry->number("ptr")); }

void fill(Replayer& replayer, const Call& call) {
  fill_row(replayer, call.entry->number("dstDevice"), value_of(call), element_of(call),
           call.entry->number("N"));
}

void fill_2d(Replayer& replayer, const Call& call) {
  const std::uint64_t start = call.entry->number("dstDevice"), pitch = call.entry->number("dstPitch");
  for (std::uint64_t y = 0; y < call.entry->number("Height"); ++y)
    fill_row(replayer, start + y * pitch, value_of(call), element_of(call), call.entry->number("Width"));
}

}  // namespace handle
}  // namespace wedjat::traces
