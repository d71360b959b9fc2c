// A finite-impulse-response filter, split over two streams that meet in an event. Coefficients in constant
// memory, tiles in dynamic shared memory, host data pinned, settings and counters in managed memory.
#include <cmath>

#include "common/program.h"

constexpr int kTaps = 9;
constexpr int kBlock = 128;

__constant__ float coefficients[kTaps];
__device__ unsigned clipped_total;

struct Settings {
  float gain, limit;
  unsigned blocks_done;
};

// out[i] = sum of coefficients[k] * in[i + k] for i in [first, last).
__global__ void filter(int first, int last, const float* in, float* out) {
  extern __shared__ float tile[];
  const int base = first + blockIdx.x * kBlock;
  for (int k = threadIdx.x; k < kBlock + kTaps - 1; k += kBlock) {
    tile[k] = base + k < last + kTaps - 1 ? in[base + k] : 0.0f;
  }
  __syncthreads();
  float sum = 0.0f;
#pragma unroll
  for (int k = 0; k < kTaps; ++k) sum += coefficients[k] * tile[threadIdx.x + k];
  if (base + threadIdx.x < last) out[base + threadIdx.x] = sum;
}

__global__ void amplify(int n, Settings* settings, float* data) {
  const int i = blockIdx.x * kBlock + threadIdx.x;
  bool clipped = false;
  if (i < n) {
    const float value = settings->gain * data[i];
    clipped = fabsf(value) > settings->limit;
    data[i] = clipped ? copysignf(settings->limit, value) : value;
  }
  const int count = __syncthreads_count(clipped);
  if (threadIdx.x == 0) {
    atomicAdd(&clipped_total, count);
    atomicAdd(&settings->blocks_done, 1u);
  }
}

int main(int argc, char** argv) {
  const int n = program::argument(argc, argv, 1, 20000);
  const int half = n / 2, padded = n + kTaps - 1;
  const std::vector<float> taps = program::random_floats(kTaps, 12),
                           input = program::random_floats(padded, 13);

  CUDA_CHECK(cudaMemcpyToSymbol(coefficients, taps.data(), kTaps * sizeof(float)));
  float *pinned_in, *pinned_out;
  CUDA_CHECK(cudaMallocHost(&pinned_in, padded * sizeof(float)));
  CUDA_CHECK(cudaHostAlloc(&pinned_out, n * sizeof(float), cudaHostAllocDefault));
  std::memcpy(pinned_in, input.data(), padded * sizeof(float));
  Settings* settings;
  CUDA_CHECK(cudaMallocManaged(&settings, sizeof(Settings)));
  *settings = {1.5f, 2.0f, 0};
  program::DeviceArray<float> in(padded), out(n);

  cudaStream_t streams[2];
  cudaEvent_t copied, begin, end;
  for (cudaStream_t& stream : streams) CUDA_CHECK(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
  CUDA_CHECK(cudaEventCreateWithFlags(&copied, cudaEventDisableTiming));
  CUDA_CHECK(cudaEventCreate(&begin));
  CUDA_CHECK(cudaEventCreate(&end));

  const std::size_t shared = (kBlock + kTaps - 1) * sizeof(float);
  CUDA_CHECK(cudaEventRecord(begin, streams[0]));
  CUDA_CHECK(cudaMemcpyAsync(in, pinned_in, padded * sizeof(float), cudaMemcpyHostToDevice, streams[0]));
  CUDA_CHECK(cudaEventRecord(copied, streams[0]));
  CUDA_CHECK(cudaStreamWaitEvent(streams[1], copied, 0));
  if (half > 0) filter<<<program::blocks_for(half, kBlock), kBlock, shared, streams[0]>>>(0, half, in, out);
  CHECK_LAUNCH();
  filter<<<program::blocks_for(n - half, kBlock), kBlock, shared, streams[1]>>>(half, n, in, out);
  CHECK_LAUNCH();
  CUDA_CHECK(cudaEventRecord(copied, streams[1]));
  CUDA_CHECK(cudaStreamWaitEvent(streams[0], copied, 0));
  amplify<<<program::blocks_for(n, kBlock), kBlock, 0, streams[0]>>>(n, settings, out);
  CHECK_LAUNCH();
  CUDA_CHECK(cudaMemcpyAsync(pinned_out, out, n * sizeof(float), cudaMemcpyDeviceToHost, streams[0]));
  CUDA_CHECK(cudaEventRecord(end, streams[0]));
  CUDA_CHECK(cudaStreamSynchronize(streams[0]));

  float milliseconds = -1.0f;
  CUDA_CHECK(cudaEventElapsedTime(&milliseconds, begin, end));
  unsigned clipped = 0;
  CUDA_CHECK(cudaMemcpyFromSymbol(&clipped, clipped_total, sizeof(clipped)));
  const Settings read_in_place = *settings;
  Settings copied_back;
  CUDA_CHECK(cudaMemcpy(&copied_back, settings, sizeof(Settings), cudaMemcpyDefault));

  std::vector<float> expected(n);
  unsigned expected_clipped = 0;
  for (int i = 0; i < n; ++i) {
    float sum = 0.0f;
    for (int k = 0; k < kTaps; ++k) sum = std::fma(taps[k], input[i + k], sum);
    const float value = 1.5f * sum;
    const bool clip = std::fabs(value) > 2.0f;
    expected[i] = clip ? std::copysign(2.0f, value) : value;
    expected_clipped += clip;
  }
  const std::vector<float> got(pinned_out, pinned_out + n);
  const unsigned blocks = program::blocks_for(n, kBlock);
  const bool outputs_agree = program::equal_bits("filtered", got, expected);
  const bool counts_agree = program::equal_bits("clipped, blocks read in place, blocks copied back",
                                                {clipped, read_in_place.blocks_done, copied_back.blocks_done},
                                                std::vector<unsigned>{expected_clipped, blocks, blocks});

  for (cudaStream_t stream : streams) CUDA_CHECK(cudaStreamDestroy(stream));
  for (cudaEvent_t event : {copied, begin, end}) CUDA_CHECK(cudaEventDestroy(event));
  CUDA_CHECK(cudaFreeHost(pinned_in));
  CUDA_CHECK(cudaFreeHost(pinned_out));
  CUDA_CHECK(cudaFree(settings));
  return program::verdict("streams", outputs_agree && counts_agree && milliseconds >= 0.0f);
}
