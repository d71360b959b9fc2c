// What my_lines has native code contain.
#include <wedjat/lanes.h>

#include "my_lines.h"

void count_lines(uint64_t* counters, const wedjat_lanes* address, uint32_t executed) {
  counters[0] += wedjat_blocks(address, executed, my_lines_bytes, 7);
  counters[1] += (uint64_t)__builtin_popcount(executed);
}

/* What a function calls in turn gets its arguments as C has them. */
__attribute__((noinline)) static int64_t negative(int16_t number) { return number; }

void sum_values(uint64_t* counters, const wedjat_lanes* values, uint32_t executed) {
  counters[0] += (uint64_t)negative((int16_t)(0 - (executed & 0x7fff)));
  for (; executed != 0; executed &= executed - 1) counters[0] += wedjat_lane(values, (unsigned)__builtin_ctz(executed));
}
