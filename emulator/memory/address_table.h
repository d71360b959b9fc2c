// A hash table by host address that is cheap to make, to fill and to throw away.
#pragma once
#include <cstdint>
#include <utility>
#include <vector>

namespace wedjat::memory {

/// T: something small that can be copied. 0 is no key.
template <class T>
class AddressTable {
 public:
  struct Entry {
    std::uintptr_t key = 0;
    T value{};
  };

  /// What the key has, a new T{} if it had nothing; and whether it had nothing. Valid until the next call.
  std::pair<T*, bool> try_emplace(std::uintptr_t key) {
    if (2 * count_ >= entries_.size()) grow();
    Entry& entry = place_of(key);
    if (entry.key == key) return {&entry.value, false};
    entry.key = key;
    ++count_;
    return {&entry.value, true};
  }
  std::size_t size() const { return count_; }

  template <class Each>
  void for_each(const Each& each) const {
    for (const Entry& entry : entries_)
      if (entry.key != 0) each(entry.key, entry.value);
  }

 private:
  Entry& place_of(std::uintptr_t key) {
    const std::size_t mask = entries_.size() - 1;
    std::size_t at = (key * 0x9e3779b97f4a7c15u >> 32) & mask;
    while (entries_[at].key != 0 && entries_[at].key != key) at = (at + 1) & mask;
    return entries_[at];
  }
  void grow() {
    std::vector<Entry> old(entries_.empty() ? 64 : 2 * entries_.size());
    old.swap(entries_);
    for (const Entry& entry : old)
      if (entry.key != 0) place_of(entry.key) = entry;
  }

  std::vector<Entry> entries_;
  std::size_t count_ = 0;
};

}  // namespace wedjat::memory
