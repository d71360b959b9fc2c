// Merge sort of buckets, four numbers at a time.
#pragma once

__device__ inline void exchange(float& a, float& b) {
  const float smaller = a < b ? a : b, larger = a < b ? b : a;
  a = smaller;
  b = larger;
}

__device__ inline float4 sorted(float4 v) {
  exchange(v.x, v.y);
  exchange(v.z, v.w);
  exchange(v.x, v.z);
  exchange(v.y, v.w);
  exchange(v.y, v.z);
  return v;
}

// The four lowest and the four highest of two sorted fours.
__device__ inline float4 lowest(float4 a, float4 b) {
  return sorted(
      {a.x <= b.w ? a.x : b.w, a.y <= b.z ? a.y : b.z, a.z <= b.y ? a.z : b.y, a.w <= b.x ? a.w : b.x});
}
__device__ inline float4 highest(float4 a, float4 b) {
  return sorted({a.x > b.w ? a.x : b.w, a.y > b.z ? a.y : b.z, a.z > b.y ? a.z : b.y, a.w > b.x ? a.w : b.x});
}

__global__ void merge_sort_first(float4* values, int count) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count) values[i] = sorted(values[i]);
}

// Thread x of row b merges two neighbouring runs of `run` fours in bucket b.
__global__ void merge_sort_pass(const float4* from, float4* to, const unsigned* starts, int run) {
  const int begin = static_cast<int>(starts[blockIdx.y] / 4),
            end = static_cast<int>(starts[blockIdx.y + 1] / 4);
  int i = begin + static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x) * 2 * run;
  if (i >= end) return;
  const int i_end = min(i + run, end), j_end = min(i_end + run, end);
  int j = i_end, out = i;
  if (j >= j_end) {
    for (; i < i_end; i++) to[out++] = from[i];
    return;
  }
  float4 a = from[i++], b = from[j++];
  while (true) {
    to[out++] = lowest(a, b);
    a = highest(a, b);
    if (i < i_end && (j >= j_end || from[i].x < from[j].x))
      b = from[i++];
    else if (j < j_end)
      b = from[j++];
    else
      break;
  }
  to[out] = a;
}
