// SplitMix64: the same numbers with every compiler and library, which truth files rely on.
#pragma once

#include <cstdint>

namespace wedjat::hardware_truth {

class Random {
 public:
  explicit Random(std::uint64_t seed) : state_(seed) {}
  std::uint64_t bits() {
    std::uint64_t z = (state_ += 0x9e3779b97f4a7c15u);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
  }
  // Uniform enough in [0, limit), limit > 0.
  std::uint64_t below(std::uint64_t limit) { return (bits() >> 11) % limit; }

 private:
  std::uint64_t state_;
};

}  // namespace wedjat::hardware_truth
