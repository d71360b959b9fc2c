#include "traces/replay/state/chosen_addresses.h"

#include <cstring>

namespace wedjat::traces {

std::uint64_t ChosenAddresses::translate(std::uint64_t address, std::span<const std::byte> expected,
                                         std::span<std::byte> got) {
  constexpr std::uint64_t word = sizeof(std::uint64_t);
  std::uint64_t count = 0;
  for (std::uint64_t at = (word - address % word) % word; at + word <= got.size(); at += word) {
    std::uint64_t ours = 0, theirs = 0;
    std::memcpy(&ours, got.data() + at, word);
    std::memcpy(&theirs, expected.data() + at, word);
    if (ours == theirs || theirs == 0) continue;
    const device::Chosen chosen = device_.chosen(ours);
    if (chosen == device::Chosen::nothing) continue;
    // Both place memory on 16 bytes at least, so the places in it agree that far.
    if (chosen == device::Chosen::memory && (ours ^ theirs) % 16 != 0) continue;
    // A word that once named something else does not name this.
    const auto known = theirs_.find(ours);
    const auto taken = ours_.find(theirs);
    if (known != theirs_.end() ? known->second != theirs : taken != ours_.end()) continue;
    theirs_[ours] = theirs;
    ours_[theirs] = ours;
    if (chosen == device::Chosen::function) device_.call_as(theirs, ours);
    std::memcpy(got.data() + at, &theirs, word);
    ++count;
  }
  return count;
}

}  // namespace wedjat::traces
