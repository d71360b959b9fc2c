// What the first accesses of a launch find: translations of addresses, and code that no cache of instructions
// holds; and where the cycles of kernels go that the model of time has too fast.
//   scenes_cold > TABLE
#include <cuda_runtime.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <string>
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

// One thread reads a word of each of so many places, one after the other, twice: the address waits for the
// word before (all are zero).
__global__ void places(const unsigned* p, unsigned long long apart, int count, unsigned* took) {
  for (int turn = 0; turn < 2; ++turn) {
    unsigned long long at = reinterpret_cast<unsigned long long>(p);
    for (int i = 0; i < count; ++i) {
      const unsigned begin = now();
      unsigned v;
      asm volatile("ld.global.cg.u32 %0, [%1];" : "=r"(v) : "l"(at) : "memory");
      at += apart + v;
      asm volatile("" ::"l"(at) : "memory");
      took[turn * count + i] = (unsigned)(at & 1) + now() - begin;
    }
  }
}

// Straight code, three rounds: the first one fetches it.
template <int N>
__global__ void straight(float* out, float x, float y, unsigned* took) {
  float a[8] = {1, 2, 3, 4, 5, 6, 7, 8};
#pragma unroll 1
  for (int turn = 0; turn < 3; ++turn) {
    const unsigned begin = now();
#pragma unroll
    for (int i = 0; i < N; ++i) a[i % 8] = fmaf(a[i % 8], x, y);
    const unsigned end = now();
    if (threadIdx.x % 32 == 0) took[threadIdx.x / 32 * 3 + turn] = end - begin;
  }
  float sum = 0;
  for (int i = 0; i < 8; ++i) sum += a[i];
  out[threadIdx.x] = sum;
}

// Kernels of the test set, with the clock kept: at the begin, behind the loads, behind the loop, at the end.
__global__ void horner(const float* in, float* out, int n, unsigned* took) {
  const unsigned t0 = now();
  const double x = in[blockIdx.x * blockDim.x + threadIdx.x];
  double sum = 1, other = 2;
  if (x == 1e300) return;
  const unsigned t1 = now();
  for (int k = 1; k < n; ++k) sum = sum * x + 1.0 / 1024, other = other * x - sum;
  if (sum + other == 1e300) return;
  const unsigned t2 = now();
  out[blockIdx.x * blockDim.x + threadIdx.x] = static_cast<float>(sum + other);
  const unsigned t3 = now();
  if (threadIdx.x % 32 == 0) {
    unsigned* const at = took + (blockIdx.x * blockDim.x + threadIdx.x) / 32 * 3;
    at[0] = t1 - t0, at[1] = t2 - t1, at[2] = t3 - t2;
  }
}
__global__ void nearest(const float* in, float* out, unsigned* took) {
  const unsigned t0 = now();
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const float x = in[2 * i], y = in[2 * i + 1];
  if (x + y == 1e30f) return;
  const unsigned t1 = now();
  float least = 1e30f;
  int best = 0;
  for (int c = 0; c < 48; ++c) {
    const float dx = x - in[4096 + 2 * c], dy = y - in[4097 + 2 * c], d = dx * dx + dy * dy;
    if (d < least) least = d, best = c;
  }
  if (best == 77) return;
  const unsigned t2 = now();
  out[i] = static_cast<float>(best);
  const unsigned t3 = now();
  if (threadIdx.x % 32 == 0) {
    unsigned* const at = took + (blockIdx.x * blockDim.x + threadIdx.x) / 32 * 3;
    at[0] = t1 - t0, at[1] = t2 - t1, at[2] = t3 - t2;
  }
}
__global__ void transpose(const float* in, float* out, int n, unsigned* took) {
  __shared__ float tile[32][33];
  const unsigned t0 = now();
  const int x = blockIdx.x * 32, y = blockIdx.y * 32;
  for (int row = threadIdx.y; row < 32; row += 8)
    tile[row][threadIdx.x] = in[(y + row) * n + x + threadIdx.x];
  __syncthreads();
  const unsigned t1 = now();
  for (int row = threadIdx.y; row < 32; row += 8)
    out[(x + row) * n + y + threadIdx.x] = tile[threadIdx.x][row];
  const unsigned t2 = now();
  if (threadIdx.x == 0) {
    unsigned* const at = took + ((blockIdx.y * gridDim.x + blockIdx.x) * 8 + threadIdx.y) * 3;
    at[0] = t1 - t0, at[1] = t2 - t1, at[2] = 0;
  }
}
// Words of one sum, of each warp, one after the other in time.
__global__ void sums(int* result, int warps, unsigned* took) {
  const unsigned t0 = now();
  int v = threadIdx.x;
  for (int lane = 16; lane > 0; lane /= 2) v += __shfl_down_sync(~0u, v, lane);
  if (threadIdx.x % 32 == 0) v = atomicAdd(result, v);
  if (v == 0x7fffffff) return;
  const unsigned t1 = now();
  if (threadIdx.x % 32 == 0) {
    unsigned* const at = took + (blockIdx.x * blockDim.x + threadIdx.x) / 32 * 3;
    at[0] = t1 - t0, at[1] = at[2] = 0;
  }
}

unsigned* took;
constexpr int kTook = 1 << 16;

std::vector<unsigned> results() {
  std::vector<unsigned> all(kTook);
  CHECK(cudaDeviceSynchronize());
  CHECK(cudaMemcpy(all.data(), took, kTook * sizeof(unsigned), cudaMemcpyDeviceToHost));
  return all;
}

void print_places(const char* what, const unsigned* p, unsigned long long apart, int count) {
  for (int launch = 0; launch < 3; ++launch) {
    places<<<1, 1>>>(p, apart, count, took);
    const std::vector<unsigned> all = results();
    for (int turn = 0; turn < 2; ++turn) {
      std::printf("places %s apart=%llu launch=%d turn=%d\t", what, apart, launch, turn);
      for (int i = 0; i < count; ++i) std::printf("%s%u", i ? " " : "", all[turn * count + i]);
      std::printf("\n");
    }
  }
}

template <int N>
void print_straight(float* out) {
  for (int warps : {1, 4, 8, 32})
    for (int launch = 0; launch < 4; ++launch) {
      if (launch == 3) straight<8192><<<132, 256>>>(out, 0.5f, 0.25f, took);  // other code between
      straight<N><<<1, 32 * warps>>>(out, 0.5f, 0.25f, took);
      const std::vector<unsigned> all = results();
      std::printf("straight code=%d warps=%d launch=%d\t", N * 16, warps, launch);
      for (int turn = 0; turn < 3; ++turn) {
        unsigned most = 0;
        for (int w = 0; w < warps; ++w) most = std::max(most, all[w * 3 + turn]);
        std::printf("%s%u", turn ? " " : "", most);
      }
      std::printf("\n");
    }
}

template <class Run>
void print_phases(const std::string& what, int warps, Run run) {
  for (int launch = 0; launch < 4; ++launch) {
    run();
    const std::vector<unsigned> all = results();
    std::printf("%s launch=%d\t", what.c_str(), launch);
    for (int phase = 0; phase < 3; ++phase) {
      std::vector<unsigned> of;
      for (int w = 0; w < warps; ++w) of.push_back(all[w * 3 + phase]);
      std::sort(of.begin(), of.end());
      std::printf("%s%u..%u..%u", phase ? " " : "", of.front(), of[of.size() / 2], of.back());
    }
    std::printf("\n");
  }
}

int main() {
  float *in, *out;
  unsigned* far;
  CHECK(cudaMalloc(&took, kTook * sizeof(unsigned)));
  CHECK(cudaMalloc(&in, 16 << 20));
  CHECK(cudaMalloc(&out, 16 << 20));
  CHECK(cudaMalloc(&far, 2048ull << 20));
  CHECK(cudaMemset(in, 0, 16 << 20));
  CHECK(cudaMemset(far, 0, 2048ull << 20));
  CHECK(cudaDeviceSynchronize());
  const unsigned* const near = reinterpret_cast<unsigned*>(in);
  print_places("one", near, 128, 32);
  print_places("pages", near, 4096, 32);
  print_places("pages", near, 65536, 64);
  print_places("pages", far, 2ull << 20, 64);
  print_places("pages", far, 32ull << 20, 60);
  print_straight<64>(out);
  print_straight<256>(out);
  print_straight<512>(out);
  print_straight<1024>(out);
  print_straight<2048>(out);
  print_straight<4096>(out);
  for (int s : {1, 4, 12}) {
    const int many = s * s, side = s;
    print_phases("horner ctas=" + std::to_string(3 * many), 9 * many,
                 [&] { horner<<<3 * many, 96>>>(in, out, 64, took); });
    print_phases("nearest ctas=" + std::to_string(2 * many), 16 * many,
                 [&] { nearest<<<2 * many, 256>>>(in, out, took); });
    print_phases("transpose ctas=" + std::to_string(4 * many), 32 * many,
                 [&] { transpose<<<dim3(2 * side, 2 * side), dim3(32, 8)>>>(in, out, 64 * side, took); });
  }
  for (int ctas : {1, 8, 40, 132, 528})
    print_phases("sums ctas=" + std::to_string(ctas), ctas * 8,
                 [&] { sums<<<ctas, 256>>>(reinterpret_cast<int*>(out), 8, took); });
}
