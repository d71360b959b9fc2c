// Memory contents on their way into the trace: inline if short, else through the blob store.
#pragma once

#include <cstddef>
#include <span>

#include "interposer/shim/events/call.h"
#include "interposer/shim/events/sequence.h"
#include "traces/format/hash.h"

namespace wedjat::interposer {

// `address` is where the contents lay in the application; `bytes` may be a packed copy of them.
void payload(std::uint64_t call, Phase phase, const char* name, const void* address,
             std::span<const std::byte> bytes);
// The same of several whose bytes are kept, in this order: large ones often by other threads behind the
// return (readers.h), many small ones side by side.
struct KeptPayload {
  std::uint64_t call;
  Phase phase;
  const char* name;
  const void* address;
  std::span<const std::byte> bytes;
};
void kept_payloads(std::span<const KeptPayload> all);
// `bytes` are kept, and may be recorded behind the return.
void host_delta(std::uint64_t call, Phase phase, const void* address, std::span<const std::byte> bytes);
void device_delta(std::uint64_t call, const void* address, std::span<const std::byte> bytes);
// `bytes`: the contents, or nothing if only their hash is kept.
void device_memory_held(std::uint64_t call, std::uint64_t address, std::uint64_t size,
                        const traces::Hash& hash, std::span<const std::byte> bytes);
// Whether this process told anything that the device brought to the host.
bool results_told();
void uncaptured(std::uint64_t call, const char* name, const char* reason);

inline std::span<const std::byte> bytes_at(const void* address, std::size_t size) {
  return {static_cast<const std::byte*>(address), size};
}

// What a struct points to.
template <typename T>
void pointed_to(const Call& call, const char* name, const T* pointer, std::int64_t count) {
  const std::uint64_t size = byte_size(pointer, count);
  if (size != 0) payload(call.sequence, Phase::entry, name, pointer, bytes_at(pointer, size));
}

// A parameter too long for its event.
template <typename T>
void spill(const Call& call, Phase phase, const char* name, const T* pointer, std::int64_t count) {
  const std::uint64_t size = byte_size(pointer, count);
  if (size > traces::kInlineBytes) payload(call.sequence, phase, name, pointer, bytes_at(pointer, size));
}

}  // namespace wedjat::interposer
