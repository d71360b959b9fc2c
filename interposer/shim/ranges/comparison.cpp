#include "interposer/shim/ranges/comparison.h"

#include <algorithm>
#include <cstring>

namespace wedjat::interposer {
namespace {

constexpr std::size_t kBlock = 64 << 10;
// What differs side by side is recorded in one piece of at most so many blocks.
constexpr std::size_t kMostBlocks = 256;
// Changed bytes closer than this are recorded as one run: an event costs more than the few bytes between.
constexpr std::size_t kGap = 32;
// From this size on a piece that differs almost from end to end is told whole.
constexpr std::size_t kWhole = 4096;
// Waking threads takes longer than looking at so few blocks.
constexpr std::size_t kFewBlocks = 8;
// What is compared at a time: what was found of it is kept.
constexpr std::size_t kManyBlocks = 1 << 16;

constexpr std::byte kZeros[kBlock]{};

std::uint64_t word_at(const std::byte* from) {
  std::uint64_t word;
  std::memcpy(&word, from, sizeof word);
  return word;
}

// What is looked at in one step where it is the same, or differs in each word.
constexpr std::size_t kStep = 4 * sizeof(std::uint64_t);

// The first byte from `at` on that differs, or the size.
std::size_t first_difference(std::span<const std::byte> a, const std::byte* b, std::size_t at) {
  const auto differs = [&](std::size_t i) { return word_at(a.data() + i) ^ word_at(b + i); };
  while (at + kStep <= a.size() && (differs(at) | differs(at + 8) | differs(at + 16) | differs(at + 24)) == 0)
    at += kStep;
  while (at < a.size() && a[at] == b[at]) ++at;
  return at;
}

// In which bits the words at `at` differ. A copy of a size that the compiler knows is one instruction.
std::uint64_t difference_at(std::span<const std::byte> a, const std::byte* b, std::size_t at) {
  if (at + 8 <= a.size()) return word_at(a.data() + at) ^ word_at(b + at);
  std::uint64_t x = 0, y = 0;
  std::memcpy(&x, a.data() + at, a.size() - at);
  std::memcpy(&y, b + at, a.size() - at);
  return x ^ y;
}

// The last byte of the run of differences that begins at `at`.
std::size_t last_of_run(std::span<const std::byte> a, const std::byte* b, std::size_t at) {
  const auto differs = [&](std::size_t i) { return word_at(a.data() + i) != word_at(b + i); };
  std::size_t last = at;
  for (std::size_t i = at + 1; i < a.size() && i - last <= kGap; i += 8) {
    // Over words that all differ; the last of them is looked at more closely.
    while (i + kStep <= a.size() && differs(i) && differs(i + 8) && differs(i + 16) && differs(i + 24))
      last = i += kStep - 8;
    const std::uint64_t difference = difference_at(a, b, i);
    if (difference == 0) continue;
    const auto lowest = static_cast<std::size_t>(__builtin_ctzll(difference) / 8);
    if (i + lowest - last > kGap) break;
    last = i + static_cast<std::size_t>(63 - __builtin_clzll(difference)) / 8;
  }
  return last;
}

// Whether it differs from end to end, but for so few bytes at both as do not part two runs either.
bool differs_throughout(std::span<const std::byte> a, const std::byte* b) {
  const std::size_t first = first_difference(a, b, 0);
  if (a.size() < kWhole) return first == 0 && last_of_run(a, b, 0) + 1 == a.size();
  return first <= kGap && last_of_run(a, b, first) + kGap >= a.size();
}

}  // namespace

void tell_changes(const std::byte* address, std::span<const std::byte> now, std::byte* known,
                  const TellChange& tell) {
  for (std::size_t i = first_difference(now, known, 0); i < now.size();) {
    const std::size_t size = last_of_run(now, known, i) + 1 - i;
    // What is recorded is what is kept, even if the application writes meanwhile.
    std::memcpy(known + i, now.data() + i, size);
    tell(address + i, {known + i, size});
    i = first_difference(now, known, i + size);
  }
}

void Comparison::add(KnownMemory& known, const std::byte* address, std::span<const std::byte> now) {
  if (now.empty()) return;
  places_.push_back({&known, address, now, blocks_});
  blocks_ += (now.size() + kBlock - 1) / kBlock;
  bytes_ += now.size();
  if (blocks_ >= kManyBlocks) finish();
}

void Comparison::finish() {
  std::vector<Found> found(blocks_);
  const auto compare = [&](std::size_t i) {
    const auto place = std::prev(std::ranges::upper_bound(places_, i, {}, &Place::first_block));
    found[i] = compare_block(*place, i - place->first_block);
  };
  if (blocks_ > kFewBlocks)
    workers_.each(blocks_, compare);
  else
    for (std::size_t i = 0; i < blocks_; ++i) compare(i);
  for (const Place& place : places_)
    tell_place(place, std::span(found).subspan(place.first_block, (place.now.size() + kBlock - 1) / kBlock));
  places_.clear();
  blocks_ = 0;
}

Comparison::Found Comparison::compare_block(const Place& place, std::size_t i) const {
  const auto now = place.now.subspan(i * kBlock, std::min(kBlock, place.now.size() - i * kBlock));
  const std::byte* const address = place.address + i * kBlock;
  std::byte* const known = place.known->at(address);
  const bool untouched = place.known->is_untouched(address, now.size());
  const std::byte* const before = untouched ? kZeros : known;
  if (std::memcmp(now.data(), before, now.size()) == 0) return Found::same;
  if (!differs_throughout(now, before)) return Found::differs;
  place.known->will_change(address, now.size());
  if (untouched) place.known->make_room(address, now.size());
  std::memcpy(known, now.data(), now.size());
  return Found::differs_throughout;
}

void Comparison::tell_place(const Place& place, std::span<const Found> found) const {
  for (std::size_t i = 0; i < found.size();) {
    std::size_t behind = i + 1;
    while (behind < found.size() && found[behind] == found[i] && behind - i < kMostBlocks) ++behind;
    const std::byte* const address = place.address + i * kBlock;
    const auto now = place.now.subspan(i * kBlock, std::min(behind * kBlock, place.now.size()) - i * kBlock);
    if (found[i] != Found::same) place.known->touch(address, now.size());
    if (found[i] == Found::differs) tell_changes(address, now, place.known->at(address), tell_);
    if (found[i] == Found::differs_throughout) tell_(address, {place.known->at(address), now.size()});
    i = behind;
  }
}

}  // namespace wedjat::interposer
