// The functions of my_lines.
#pragma once
#include <wedjat/lanes.h>

#ifdef __cplusplus
extern "C" {
#endif
enum { my_lines_bytes = 4 };
void count_lines(uint64_t* counters, const wedjat_lanes* address, uint32_t executed);
void sum_values(uint64_t* counters, const wedjat_lanes* values, uint32_t executed);
#ifdef __cplusplus
}
#endif
