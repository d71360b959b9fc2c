/* clang-format off */
/* Functions that become part of native code, and the numbers of lanes that they get: in C and C++. */
#ifndef WEDJAT_LANES_H
#define WEDJAT_LANES_H
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Lane l has first + (l % width) * step_x + (l / width) * step_y; or, if width is 0, each[l]. Values of fewer than 8 bytes come with zeros before
 * them. A predicate: `first` has a bit for each lane. Lanes that do not run the instruction may have anything. */
typedef struct wedjat_lanes {
  uint64_t first;
  int64_t step_x, step_y;
  uint32_t width;       /* 32: step_y says nothing */
  const uint64_t* each; /* null unless width is 0 */
} wedjat_lanes;

static inline uint64_t wedjat_lane(const wedjat_lanes* of, unsigned lane) {
  if (of->width == 0) return of->each[lane];
  return of->first + (uint64_t)(lane % of->width) * (uint64_t)of->step_x + (uint64_t)(lane / of->width) * (uint64_t)of->step_y;
}

/* Distinct blocks of 2^shift bytes that the lanes touch, each with `bytes` from its address on. */
__attribute__((noinline, unused)) static uint64_t wedjat_scattered_blocks(const wedjat_lanes* at, uint32_t lanes, uint32_t bytes, unsigned shift) {
  uint64_t begin[32], end[32], count = 0; /* ranges of blocks, that do not overlap */
  unsigned ranges = 0;
  for (; lanes != 0; lanes &= lanes - 1) {
    const uint64_t address = wedjat_lane(at, (unsigned)__builtin_ctz(lanes));
    uint64_t low = address >> shift, high = ((address + bytes - 1) >> shift) + 1;
    for (unsigned r = 0; r < ranges;) {
      if (low > end[r] || begin[r] > high) {
        ++r;
        continue;
      }
      if (begin[r] < low) low = begin[r];
      if (end[r] > high) high = end[r];
      --ranges;
      begin[r] = begin[ranges], end[r] = end[ranges];
      r = 0;
    }
    begin[ranges] = low, end[ranges++] = high;
  }
  for (unsigned r = 0; r < ranges; ++r) count += end[r] - begin[r];
  return count;
}
/* Blocks from the one with `low` in it to the one `last` bytes behind that. */
static inline uint64_t wedjat_run_blocks(uint64_t low, uint64_t last, unsigned shift) {
  return (((low & ((UINT64_C(1) << shift) - 1)) + last) >> shift) + 1;
}
/* The same; a few instructions where all lanes access one run of memory, or two. */
static inline uint64_t wedjat_blocks(const wedjat_lanes* at, uint32_t lanes, uint32_t bytes, unsigned shift) {
  if (at->width >= 16 && lanes == UINT32_C(0xffffffff) && bytes != 0 && shift < 32) {
    const uint64_t block = UINT64_C(1) << shift;
    const uint64_t step = at->step_x < 0 ? 0 - (uint64_t)at->step_x : (uint64_t)at->step_x;
    const uint64_t length = (at->width - 1) * step, last = length + bytes - 1;
    const uint64_t low = at->step_x < 0 ? at->first - length : at->first;
    if (step <= block + bytes - 1) { /* longer steps leave blocks out */
      const uint64_t other = (uint64_t)at->step_y, near = last + block;
      if (at->width == 32 || other == 0) return wedjat_run_blocks(low, last, shift);
      if (other - near <= 0 - 2 * near) /* so far away, before or behind, that the other row is in none of its blocks */
        return wedjat_run_blocks(low, last, shift) + wedjat_run_blocks(low + other, last, shift);
    }
  }
  return wedjat_scattered_blocks(at, lanes, bytes, shift);
}

/* A function that runs before an instruction, for the lanes whose guard holds; not where there are none. `values`: those it asked for. It adds to
 * counters, of which each thread of the host has some of its own, and does nothing else: no other memory, nothing that outlives it. */
typedef void (*wedjat_function)(uint64_t* counters, const wedjat_lanes* values, uint32_t executed);

#define WEDJAT_MOST_VALUES 4

/* Such a function at an instruction. If the tool's library lies beside a file of LLVM bitcode (NAME.bc beside NAME.so: `clang -O2 -emit-llvm -c`) that
 * has a function of this name, the same in C, native code contains it; else it is called. */
typedef struct wedjat_inlined {
  size_t size;
  uint32_t instruction;
  uint32_t counter;       /* counters[0] of the function: from here on all of the tool's */
  wedjat_function function;
  const char* name;       /* in the bitcode; null: it is in none */
  uint32_t value_count;   /* needs WEDJAT_HAS_ROWS if not 0 */
  uint32_t values[WEDJAT_MOST_VALUES]; /* elements: indices in wedjat_event.rows, of 8 bytes at most. An access: operands[accesses[a].operand].first */
} wedjat_inlined;

#ifdef __cplusplus
}
#endif
#endif
