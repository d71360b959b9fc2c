// The keys of stored blobs, in memory that several processes may share. No locks: whoever is killed leaves it
// whole. When it is full, keys are forgotten: their blobs may be stored twice.
#pragma once

#include <atomic>
#include <cstddef>

#include "traces/format/hash.h"

namespace wedjat::traces {

class KnownKeys {
 public:
  bool contains(const Hash& key) const;
  void add(const Hash& key);

 private:
  static constexpr std::size_t kEntries = std::size_t{1} << 21;
  static constexpr std::size_t kTries = 16;

  struct Entry {
    std::atomic<std::uint64_t> low, high;  // 0: free, or not written yet
  };
  Entry entries_[kEntries];  // zeros at first
};

}  // namespace wedjat::traces
