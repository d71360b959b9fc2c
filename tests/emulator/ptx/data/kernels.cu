// Exercises what nvcc writes: globals, constants, shared, templates, printf, device functions, switch tables, vectors.
#include <cstdio>
#include <cassert>
__device__ int counter = 5;
__constant__ float table[16] = {1.0f, 2.5f, -3.0f};
__device__ const char* names[3] = {"one", "two", "three"};
__managed__ double managed_value = 0.5;
extern __shared__ float dynamic_shared[];
typedef float (*Operation)(float, float);
__device__ float plus(float a, float b) { return a + b; }
__device__ float times(float a, float b) { return a * b; }
__device__ Operation operations[2] = {plus, times};
struct Config { int n; double scale; char tag[5]; };
__device__ __noinline__ int fibonacci(int n) { return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2); }
template <class T>
__global__ void saxpy(T a, const T* __restrict__ x, T* y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = a * x[i] + y[i];
}
template __global__ void saxpy<float>(float, const float*, float*, int);
template __global__ void saxpy<double>(double, const double*, double*, int);
extern "C" __global__ void __launch_bounds__(256, 2) reduce(const float4* in, float* out, Config config) {
  __shared__ float tile[256];
  float4 v = in[threadIdx.x];
  tile[threadIdx.x] = v.x + v.y + v.z + v.w;
  __syncthreads();
  for (int s = 128; s > 0; s >>= 1) { if (threadIdx.x < s) tile[threadIdx.x] += tile[threadIdx.x + s]; __syncthreads(); }
  float w = __shfl_xor_sync(0xffffffffu, tile[0], 1) + dynamic_shared[threadIdx.x];
  if (threadIdx.x == 0) { atomicAdd(out, w * table[config.n & 15] * (float)config.scale); atomicAdd(&counter, 1); }
}
extern "C" __global__ void indirect(float* p, int k, int n) {
  p[threadIdx.x] = operations[k & 1](p[threadIdx.x], 2.0f);
  assert(n != 77);
  if (threadIdx.x == 0) printf("%d %s %f\n", fibonacci(n), names[n % 3], managed_value);
  switch (n) { case 0: p[0] = sinf(p[1]); break; case 1: p[1] = expf(p[2]); break; case 2: p[2] = __fsqrt_rn(p[3]); break; case 3: p[3] = p[4] / p[5]; break; case 4: p[4] = rsqrtf(p[9]); break; default: p[5] = __powf(p[6], p[7]); }
}
