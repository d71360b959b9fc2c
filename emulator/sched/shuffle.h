// Orders of warps and CTAs that hardware may take as well: results of a program whose threads do not race are
// the same in each.
#pragma once
#include <cstdint>

namespace wedjat::sched {

/// 1: the order by index turned round, each warp going far. Any other number: warps and CTAs mixed, each
/// going on for a while.
class Shuffle {
 public:
  explicit Shuffle(std::uint32_t number) : number_(number) {}

  /// What comes in this place, of 0 … count - 1: each once.
  std::uint64_t at(std::uint64_t place, std::uint64_t count) const;
  /// Steps of the turn of this number. `most`: what a warp may run without shuffling.
  std::int64_t share(std::uint64_t turn, std::int64_t most) const;

 private:
  std::uint32_t number_;
};

/// Of a launch: all that may be held by the device at once change places among themselves, for who comes
/// later may wait for who came before.
std::uint64_t shuffled(std::uint32_t number, std::uint64_t place, std::uint64_t count, std::uint64_t at_once);

}  // namespace wedjat::sched
