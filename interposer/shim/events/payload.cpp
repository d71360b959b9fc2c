#include "interposer/shim/events/payload.h"

#include <atomic>
#include <cstring>
#include <string_view>

#include "interposer/shim/events/meta_events.h"

namespace wedjat::interposer {
namespace {

std::atomic<bool> told_results{false};

wj_contents describe(std::uint64_t call, Phase phase, const char* name, const void* address,
                     std::span<const std::byte> bytes, std::byte* copy = nullptr) {
  const bool is_inline = bytes.size() <= traces::kInlineBytes;
  if (is_inline && copy != nullptr) {
    std::memcpy(copy, bytes.data(), bytes.size());
    bytes = {copy, bytes.size()};
  }
  const traces::Hash hash = is_inline ? traces::hash_bytes(bytes) : blobs().put(bytes, copy);
  wj_contents event{};
  event.seq = next_sequence();
  event.call = call;
  event.phase = static_cast<std::uint8_t>(phase);
  event.name = name;
  event.address = reinterpret_cast<std::uint64_t>(address);
  event.size = bytes.size();
  event.hash_high = hash.high;
  event.hash_low = hash.low;
  event.data = bytes.data();
  event.inline_size = is_inline ? static_cast<std::uint32_t>(bytes.size()) : 0;
  return event;
}

}  // namespace

void payload(std::uint64_t call, Phase phase, const char* name, const void* address,
             std::span<const std::byte> bytes, std::byte* copy) {
  if (std::string_view(name).starts_with("host_out")) told_results.store(true);
  const wj_contents event = describe(call, phase, name, address, bytes, copy);
  wj_emit_payload(&event);
}

void host_delta(std::uint64_t call, Phase phase, const void* address, std::span<const std::byte> bytes) {
  if (phase == Phase::exit) told_results.store(true);
  const wj_contents event = describe(call, phase, "", address, bytes);
  wj_emit_host_delta(&event);
}

void device_delta(std::uint64_t call, const void* address, std::span<const std::byte> bytes) {
  told_results.store(true);
  const wj_contents event = describe(call, Phase::exit, "", address, bytes);
  wj_emit_device_delta(&event);
}

void device_memory_held(std::uint64_t call, std::uint64_t address, std::uint64_t size,
                        const traces::Hash& hash, std::span<const std::byte> bytes) {
  wj_contents event{};
  if (bytes.empty()) {
    event.seq = next_sequence();
    event.hash_high = hash.high;
    event.hash_low = hash.low;
  } else {  // by the key that they are stored under, which of contents in pieces is another hash
    event = describe(call, Phase::entry, "", nullptr, bytes);
  }
  event.call = call;
  event.address = address;
  event.size = size;
  event.kept = bytes.empty() ? 0 : 1;
  wj_emit_device_memory(&event);
}

bool results_told() { return told_results.load(); }

void uncaptured(std::uint64_t call, const char* name, const char* reason) {
  wj_emit_uncaptured(next_sequence(), call, name, reason);
}

}  // namespace wedjat::interposer
