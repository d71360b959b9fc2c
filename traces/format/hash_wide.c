/* XXH3-128 for processors with AVX2, which takes half the time. A file of C, for what a header of C++ brings
 * along must not be compiled for more than the oldest processor. Declared in hash.cpp. */
#define XXH_INLINE_ALL
#include <xxhash.h>

void wj_hash_wide(const void* bytes, size_t size, uint64_t seed, uint64_t* high, uint64_t* low);

void wj_hash_wide(const void* bytes, size_t size, uint64_t seed, uint64_t* high, uint64_t* low) {
  const XXH128_hash_t hash = XXH3_128bits_withSeed(bytes, size, seed);
  *high = hash.high64;
  *low = hash.low64;
}
