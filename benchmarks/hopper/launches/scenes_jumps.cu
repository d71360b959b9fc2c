// What code costs that no cache of instructions holds where a warp jumps into it: in the first launch, in later
// ones, and behind other code. Run by itself and under `ncu`, it also says what ncu leaves in these caches.
//   scenes_jumps > TABLE
#include <cuda_runtime.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <vector>

#define CHECK(call)                                                        \
  do {                                                                     \
    const cudaError_t status = (call);                                     \
    if (status != cudaSuccess) {                                           \
      std::fprintf(stderr, "%s: %s\n", #call, cudaGetErrorString(status)); \
      std::exit(1);                                                        \
    }                                                                      \
  } while (0)

__device__ __forceinline__ unsigned now() {
  unsigned t;
  asm volatile("mov.u32 %0, %%clock;" : "=r"(t)::"memory");
  return t;
}

// Three rounds; in each, so many times: a jump over Over instructions, if `over` says so.
template <int Over, int Times>
__global__ void jumps(float* out, float x, float y, int over, unsigned* took) {
  float a[4] = {1, 2, 3, 4};
#pragma unroll 1
  for (int turn = 0; turn < 3; ++turn) {
    const unsigned begin = now();
#pragma unroll
    for (int i = 0; i < Times; ++i) {
      if (over != i + 1) {
        a[0] = a[0] + x;
      } else {
#pragma unroll
        for (int k = 0; k < Over; ++k) asm volatile("fma.rn.f32 %0, %0, %1, %2;" : "+f"(a[k % 4]) : "f"(x), "f"(y));
      }
      asm volatile("" ::: "memory");
    }
    const unsigned end = now();
    if (threadIdx.x % 32 == 0) took[threadIdx.x / 32 * 3 + turn] = end - begin;
  }
  out[threadIdx.x] = a[0] + a[1] + a[2] + a[3];
}

// A root and a division of operands that their slow path is called for, twice: what is called is the same.
__global__ void slow(float* out, float x, float y, unsigned* took) {
  for (int turn = 0; turn < 2; ++turn) {
    const unsigned t0 = now();
    const float quotient = x / y;
    if (quotient == 77) return;
    const unsigned t1 = now();
    const float root = sqrtf(quotient * 0 + x);
    if (root == 77) return;
    const unsigned t2 = now();
    if (threadIdx.x % 32 == 0) {
      took[threadIdx.x / 32 * 4 + turn * 2] = t1 - t0;
      took[threadIdx.x / 32 * 4 + turn * 2 + 1] = t2 - t1;
    }
    x += root * 0;
  }
  out[threadIdx.x] = x;
}

// Other code, more than the caches of an SM have.
template <int N>
__global__ void other(float* out, float x, float y) {
  float a[8] = {1, 2, 3, 4, 5, 6, 7, 8};
#pragma unroll
  for (int i = 0; i < N; ++i) asm volatile("fma.rn.f32 %0, %0, %1, %2;" : "+f"(a[i % 8]) : "f"(x), "f"(y));
  float sum = 0;
  for (float one : a) sum += one;
  out[threadIdx.x] = sum;
}

unsigned* took;
float* out;

void print(const char* what, int size, int warps, int launch, int numbers) {
  std::vector<unsigned> all(warps * numbers);
  CHECK(cudaDeviceSynchronize());
  CHECK(cudaMemcpy(all.data(), took, all.size() * sizeof(unsigned), cudaMemcpyDeviceToHost));
  std::printf("%s size=%d warps=%d launch=%d\t", what, size, warps, launch);
  for (int i = 0; i < numbers; ++i) {
    unsigned most = 0;
    for (int w = 0; w < warps; ++w) most = std::max(most, all[w * numbers + i]);
    std::printf("%s%u", i ? " " : "", most);
  }
  std::printf("\n");
}

template <int Over, int Times>
void print_jumps() {
  for (int warps : {1, 4, 8})
    for (int launch = 0; launch < 4; ++launch) {
      if (launch == 3) other<16384><<<132, 256>>>(out, 0.5f, 0.25f);
      jumps<Over, Times><<<1, 32 * warps>>>(out, 0.5f, 0.25f, 0, took);
      print("jumps", Over * 16, warps, launch, 3);
    }
}

int main() {
  CHECK(cudaMalloc(&took, 1 << 16));
  CHECK(cudaMalloc(&out, 1 << 16));
  CHECK(cudaMemset(out, 0, 1 << 16));
  print_jumps<8, 16>();
  print_jumps<16, 16>();
  print_jumps<32, 16>();
  print_jumps<64, 16>();
  print_jumps<128, 16>();
  print_jumps<256, 16>();
  print_jumps<1024, 8>();
  for (int warps : {1, 4, 8})
    for (int launch = 0; launch < 4; ++launch) {
      if (launch == 3) other<16384><<<132, 256>>>(out, 0.5f, 0.25f);
      slow<<<1, 32 * warps>>>(out, 0x1p-140f, 3.0f, took);
      print("slow", 0, warps, launch, 4);
    }
}
