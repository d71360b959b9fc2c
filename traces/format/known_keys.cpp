#include "traces/format/known_keys.h"

namespace wedjat::traces {
namespace {
// Halves that are 0 are rare enough to be taken for another value.
std::uint64_t present(std::uint64_t half) { return half == 0 ? 1 : half; }
}  // namespace

bool KnownKeys::contains(const Hash& key) const {
  for (std::size_t i = 0; i < kTries; ++i) {
    const Entry& entry = entries_[(key.low + i) % kEntries];
    const std::uint64_t low = entry.low.load(std::memory_order_acquire);
    if (low == 0) return false;
    if (low == present(key.low) && entry.high.load(std::memory_order_acquire) == present(key.high))
      return true;
  }
  return false;
}

void KnownKeys::add(const Hash& key) {
  for (std::size_t i = 0; i < kTries; ++i) {
    Entry& entry = entries_[(key.low + i) % kEntries];
    std::uint64_t low = 0;
    if (!entry.low.compare_exchange_strong(low, present(key.low)) && low != present(key.low)) continue;
    std::uint64_t high = 0;
    if (entry.high.compare_exchange_strong(high, present(key.high)) || high == present(key.high)) return;
  }
}

}  // namespace wedjat::traces
