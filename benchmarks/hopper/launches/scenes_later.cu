// What neither the tables nor `scenes.cu` hold: operands for which divisions and roots call a slow path,
// memory that host and device share, CTAs that wait for each other, constants that no cache holds yet.
//   scenes_later SLOW.BIN > TABLE
#include <cuda_runtime.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <vector>
using u64 = unsigned long long;

__device__ u64 now() {
  u64 ns;
  asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(ns));
  return ns;
}

// Cycles of one operation of one warp, for each pair of exponents: of 256 each, every eighth of doubles.
// Exponent 0: zero where `subnormal` is not set. The last of three turns counts.
#define SLOW(name, T, bits, step, op)                                                               \
  __global__ void slow_##name(std::uint16_t* cycles, int subnormal) {                               \
    for (unsigned pair = blockIdx.x; pair < 65536; pair += gridDim.x) {                             \
      const u64 ea = (pair & 255) * step, eb = (pair >> 8) * step;                                  \
      const u64 ma = ea != 0 || subnormal ? 5 : 0, mb = eb != 0 || subnormal ? 3 : 0;               \
      unsigned took = 0;                                                                            \
      for (int turn = 0; turn < 3; ++turn) {                                                        \
        union {                                                                                     \
          T value;                                                                                  \
          u64 word;                                                                                 \
        } a{}, b{};                                                                                 \
        a.word = (ea << bits) + (ma << (bits - 3)), b.word = (eb << bits) + (mb << (bits - 3));     \
        T v = a.value, w = b.value;                                                                 \
        const long long begin = clock64();                                                          \
        op;                                                                                         \
        if (v == T(12345.678)) return;                                                              \
        took = static_cast<unsigned>(clock64() - begin);                                            \
      }                                                                                             \
      if (threadIdx.x == 0) cycles[pair] = static_cast<std::uint16_t>(took < 65535 ? took : 65535); \
    }                                                                                               \
  }
SLOW(div_f32, float, 23, 1, asm volatile("div.rn.f32 %0, %0, %1;" : "+f"(v) : "f"(w)))
SLOW(sqrt_f32, float, 23, 1, asm volatile("sqrt.rn.f32 %0, %0;" : "+f"(v)); (void)w)
SLOW(rcp_f32, float, 23, 1, asm volatile("rcp.rn.f32 %0, %0;" : "+f"(v)); (void)w)
SLOW(div_f64, double, 52, 8, asm volatile("div.rn.f64 %0, %0, %1;" : "+d"(v) : "d"(w)))
SLOW(sqrt_f64, double, 52, 8, asm volatile("sqrt.rn.f64 %0, %0;" : "+d"(v)); (void)w)
SLOW(rcp_f64, double, 52, 8, asm volatile("rcp.rn.f64 %0, %0;" : "+d"(v)); (void)w)

// A word of each of so many blocks of `apart` bytes, a CTA for each: nanoseconds from the first begin to the
// last end.
__global__ void touch(unsigned* p, u64 apart, int updates, u64* begin, u64* end) {
  const u64 from = now();
  unsigned* const at = p + blockIdx.x * (apart / 4);
  unsigned v = 0;
  if (updates)
    v = atomicAdd(at, 1u);
  else
    v = *reinterpret_cast<volatile unsigned*>(at);
  if (v == 0x12345) return;
  if (threadIdx.x == 0) begin[blockIdx.x] = from, end[blockIdx.x] = now();
}

// Each CTA waits for the one before and tells the next.
__global__ void hand_over(unsigned* flags, int how, u64* when) {
  const unsigned me = blockIdx.x;
  if (how == 3) __syncthreads();
  if (threadIdx.x == 0) {
    if (me != 0) {
      unsigned seen = 0;
      do
        if (how == 1)
          asm volatile("ld.acquire.gpu.global.u32 %0, [%1];" : "=r"(seen) : "l"(flags + me - 1));
        else
          seen = *reinterpret_cast<volatile unsigned*>(flags + me - 1);
      while (seen == 0);
    }
    if (how == 0 || how == 3) __threadfence(), atomicExch(flags + me, 1u);
    if (how == 1) asm volatile("st.release.gpu.global.u32 [%0], %1;" ::"l"(flags + me), "r"(1u));
    if (how == 2) *reinterpret_cast<volatile unsigned*>(flags + me) = 1;
    when[me] = now();
  }
  if (how == 3) __syncthreads();
}

__constant__ unsigned constants[16384];

// Cycles of reads of constants, each for the first time in its launch: at `apart` bytes from each other.
template <int apart>
__global__ void first_constants(unsigned zero, unsigned* cycles) {
  unsigned sum = 0;
#define READ(i)                                     \
  {                                                 \
    const long long begin = clock64();              \
    sum += constants[(apart * i) / 4] * 3 + 1;      \
    asm volatile("" : "+r"(sum));                   \
    if (sum == 0x98765432) return;                  \
    const long long end = clock64();                \
    cycles[i] = static_cast<unsigned>(end - begin); \
  }
  READ(0)
  READ(1)
  READ(2)
  READ(3) READ(4) READ(5) READ(6) READ(7)
#undef READ
      unsigned at = zero + 8192;
  for (int i = 8; i < 16; ++i, at += apart / 4) {
    const long long begin = clock64();
    sum += constants[at] + 1;
    if (sum == 0x98765432) return;
    const long long end = clock64();
    cycles[i] = static_cast<unsigned>(end - begin);
  }
}

// Cycles until so many stores of a warp have been given away, each of 32 sectors of lines of its own.
template <int count>
__global__ void stores(unsigned* p, unsigned* cycles) {
  unsigned* const at = p + (blockIdx.x * 8 + threadIdx.x / 32) * 65536 + threadIdx.x % 32 * 8;
  __syncthreads();
  const long long begin = clock64();
#pragma unroll
  for (int i = 0; i < count; ++i) at[i * 256] = i;
  const long long end = clock64();
  if (threadIdx.x % 32 == 0) cycles[blockIdx.x * 8 + threadIdx.x / 32] = static_cast<unsigned>(end - begin);
}
template <int count>
void stored(unsigned* p, unsigned* cycles) {
  for (const unsigned warps : {1u, 8u}) {
    for (int turn = 0; turn < 2; ++turn) stores<count><<<1, warps * 32>>>(p, cycles), cudaDeviceSynchronize();
    std::printf("stores\t%u\t%d\t%u\n", warps, count, *std::max_element(cycles, cycles + warps));
  }
}

template <class Kernel>
void slow(const char* name, Kernel kernel, std::FILE* out) {
  std::uint16_t* cycles;
  cudaMallocManaged(&cycles, 65536 * 2);
  for (int subnormal : {0, 1}) {
    kernel<<<132, 32>>>(cycles, subnormal);
    cudaDeviceSynchronize();
    std::fwrite(cycles, 2, 65536, out);
    std::printf("slow\t%s\t%d\tone by one %u\tzero by one %u\n", name, subnormal, cycles[127 + 127 * 256],
                cycles[127 * 256]);
  }
  cudaFree(cycles);
}

void shared_memory() {
  u64 *begin, *end;
  cudaMallocHost(&begin, 4096 * 8), cudaMallocHost(&end, 4096 * 8);
  for (const u64 apart : {4096ull, 65536ull, 2097152ull})
    for (const unsigned count : {1u, 2u, 4u, 16u, 64u})
      for (const int how : {0, 1, 2, 3}) {  // host wrote; nobody did; host wrote, updates; device had it
        unsigned* p;
        const u64 bytes = apart * count;
        cudaMallocManaged(&p, bytes);
        if (how != 1) std::fill(p, p + bytes / 4, 1u);
        for (int turn = 0; turn < (how == 3 ? 2 : 1); ++turn) {
          touch<<<count, 32>>>(p, apart, how == 2, begin, end);
          cudaDeviceSynchronize();
        }
        std::printf("managed\t%llu\t%u\t%d\t%llu\n", apart, count, how,
                    *std::max_element(end, end + count) - *std::min_element(begin, begin + count));
        cudaFree(p);
      }
  for (const unsigned count : {1u, 16u, 64u})  // memory of the host that the device may read
    for (const int updates : {0, 1}) {
      unsigned* p;
      cudaMallocHost(&p, count * 65536);
      touch<<<count, 32>>>(p, 65536, updates, begin, end);
      cudaDeviceSynchronize();
      std::printf("host\t65536\t%u\t%d\t%llu\n", count, updates,
                  *std::max_element(end, end + count) - *std::min_element(begin, begin + count));
      cudaFreeHost(p);
    }
}

template <int apart>
void constants_first(unsigned* cycles) {
  for (int turn = 0; turn < 3; ++turn) {
    first_constants<apart><<<1, 32>>>(0, cycles);
    cudaDeviceSynchronize();
    std::printf("constants\t%d\t%d", apart, turn);
    for (int i = 0; i < 16; ++i) std::printf("\t%u", cycles[i]);
    std::printf("\n");
  }
}

int main(int argc, char** argv) {
  std::FILE* const out = std::fopen(argc > 1 ? argv[1] : "slow.bin", "wb");
  if (out == nullptr) return 2;
#define ALL(name) slow(#name, slow_##name, out);
  ALL(div_f32) ALL(sqrt_f32) ALL(rcp_f32) ALL(div_f64) ALL(sqrt_f64) ALL(rcp_f64) std::fclose(out);
  shared_memory();
  unsigned* flags;
  u64* when;
  cudaMalloc(&flags, 4096);
  cudaMallocHost(&when, 256 * 8);
  for (const int how : {0, 1, 2, 3})
    for (int turn = 0; turn < 3; ++turn) {
      cudaMemset(flags, 0, 4096);
      hand_over<<<256, 64>>>(flags, how, when);
      cudaDeviceSynchronize();
      std::printf("hand over\t%d\t%.1f\n", how, double(when[255] - when[16]) / 239);
    }
  unsigned* cycles;
  cudaMallocHost(&cycles, 64);
  constants_first<4>(cycles), constants_first<64>(cycles), constants_first<256>(cycles),
      constants_first<1024>(cycles);
  unsigned* room;
  cudaMalloc(&room, 8 * 65536 * 4);
  stored<1>(room, cycles), stored<2>(room, cycles), stored<4>(room, cycles), stored<8>(room, cycles);
  stored<12>(room, cycles), stored<16>(room, cycles), stored<24>(room, cycles), stored<32>(room, cycles);
  stored<48>(room, cycles), stored<64>(room, cycles), stored<128>(room, cycles);
  std::printf("%s\n", cudaGetErrorString(cudaGetLastError()));
}
