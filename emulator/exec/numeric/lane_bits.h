// Truth values of the lanes, a byte (0 or 1) each, as a predicate: one bit each.
#pragma once
#include <cstring>
#if defined(__AVX512BW__) && defined(__AVX512VL__)
#include <immintrin.h>
#endif

#include "emulator/exec/numeric/types.h"

namespace wedjat::exec::numeric {

inline u32 lane_bits_by_products(const u8 (&truth)[32]) {
  u32 bits = 0;
  for (int eight = 0; eight < 4; ++eight) {
    u64 bytes;
    std::memcpy(&bytes, truth + 8 * eight, sizeof bytes);
    // Byte i goes to bit 56 + i.
    bits |= u32(bytes * 0x0102040810204080u >> 56) << (8 * eight);
  }
  return bits;
}

// `truth` is aligned to 32 bytes.
inline u32 lane_bits(const u8 (&truth)[32]) {
#if defined(__AVX512BW__) && defined(__AVX512VL__)
  const __m256i bytes = _mm256_load_si256(reinterpret_cast<const __m256i*>(truth));
  return _mm256_test_epi8_mask(bytes, bytes);
#else
  return lane_bits_by_products(truth);
#endif
}

}  // namespace wedjat::exec::numeric
