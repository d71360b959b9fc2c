// Kernels that programs are full of: a plane with neighbours, sums of long arrays.

// Heat in a plane: who stands at the edge keeps what it has.
extern "C" __global__ void stencil(int width, int height, const float* in, float* out) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= width || y >= height) return;
  const int at = y * width + x;
  float now = in[at];
  if (x > 0 && x < width - 1 && y > 0 && y < height - 1)
    now = fmaf(0.25f, fmaf(-4.0f, now, (in[at - 1] + in[at + 1]) + (in[at - width] + in[at + width])), now);
  out[at] = now;
}

// Each block adds up its share, lane by lane.
extern "C" __global__ void reduce_shuffles(int n, const int* in, int* sums) {
  __shared__ int warps[8];
  int sum = 0;
  for (int i = blockIdx.x * 256 + threadIdx.x; i < n; i += gridDim.x * 256) sum += in[i];
  for (int d = 16; d != 0; d /= 2) sum += __shfl_down_sync(~0u, sum, d);
  if (threadIdx.x % 32 == 0) warps[threadIdx.x / 32] = sum;
  __syncthreads();
  if (threadIdx.x != 0) return;
  for (int w = 1; w < 8; ++w) sum += warps[w];
  sums[blockIdx.x] = sum;
}

// Each block adds up 512 numbers in shared memory.
extern "C" __global__ void reduce_shared(int n, const int* in, int* sums) {
  __shared__ int part[256];
  const int t = threadIdx.x, i = blockIdx.x * 512 + t;
  part[t] = (i < n ? in[i] : 0) + (i + 256 < n ? in[i + 256] : 0);
  __syncthreads();
  for (int d = 128; d != 0; d /= 2) {
    if (t < d) part[t] += part[t + d];
    __syncthreads();
  }
  if (t == 0) sums[blockIdx.x] = part[0];
}
