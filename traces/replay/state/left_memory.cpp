// What memory held on the hardware when it was given back and when the program ended: the oracle of programs
// that never bring their results to the host.
#include <fmt/format.h>

#include <algorithm>

#include "traces/format/names.h"
#include "traces/replay/state/replayer.h"

namespace wedjat::traces {

std::string_view Replayer::cause(const Call& call, const Event& event) {
  return event.number("call") == kNoCall ? "the end" : call.symbol;
}

void Replayer::check_held(const Call& call, const Event& event) {
  const std::uint64_t address = event.number("address"), size = event.number("size");
  const auto at = resolve(address);
  if (!at || !device_->holds(*at, size))
    return accounts_.because(event, fmt::format("{:#x} is no memory of the replay", address));
  if (size == 0) return accounts_.because(event, "it has no bytes");
  if (event.number("kept") == 0) return check_hash(event, *at, size);
  check_recorded(call, fmt::format("memory left at {}", cause(call, event)), address, *at, event);
}

void Replayer::check_hash(const Event& event, std::uint64_t address, std::uint64_t size) {
  constexpr std::uint64_t piece = std::uint64_t{16} << 20;
  const Hash expected{event.number("hash_high"), event.number("hash_low")};
  HashStream hash;
  Bytes part(std::min(piece, size));
  for (std::uint64_t done = 0; done < size; done += piece) {
    const auto now = std::span(part).first(std::min(piece, size - done));
    device_->read(address + done, now);
    hash.add(now);
  }
  Checked checked{event.sequence,
                  "memory left, by its hash",
                  event.number("address"),
                  std::move(kernels_since_check_),
                  0,
                  {}};
  kernels_since_check_.clear();
  checked.difference.bytes = size;
  if (const Hash got = hash.value(); got != expected) {
    // Where they differ is not known.
    checked.difference.differing_bytes = checked.difference.differing_elements = size;
    checked.difference.expected = "contents of hash " + to_hex(expected);
    checked.difference.got = to_hex(got);
    checked.difference.ranges = {{0, size - 1}};
  }
  accounts_.compared(event);
  report(std::move(checked));
}

}  // namespace wedjat::traces
