#include "emulator/sched/deal.h"

#include <algorithm>

namespace wedjat::sched {

namespace {

// What a thread takes at a time: a part of what its hand has left, and never more than this.
constexpr std::uint64_t claims_each = 16, most_claimed = 32;
constexpr auto relaxed = std::memory_order_relaxed;

}  // namespace

std::uint64_t Deal::Hand::left() const {
  const std::uint64_t first = next.load(relaxed), last = end.load(relaxed);
  return last - std::min(first, last);
}

Deal::Deal(std::uint64_t clusters, unsigned threads) : hands_(threads) {
  std::uint64_t first = 0;
  for (unsigned i = 0; i < threads; ++i) {
    const std::uint64_t count = clusters / threads + (i < clusters % threads ? 1 : 0);
    hands_[i].next = first;
    hands_[i].end = first += count;
  }
}

unsigned Deal::own(unsigned number) {
  const auto all = static_cast<unsigned>(hands_.size());
  unsigned hand = number % all;
  while (hands_[hand].owned.exchange(true, relaxed)) hand = (hand + 1) % all;
  return hand;
}

Deal::Claim Deal::take(unsigned hand) {
  Hand& mine = hands_[hand];
  Claim claim;
  do {
    const std::lock_guard lock(mine.mutex);
    const std::uint64_t left = mine.left();
    if (left == 0) continue;
    claim.first = mine.next.load(relaxed);
    claim.end = claim.first + std::clamp<std::uint64_t>(left / claims_each, 1, most_claimed);
    mine.next.store(claim.end, relaxed);
    return claim;
  } while (claim.elsewhere = refill(hand), claim.elsewhere);
  return {};
}

// From who has most left.
bool Deal::refill(unsigned hand) {
  for (;;) {
    const auto most = std::ranges::max_element(hands_, {}, &Hand::left);
    if (most->left() == 0) return false;
    std::uint64_t first = 0, end = 0;
    {
      const std::lock_guard lock(most->mutex);
      end = most->end.load(relaxed);
      first = end - (most->left() + 1) / 2;
      most->end.store(first, relaxed);
    }
    if (first == end) continue;
    Hand& mine = hands_[hand];
    const std::lock_guard lock(mine.mutex);
    mine.next.store(first, relaxed);
    mine.end.store(end, relaxed);
    return true;
  }
}

std::uint64_t Deal::left() const {
  std::uint64_t sum = 0;
  for (const Hand& hand : hands_) sum += hand.left();
  return sum;
}

}  // namespace wedjat::sched
