// Wavelet transform of a colour image: bytes to components, then every level transforms tiles in shared
// memory, rows first, and sorts the result into a low quarter and three quarters of detail.
#include <utility>

#include "common/program.h"
#include "rodinia/dwt2d/lifting.h"

constexpr int kTile = 32, kHalo = 4, kWide = kTile + 2 * kHalo, kComponents = 3, kLevels = 3;

template <typename Value>
__global__ void copy_src_to_components(const unsigned char* rgb, Value* components, int pixels) {
  __shared__ unsigned char buffer[kComponents * 256];
  const int first = blockIdx.x * blockDim.x;
  for (int i = threadIdx.x; i < kComponents * 256; i += blockDim.x)
    if (first * kComponents + i < pixels * kComponents) buffer[i] = rgb[first * kComponents + i];
  __syncthreads();
  const int pixel = first + threadIdx.x;
  if (pixel >= pixels) return;
  for (int c = 0; c < kComponents; c++)
    components[c * pixels + pixel] = static_cast<Value>(buffer[threadIdx.x * kComponents + c] - 128);
}

// All lifting stages along one axis of a tile; what a stage cannot know at the tile's rim no later stage
// needs.
template <typename Lifting, bool ROWS>
__device__ void lift(typename Lifting::Value (&tile)[kWide][kWide + 1]) {
  const int rank = threadIdx.y * blockDim.x + threadIdx.x, threads = blockDim.x * blockDim.y;
  for (int stage = 0; stage < Lifting::kStages; stage++) {
    for (int k = rank; k < kWide * kWide; k += threads) {
      const int a = k / kWide, b = k % kWide, along = ROWS ? b : a;
      if (along < stage + 1 || along >= kWide - 1 - stage || along % 2 == stage % 2) continue;
      if (ROWS)
        tile[a][b] = Lifting::lifted(stage, tile[a][b - 1], tile[a][b], tile[a][b + 1]);
      else
        tile[a][b] = Lifting::lifted(stage, tile[a - 1][b], tile[a][b], tile[a + 1][b]);
    }
    __syncthreads();
  }
}

// One level of all components; z is the component. `stride`: the width of the whole image.
template <typename Lifting>
__global__ void fdwt(const typename Lifting::Value* in, typename Lifting::Value* out, int width, int height,
                     int stride, int plane) {
  using Value = typename Lifting::Value;
  __shared__ Value tile[kWide][kWide + 1];
  const int left = blockIdx.x * kTile, top = blockIdx.y * kTile;
  in += blockIdx.z * plane;
  out += blockIdx.z * plane;
  for (int y = threadIdx.y; y < kWide; y += blockDim.y)
    for (int x = threadIdx.x; x < kWide; x += blockDim.x)
      // Further beyond the image than the halo nothing depends on what is loaded.
      tile[y][x] = in[mirrored(min(top + y, height - 1 + 2 * kHalo) - kHalo, height) * stride +
                      mirrored(min(left + x, width - 1 + 2 * kHalo) - kHalo, width)];
  __syncthreads();
  lift<Lifting, true>(tile);
  lift<Lifting, false>(tile);
  for (int y = threadIdx.y; y < kTile && top + y < height; y += blockDim.y)
    for (int x = threadIdx.x; x < kTile && left + x < width; x += blockDim.x) {
      const bool high_x = (x & 1) != 0, high_y = (y & 1) != 0;
      const int to_x = (left + x) / 2 + (high_x ? width / 2 : 0),
                to_y = (top + y) / 2 + (high_y ? height / 2 : 0);
      out[to_y * stride + to_x] =
          Lifting::scaled(high_y, Lifting::scaled(high_x, tile[y + kHalo][x + kHalo]));
    }
}

template <typename Lifting>
static void host_line(typename Lifting::Value* data, int length, int step) {
  using Value = typename Lifting::Value;
  std::vector<Value> line(length);
  for (int i = 0; i < length; ++i) line[i] = data[i * step];
  for (int stage = 0; stage < Lifting::kStages; ++stage)
    for (int i = 1 - stage % 2; i < length; i += 2)
      line[i] = Lifting::lifted(stage, line[mirrored(i - 1, length)], line[i], line[mirrored(i + 1, length)]);
  for (int i = 0; i < length; ++i)
    data[(i / 2 + (i % 2 ? length / 2 : 0)) * step] = Lifting::scaled(i % 2 != 0, line[i]);
}

template <typename Lifting>
static std::vector<typename Lifting::Value> host_transform(const std::vector<unsigned char>& rgb, int width,
                                                           int height) {
  using Value = typename Lifting::Value;
  const int plane = width * height;
  std::vector<Value> image(rgb.size());
  for (int i = 0; i < plane * kComponents; ++i)
    image[i % kComponents * plane + i / kComponents] = static_cast<Value>(rgb[i] - 128);
  for (int c = 0; c < kComponents; ++c)
    for (int level = 0, w = width, h = height; level < kLevels; ++level, w /= 2, h /= 2) {
      for (int y = 0; y < h; ++y) host_line<Lifting>(&image[c * plane + y * width], w, 1);
      for (int x = 0; x < w; ++x) host_line<Lifting>(&image[c * plane + x], h, width);
    }
  return image;
}

template <typename Lifting>
static std::vector<typename Lifting::Value> device_transform(const std::vector<unsigned char>& rgb_host,
                                                             int width, int height) {
  using Value = typename Lifting::Value;
  const int plane = width * height;
  program::DeviceArray<unsigned char> rgb(rgb_host);
  program::DeviceArray<Value> one(rgb_host.size()), two(rgb_host.size());
  copy_src_to_components<<<program::blocks_for(plane, 256), 256>>>(rgb, one.get(), plane);
  CHECK_LAUNCH();
  for (int level = 0, w = width, h = height; level < kLevels; ++level, w /= 2, h /= 2) {
    const dim3 grid(program::blocks_for(w, kTile), program::blocks_for(h, kTile), kComponents);
    fdwt<Lifting><<<grid, dim3(kTile, 8)>>>(one, two, w, h, width, plane);
    CHECK_LAUNCH();
    CUDA_CHECK(cudaMemcpy(one, two, rgb_host.size() * sizeof(Value), cudaMemcpyDeviceToDevice));
  }
  return one.to_host();
}

// Smooth shades, edges and a little noise.
static std::vector<unsigned char> picture(int width, int height) {
  program::Random random(101);
  std::vector<unsigned char> rgb;
  for (int y = 0; y < height; ++y)
    for (int x = 0; x < width; ++x)
      for (int c = 0; c < kComponents; ++c)
        rgb.push_back(static_cast<unsigned char>((x * (c + 1) + y * 2) / 4 % 160 +
                                                 ((x / 20 + y / 30) % 2) * 64 +
                                                 static_cast<int>(random.below(16))));
  return rgb;
}

int main(int argc, char** argv) {
  const int unit = 1 << kLevels, width = std::max(program::size(argc, argv, 184, 2048) / unit, 4) * unit;
  const int height = std::max(width * 3 / 4 / unit, 4) * unit;
  const auto rgb = picture(width, height);
  const bool exact = program::equal_bits("5/3", device_transform<Lifting53>(rgb, width, height),
                                         host_transform<Lifting53>(rgb, width, height));
  const bool near = program::close("9/7", device_transform<Lifting97<float>>(rgb, width, height),
                                   host_transform<Lifting97<double>>(rgb, width, height), 1e-4);
  return program::verdict("dwt2d", exact && near);
}
