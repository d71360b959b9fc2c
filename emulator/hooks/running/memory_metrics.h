// Functions of the addresses of one warp access.
#pragma once
#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <utility>

#include "emulator/exec/access/address_pattern.h"
#include "emulator/memory/windows.h"

namespace wedjat::hooks {
namespace detail {

using Eight = std::uint64_t __attribute__((vector_size(64)));
inline Eight eight_at(const std::uint64_t* from) {
  Eight eight;
  std::memcpy(&eight, from, sizeof eight);
  return eight;
}

// Of 32 numbers: how many there are within 64 of the first, as a set of bits; 0 if one lies farther off.
template <unsigned shift>
unsigned near_units(const std::uint64_t* address) {
  const std::uint64_t base = (address[0] >> shift) - 32;
  Eight set{}, far{};
  for (int g = 0; g < 4; ++g) {
    const Eight apart = (eight_at(address + 8 * g) >> shift) - base;
    far |= apart >> 6;
    set |= (Eight{} + 1) << (apart & 63);
  }
  if (exec::detail::any_bit(far)) return 0;
  std::uint64_t all = 0;
  for (int i = 0; i < 8; ++i) all |= set[i];
  return static_cast<unsigned>(__builtin_popcountll(all));
}

// Of 32 numbers that never fall: how often they rise, and 1; 0 if one falls. Lanes 24 and 25 are seen twice.
template <unsigned shift>
unsigned rising_units(const std::uint64_t* address) {
  Eight rises{}, falls{};
  for (const int l : {0, 8, 16, 23}) {
    const Eight before = eight_at(address + l) >> shift, after = eight_at(address + l + 1) >> shift;
    falls |= static_cast<Eight>(after < before);
    Eight risen = static_cast<Eight>(after != before);
    if (l == 23) risen[0] = 0;
    rises -= risen;
  }
  if (exec::detail::any_bit(falls)) return 0;
  std::uint64_t all = 1;
  for (int i = 0; i < 8; ++i) all += rises[i];
  return static_cast<unsigned>(all);
}

// Of 32 numbers in any order: a hashed set of 64 places.
template <unsigned shift>
unsigned scattered_units(const std::uint64_t* address) {
  std::array<std::uint64_t, 64> place;
  std::uint64_t used = 0;
  for (int l = 0; l < 32; ++l) {
    const std::uint64_t unit = address[l] >> shift;
    std::uint64_t at = unit * 0x9e3779b97f4a7c15u >> 58;
    while ((used >> at & 1) && place[at] != unit) at = (at + 1) % 64;
    used |= std::uint64_t{1} << at;
    place[at] = unit;
  }
  return static_cast<unsigned>(__builtin_popcountll(used));
}

// Accesses that may cross the border of a unit: first and last of each lane, swept in order.
template <unsigned shift>
std::uint64_t wide_units(const std::uint64_t* address, std::uint32_t bytes) {
  std::array<std::uint64_t, 32> first;
  std::copy_n(address, 32, first.begin());
  std::sort(first.begin(), first.end());
  std::uint64_t count = 0, end = 0;  // units below `end` are counted
  for (const std::uint64_t from : first) {
    const std::uint64_t low = std::max(from >> shift, end), high = (from + bytes - 1) >> shift;
    if (low <= high) count += high - low + 1, end = high + 1;
  }
  return count;
}

}  // namespace detail

/// What the lanes of `mask` touch, `bytes` each. Most warps touch one run of memory, and that is seen once.
class Footprint {
 public:
  Footprint(const std::uint64_t* address, std::uint32_t mask, std::uint32_t bytes)
      : address_(address), mask_(mask), bytes_(bytes) {
    if (mask != exec::all_lanes) return;
    const detail::Eight first = detail::Eight{} + address[0], step = exec::detail::count_up * bytes;
    detail::Eight off_point{}, off_run{};
    for (unsigned g = 0; g < 4; ++g) {
      const detail::Eight apart = detail::eight_at(address + 8 * g) - first;
      off_point |= apart;
      off_run |= apart ^ (step + std::uint64_t{8} * g * bytes);
    }
    if (!exec::detail::any_bit(off_run))
      run_ = 32 * bytes;
    else if (!exec::detail::any_bit(off_point))
      run_ = bytes;
  }

  /// Distinct blocks of 2^shift bytes.
  template <unsigned shift>
  std::uint64_t units() const {
    if (run_ != 0) return ((address_[0] + run_ - 1) >> shift) - (address_[0] >> shift) + 1;
    if (mask_ == 0 || bytes_ == 0) return 0;
    return scattered<shift>();
  }

 private:
  template <unsigned shift>
  [[gnu::noinline]] std::uint64_t scattered() const {
    const std::uint64_t* address = address_;
    alignas(64) std::array<std::uint64_t, 32> filled;  // lanes that are not there do as the one before them
    if (mask_ != exec::all_lanes) {
      std::uint64_t last = address[__builtin_ctz(mask_)];
      for (unsigned l = 0; l < 32; ++l) filled[l] = last = mask_ >> l & 1 ? address[l] : last;
      address = filled.data();
    }
    detail::Eight crooked{};
    for (int g = 0; g < 4; ++g) crooked |= detail::eight_at(address + 8 * g);
    const bool one_each = bytes_ <= 1u << shift && (bytes_ & (bytes_ - 1)) == 0 &&
                          !exec::detail::any_bit(crooked & std::uint64_t{bytes_ - 1});
    if (!one_each) return detail::wide_units<shift>(address, bytes_);
    if (const unsigned count = detail::near_units<shift>(address)) return count;
    if (const unsigned count = detail::rising_units<shift>(address)) return count;
    return detail::scattered_units<shift>(address);
  }

  const std::uint64_t* address_;
  std::uint32_t mask_, bytes_;
  std::uint64_t run_ = 0;  // bytes from the first lane's address on that are all they touch; 0: not so simple
};

/// Lanes whose generic address lies neither in shared nor in local memory.
inline std::uint32_t lanes_outside_windows(const std::uint64_t* address) {
  std::uint32_t mask = 0;
  for (unsigned lane = 0; lane < 32; ++lane)
    mask |= static_cast<std::uint32_t>(!memory::shared_window.contains(address[lane]) &&
                                       !memory::local_window.contains(address[lane]))
            << lane;
  return mask;
}

inline std::uint64_t sum_of(const std::uint32_t* bytes, std::uint32_t mask) {
  std::uint64_t sum = 0;
  for (std::uint32_t rest = mask; rest != 0; rest &= rest - 1) sum += bytes[__builtin_ctz(rest)];
  return sum;
}

/// Distinct blocks of 2^shift bytes that the lanes of `mask` touch, `bytes[lane]` each.
inline std::uint64_t sized_units(const std::uint64_t* address, std::uint32_t mask, const std::uint32_t* bytes,
                                 unsigned shift) {
  std::array<std::pair<std::uint64_t, std::uint64_t>, 32> range;  // first and last block
  std::size_t ranges = 0;
  for (std::uint32_t rest = mask; rest != 0; rest &= rest - 1) {
    const int lane = __builtin_ctz(rest);
    if (bytes[lane] != 0)
      range[ranges++] = {address[lane] >> shift, (address[lane] + bytes[lane] - 1) >> shift};
  }
  std::sort(range.begin(), range.begin() + ranges);
  std::uint64_t count = 0, end = 0;  // blocks below `end` are counted
  for (std::size_t i = 0; i < ranges; ++i) {
    const std::uint64_t low = std::max(range[i].first, end);
    if (low <= range[i].second) count += range[i].second - low + 1, end = range[i].second + 1;
  }
  return count;
}

/// Lanes that shared memory serves together: all for 4 bytes and less, half warps for 8, quarters for 16.
inline unsigned lanes_served(std::uint32_t bytes) { return bytes >= 16 ? 8 : bytes == 8 ? 16 : 32; }

/// Shared memory serves 32 banks of 4 bytes a pass; lanes that want the same word share it. Passes = sum over
/// the groups of lanes served together of the most distinct words in a bank.
inline std::uint64_t bank_passes(const std::uint64_t* address, std::uint32_t mask, std::uint32_t bytes) {
  const unsigned lanes = lanes_served(bytes), words = std::clamp(bytes / 4, 1u, 32u);
  std::uint64_t passes = 0;
  for (unsigned first = 0; first < 32; first += lanes) {
    std::uint64_t low = ~std::uint64_t{0}, high = 0;
    for (unsigned lane = first; lane < first + lanes; ++lane) {
      if (!(mask >> lane & 1)) continue;
      low = std::min(low, address[lane] / 4);
      high = std::max(high, address[lane] / 4 + words - 1);
    }
    if (low > high) continue;
    if (high - low < 32) {  // a bank each
      ++passes;
      continue;
    }
    std::array<std::array<std::uint64_t, 32>, 32> seen;
    std::array<std::uint8_t, 32> count{};
    unsigned most = 0;
    for (unsigned lane = first; lane < first + lanes; ++lane) {
      if (!(mask >> lane & 1)) continue;
      for (unsigned w = 0; w < words; ++w) {
        const std::uint64_t word = address[lane] / 4 + w;
        auto& bank = seen[word % 32];
        std::uint8_t& in_bank = count[word % 32];
        if (std::find(bank.begin(), bank.begin() + in_bank, word) == bank.begin() + in_bank) {
          bank[in_bank++] = word;
          most = std::max<unsigned>(most, in_bank);
        }
      }
    }
    passes += most;
  }
  return passes;
}

/// Of the same lanes, if they spread over the banks: one a group that does anything.
inline std::uint64_t ideal_bank_passes(std::uint32_t mask, std::uint32_t bytes) {
  const unsigned lanes = lanes_served(bytes);
  std::uint64_t passes = 0;
  for (unsigned first = 0; first < 32; first += lanes)
    passes += (mask >> first & (lanes == 32 ? ~0u : (1u << lanes) - 1)) != 0;
  return passes;
}

}  // namespace wedjat::hooks
