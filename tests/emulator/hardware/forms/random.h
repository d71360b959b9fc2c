// SplitMix64: the same numbers with every compiler and library, which truth files rely on.
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>

namespace wedjat::hardware_truth {

// Another choice of everything that is chosen, where it is not 0 (`--seed`): the committed truth has 0. To be
// set before the first case is made.
inline std::uint64_t input_seed = 0;

class Random {
 public:
  explicit Random(std::uint64_t seed) : state_(seed ^ input_seed * 0xd1342543de82ef95u) {}
  std::uint64_t bits() {
    std::uint64_t z = (state_ += 0x9e3779b97f4a7c15u);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
  }
  // As many in another order.
  template <class Values>
  void shuffle(Values& values) {
    for (std::size_t i = values.size(); i > 1; --i) std::swap(values[i - 1], values[below(i)]);
  }
  // Uniform enough in [0, limit), limit > 0.
  std::uint64_t below(std::uint64_t limit) { return (bits() >> 11) % limit; }

 private:
  std::uint64_t state_;
};

}  // namespace wedjat::hardware_truth
