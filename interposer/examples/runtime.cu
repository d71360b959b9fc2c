// The runtime API, as most programs use it: copies, symbols, two streams, events, dynamic shared memory,
// pinned and managed memory. Prints one line and returns 0 if every result is as computed on the host.
#include <cuda_runtime.h>

#include <cstdio>
#include <cstdlib>
#include <vector>

#define CHECK(call)                                                                                  \
  do {                                                                                               \
    const cudaError_t error = (call);                                                                \
    if (error != cudaSuccess) {                                                                      \
      std::fprintf(stderr, "%s:%d: %s: %s\n", __FILE__, __LINE__, #call, cudaGetErrorString(error)); \
      std::exit(1);                                                                                  \
    }                                                                                                \
  } while (0)

__constant__ float scale;
__device__ unsigned blocks_done;
__managed__ int managed_sum;

__global__ void saxpy(int n, float a, const float* x, float* y) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = __fmaf_rn(a * scale, x[i], y[i]);
  if (threadIdx.x == 0) atomicAdd(&blocks_done, 1u);
}

// Reverses each block through dynamic shared memory.
__global__ void reverse(int* data) {
  extern __shared__ int tile[];
  const int base = blockIdx.x * blockDim.x;
  tile[threadIdx.x] = data[base + threadIdx.x];
  __syncthreads();
  data[base + threadIdx.x] = tile[blockDim.x - 1 - threadIdx.x];
}

__global__ void add_all(const int* values, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) atomicAdd(&managed_sum, values[i]);
}

static int saxpy_part(int n) {
  std::vector<float> x(n), y(n), expected(n);
  for (int i = 0; i < n; ++i) {
    x[i] = 0.25f * i;
    y[i] = 1.0f - i;
    expected[i] = __builtin_fmaf(3.0f * 0.5f, x[i], y[i]);
  }
  const float half = 0.5f;
  const unsigned zero = 0;
  CHECK(cudaMemcpyToSymbol(scale, &half, sizeof half));
  CHECK(cudaMemcpyToSymbol(blocks_done, &zero, sizeof zero));
  float *device_x, *device_y;
  CHECK(cudaMalloc(&device_x, n * sizeof(float)));
  CHECK(cudaMalloc(&device_y, n * sizeof(float)));
  CHECK(cudaMemcpy(device_x, x.data(), n * sizeof(float), cudaMemcpyHostToDevice));
  CHECK(cudaMemcpy(device_y, y.data(), n * sizeof(float), cudaMemcpyHostToDevice));
  saxpy<<<(n + 255) / 256, 256>>>(n, 3.0f, device_x, device_y);
  CHECK(cudaGetLastError());
  CHECK(cudaMemcpy(y.data(), device_y, n * sizeof(float), cudaMemcpyDeviceToHost));
  unsigned done = 0;
  CHECK(cudaMemcpyFromSymbol(&done, blocks_done, sizeof done));
  CHECK(cudaFree(device_x));
  CHECK(cudaFree(device_y));
  int wrong = done != static_cast<unsigned>((n + 255) / 256);
  for (int i = 0; i < n; ++i) wrong += y[i] != expected[i];
  return wrong;
}

// Two streams, one buffer handed from the first to the second by an event; pinned memory on the host side.
static int streams_part(int n) {
  int *pinned, *device;
  CHECK(cudaMallocHost(&pinned, n * sizeof(int)));
  CHECK(cudaMalloc(&device, n * sizeof(int)));
  for (int i = 0; i < n; ++i) pinned[i] = i;
  cudaStream_t first, second;
  cudaEvent_t begin, reversed;
  CHECK(cudaStreamCreate(&first));
  CHECK(cudaStreamCreateWithFlags(&second, cudaStreamNonBlocking));
  CHECK(cudaEventCreate(&begin));
  CHECK(cudaEventCreate(&reversed));
  CHECK(cudaEventRecord(begin, first));
  CHECK(cudaMemcpyAsync(device, pinned, n * sizeof(int), cudaMemcpyHostToDevice, first));
  reverse<<<n / 128, 128, 128 * sizeof(int), first>>>(device);
  CHECK(cudaEventRecord(reversed, first));
  CHECK(cudaStreamWaitEvent(second, reversed, 0));
  CHECK(cudaMemcpyAsync(pinned, device, n * sizeof(int), cudaMemcpyDeviceToHost, second));
  CHECK(cudaStreamSynchronize(second));
  float milliseconds = 0;
  CHECK(cudaEventElapsedTime(&milliseconds, begin, reversed));
  int wrong = 0;
  for (int i = 0; i < n; ++i) wrong += pinned[i] != i / 128 * 128 + 127 - i % 128;
  CHECK(cudaStreamDestroy(first));
  CHECK(cudaStreamDestroy(second));
  CHECK(cudaEventDestroy(begin));
  CHECK(cudaEventDestroy(reversed));
  CHECK(cudaFree(device));
  CHECK(cudaFreeHost(pinned));
  return wrong;
}

static int managed_part(int n) {
  int* values;
  CHECK(cudaMallocManaged(&values, n * sizeof(int)));
  int expected = 5;
  managed_sum = 5;
  for (int i = 0; i < n; ++i) expected += values[i] = i % 7;
  add_all<<<(n + 255) / 256, 256>>>(values, n);
  CHECK(cudaDeviceSynchronize());
  const int wrong = managed_sum != expected;
  CHECK(cudaFree(values));
  return wrong;
}

// A 2D copy with pitches that differ, there and back.
static int pitched_part() {
  constexpr int kWidth = 100, kHeight = 33;
  std::vector<unsigned char> rows(kWidth * kHeight), back(kWidth * kHeight);
  for (size_t i = 0; i < rows.size(); ++i) rows[i] = static_cast<unsigned char>(i * 31);
  void* device;
  size_t pitch = 0;
  CHECK(cudaMallocPitch(&device, &pitch, kWidth, kHeight));
  CHECK(cudaMemset2D(device, pitch, 0, kWidth, kHeight));
  CHECK(cudaMemcpy2D(device, pitch, rows.data(), kWidth, kWidth, kHeight, cudaMemcpyHostToDevice));
  CHECK(cudaMemcpy2D(back.data(), kWidth, device, pitch, kWidth, kHeight, cudaMemcpyDeviceToHost));
  CHECK(cudaFree(device));
  return rows != back;
}

int main() {
  const int wrong = saxpy_part(100'000) + streams_part(4096) + managed_part(10'000) + pitched_part();
  std::printf("runtime: %d wrong\n", wrong);
  return wrong == 0 ? 0 : 1;
}
