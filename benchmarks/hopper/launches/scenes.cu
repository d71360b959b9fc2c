// Divisions over usual values, and updates of memory by many SMs: what the tables do not hold.
#include <cuda_runtime.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <vector>
using u64 = unsigned long long;
#define OPS(X)                                                                                     \
  X(div_f32, float, asm volatile("div.rn.f32 %0, %0, %1;" : "+f"(v) : "f"(b)))                     \
  X(div_full, float, asm volatile("div.full.f32 %0, %0, %1;" : "+f"(v) : "f"(b)))                  \
  X(rcp_f32, float, asm volatile("rcp.rn.f32 %0, %0;" : "+f"(v)))                                  \
  X(sqrt_f32, float, asm volatile("sqrt.rn.f32 %0, %0;" : "+f"(v)))                                \
  X(div_f64, double, asm volatile("div.rn.f64 %0, %0, %1;" : "+d"(v) : "d"(b)))                    \
  X(rcp_f64, double, asm volatile("rcp.rn.f64 %0, %0;" : "+d"(v)))                                 \
  X(sqrt_f64, double, asm volatile("sqrt.rn.f64 %0, %0;" : "+d"(v)))                               \
  X(div_u32, unsigned, asm volatile("div.u32 %0, %0, %1;" : "+r"(v) : "r"(b)))                     \
  X(rem_u32, unsigned, asm volatile("rem.u32 %0, %1, %0; add.u32 %0, %0, 77;" : "+r"(v) : "r"(b))) \
  X(rem_u64, u64, asm volatile("rem.u64 %0, %1, %0; add.u64 %0, %0, 77;" : "+l"(v) : "l"(b)))      \
  X(fma_f64, double, asm volatile("fma.rn.f64 %0, %0, %1, %1;" : "+d"(v) : "d"(b)))
#define KERNEL(name, T, op)                                  \
  template <int n>                                           \
  __global__ void k_##name(T v, T b, long long* t, T* out) { \
    v += T(threadIdx.x % 3);                                 \
    for (int round = 0; round < 3; ++round) {                \
      const long long begin = clock64();                     \
      _Pragma("unroll") for (int i = 0; i < n; ++i) { op; }  \
      if (v == T(12345.678)) return;                         \
      const long long end = clock64();                       \
      if (threadIdx.x == 0) *t = end - begin;                \
    }                                                        \
    out[threadIdx.x] = v;                                    \
  }
OPS(KERNEL)
__global__ void update(unsigned* p, unsigned lines, unsigned apart, int times, int mode) {
  const unsigned warp = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x % 32;
  unsigned at = warp * 2654435761u;
  for (int k = 0; k < times; ++k) {
    at = at * 1664525u + 1013904223u;
    unsigned word;
    if (mode == 0)
      word = ((at >> 10) % lines) * apart + lane;  // a line of a warp, all its words
    else if (mode == 1)
      word = ((at >> 10) % lines) * apart;  // one word
    else {
      unsigned own = at + lane * 747796405u;
      own ^= own >> 15;
      word = ((own >> 8) % lines) * apart + ((own >> 3) & 31);
    }  // any word of any line for each lane
    atomicAdd(p + word, 1u);
  }
}
template <class F>
float ms(F f) {
  cudaEvent_t a, b;
  cudaEventCreate(&a);
  cudaEventCreate(&b);
  float best = 1e9;
  for (int i = 0; i < 3; ++i) {
    cudaEventRecord(a);
    f();
    cudaEventRecord(b);
    cudaEventSynchronize(b);
    float t;
    cudaEventElapsedTime(&t, a, b);
    best = std::min(best, t);
  }
  return best;
}
int main() {
  long long* t;
  void* out;
  cudaMallocManaged(&t, 8);
  cudaMalloc(&out, 4096);
#define RUN(name, T, op)                                                                 \
  for (int threads : {32, 128, 512}) {                                                   \
    k_##name<4><<<1, threads>>>(T(1234.6), T(1.7) == T(1) ? T(3) : T(1.7), t, (T*)out);  \
    cudaDeviceSynchronize();                                                             \
    long long a = *t;                                                                    \
    k_##name<12><<<1, threads>>>(T(1234.6), T(1.7) == T(1) ? T(3) : T(1.7), t, (T*)out); \
    cudaDeviceSynchronize();                                                             \
    std::printf("op\t" #name "\t%d\t%.2f\n", threads, double(*t - a) / 8);               \
  }
  OPS(RUN)
  unsigned* p;
  cudaMalloc(&p, 64 << 20);
  cudaMemset(p, 0, 64 << 20);
  int clock;
  cudaDeviceGetAttribute(&clock, cudaDevAttrClockRate, 0);
  for (int mode : {0, 1, 2})
    for (unsigned apart : {32u, 64u, 1024u, 8192u})
      for (unsigned lines : {1u, 2u, 4u, 8u, 16u, 64u, 256u, 1024u})
        for (int ctas : {8, 132, 528}) {
          if (lines * apart * 4ull > (60u << 20)) continue;
          const int times = 64;
          const float m = ms([&] { update<<<ctas, 256>>>(p, lines, apart, times, mode); });
          std::printf("update\t%d\t%u\t%u\t%d\t%.3f\n", mode, apart, lines, ctas,
                      m * clock / (double(ctas) * 8 * times));  // cycles of one warp's atomic, all together
        }
  std::printf("%s\n", cudaGetErrorString(cudaGetLastError()));
}
