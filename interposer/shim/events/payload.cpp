#include "interposer/shim/events/payload.h"

#include <algorithm>
#include <atomic>
#include <cstring>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "interposer/shim/events/meta_events.h"
#include "interposer/shim/events/readers.h"
#include "interposer/shim/events/untold.h"

namespace wedjat::interposer {
namespace {

// Handing over less takes other threads longer than it takes this one.
constexpr std::size_t kAside = 32 << 10;

// Handing over so much in many parts takes longer than having it done at once. Who is at work behind the
// return is interrupted, too, whenever a page is protected.
constexpr std::size_t kAtOnce = std::size_t{8} << 20;

std::atomic<bool> told_results{false};

using Emit = void (*)(const wj_contents*);

wj_contents describe(std::uint64_t call, Phase phase, const char* name, const void* address,
                     std::span<const std::byte> bytes) {
  wj_contents event{};
  event.call = call;
  event.phase = static_cast<std::uint8_t>(phase);
  event.name = name;
  event.address = reinterpret_cast<std::uint64_t>(address);
  event.size = bytes.size();
  return event;
}

void set_key(wj_contents& event, const traces::Hash& hash) {
  event.hash_high = hash.high;
  event.hash_low = hash.low;
}

void set_contents(wj_contents& event, std::span<const std::byte> bytes) {
  const bool is_inline = bytes.size() <= traces::kInlineBytes;
  set_key(event, is_inline ? traces::hash_bytes(bytes) : blobs().put(bytes));
  event.data = bytes.data();
  event.inline_size = is_inline ? static_cast<std::uint32_t>(bytes.size()) : 0;
}

void emit(Emit tell, std::uint64_t call, Phase phase, const char* name, const void* address,
          std::span<const std::byte> bytes) {
  wj_contents event = describe(call, phase, name, address, bytes);
  set_contents(event, bytes);
  event.seq = next_sequence();
  tell(&event);
}

// Told of by other threads, as soon as they can.
struct Aside {
  Aside(Emit by, std::uint64_t call, Phase phase, const char* called, const void* address,
        std::span<const std::byte> bytes)
      : tell(by),
        name(called),
        event(describe(call, phase, name.c_str(), address, bytes)),
        keys((bytes.size() + traces::kPiece - 1) / traces::kPiece) {
    event.seq = next_sequence();
    untold = is_untold(event.seq, call);
  }

  Emit tell;
  std::string name;
  wj_contents event;
  std::vector<traces::Hash> keys;
  std::atomic<bool> whole{true};
  traces::UntoldEvent* untold = nullptr;

  template <typename Body>
  void try_to(const Body& body) {
    try {
      body();
    } catch (const std::exception& error) {
      if (whole.exchange(false)) trouble(event.call, error.what());
    }
  }
  void read(std::size_t i, std::span<const std::byte> piece) {
    try_to([&] { keys[i] = blobs().put_piece(piece); });
  }
  void end() {
    if (whole)
      try_to([&] {
        set_key(event, blobs().put_pieces(keys, event.size));
        tell(&event);
      });
    is_told(untold);
  }
};

// `bytes` stay as they are until they are read (readers.h).
void emit_kept(Emit tell, std::uint64_t call, Phase phase, const char* name, const void* address,
               std::span<const std::byte> bytes) {
  if (bytes.size() < kAside || !blobs().workers().at_hand())
    return emit(tell, call, phase, name, address, bytes);
  const auto aside = std::make_shared<Aside>(tell, call, phase, name, address, bytes);
  read_aside(
      blobs().workers(), bytes, traces::kPiece,
      [aside](std::size_t i, std::span<const std::byte> piece) { aside->read(i, piece); },
      [aside] { aside->end(); });
}

void notice_result(const char* name) {
  if (std::string_view(name).starts_with("host_out")) told_results.store(true);
}

}  // namespace

void payload(std::uint64_t call, Phase phase, const char* name, const void* address,
             std::span<const std::byte> bytes) {
  notice_result(name);
  emit(wj_emit_payload, call, phase, name, address, bytes);
}

void kept_payloads(std::span<const KeptPayload> all) {
  std::size_t size = 0;
  for (const KeptPayload& one : all) {
    notice_result(one.name);
    size += one.bytes.size();
  }
  if (all.size() == 1 || size > kAtOnce) {
    for (const auto& [call, phase, name, address, bytes] : all)
      emit_kept(wj_emit_payload, call, phase, name, address, bytes);
    return;
  }
  std::vector<wj_contents> events(all.size());
  blobs().workers().each(all.size(), [&](std::size_t i) {
    const auto& [call, phase, name, address, bytes] = all[i];
    events[i] = describe(call, phase, name, address, bytes);
    set_contents(events[i], bytes);
  });
  for (wj_contents& event : events) {
    event.seq = next_sequence();
    wj_emit_payload(&event);
  }
}

void host_delta(std::uint64_t call, Phase phase, const void* address, std::span<const std::byte> bytes) {
  if (phase == Phase::exit) told_results.store(true);
  emit_kept(wj_emit_host_delta, call, phase, "", address, bytes);
}

void device_delta(std::uint64_t call, const void* address, std::span<const std::byte> bytes) {
  told_results.store(true);
  emit(wj_emit_device_delta, call, Phase::exit, "", address, bytes);
}

void device_memory_held(std::uint64_t call, std::uint64_t address, std::uint64_t size,
                        const traces::Hash& hash, std::span<const std::byte> bytes) {
  wj_contents event = describe(call, Phase::entry, "", nullptr, bytes);
  if (bytes.empty())
    set_key(event, hash);
  else  // by the key that they are stored under, which of contents in pieces is another hash
    set_contents(event, bytes);
  event.seq = next_sequence();
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
