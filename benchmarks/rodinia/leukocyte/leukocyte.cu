// White blood cells in a video microscope: the gradient inverse coefficient of variation (GICOV) finds where
// circles are, dilation makes the maxima stand out, and a gradient vector flow field (MGVF) around each is
// iterated until it hardly changes.
#include "common/texture.h"
#include "rodinia/leukocyte/reference.h"

constexpr int kFlowThreads = 128;
constexpr int kMargin = kMaxRadius + 2;

__constant__ float c_sin_angle[kPoints], c_cos_angle[kPoints];
__constant__ int c_tX[kCircles * kPoints], c_tY[kCircles * kPoints];
__constant__ float c_strel[kStrel * kStrel];

// Every thread tries all circles around its pixel, a block is a column of them.
__global__ void gicov(cudaTextureObject_t grad_x, cudaTextureObject_t grad_y, int grad_m, int height,
                      float* result) {
  const int i = blockIdx.x + kMargin, j = threadIdx.x + kMargin;
  float max_gicov = 0.0f;
  for (int k = 0; k < kCircles; k++) {
    float sum = 0.0f, m2 = 0.0f, mean = 0.0f;
    for (int n = 0; n < kPoints; n++) {
      const int y = j + c_tY[(k * kPoints) + n], x = i + c_tX[(k * kPoints) + n];
      const int addr = x * grad_m + y;
      const float p =
          tex1Dfetch<float>(grad_x, addr) * c_cos_angle[n] + tex1Dfetch<float>(grad_y, addr) * c_sin_angle[n];
      sum += p;
      const float delta = p - mean;
      mean = mean + (delta / static_cast<float>(n + 1));
      m2 = m2 + (delta * (p - mean));
    }
    mean = sum / static_cast<float>(kPoints);
    const float var = m2 / static_cast<float>(kPoints - 1);
    if (((mean * mean) / var) > max_gicov) max_gicov = (mean * mean) / var;
  }
  result[(i * grad_m) + j] = max_gicov;
}

__global__ void dilate(cudaTextureObject_t image, int img_m, int img_n, float* dilated) {
  const int thread_id = (blockIdx.x * blockDim.x) + threadIdx.x;
  const int i = thread_id % img_m, j = thread_id / img_m;
  if (j >= img_n) return;
  float largest = 0.0f;
  for (int el_i = 0; el_i < kStrel; el_i++) {
    const int y = i - kStrel / 2 + el_i;
    if (y < 0 || y >= img_m) continue;
    for (int el_j = 0; el_j < kStrel; el_j++) {
      const int x = j - kStrel / 2 + el_j;
      if (x < 0 || x >= img_n || c_strel[(el_i * kStrel) + el_j] == 0) continue;
      const float value = tex1Dfetch<float>(image, (x * img_m) + y);
      if (value > largest) largest = value;
    }
  }
  dilated[(i * img_n) + j] = largest;
}

// A block a cell: the field stays in shared memory until the mean change is below the cutoff.
__global__ void imgvf(float* fields, const float* images, int max_iterations, float cutoff, int* iterations) {
  __shared__ float field[kCell * kCell];
  __shared__ float buffer[kFlowThreads];
  __shared__ int converged;
  const float* image = images + blockIdx.x * kCell * kCell;
  float* own_field = fields + blockIdx.x * kCell * kCell;
  constexpr int kCellsOfThread = (kCell * kCell + kFlowThreads - 1) / kFlowThreads;
  for (int i = threadIdx.x; i < kCell * kCell; i += kFlowThreads) field[i] = own_field[i];
  if (threadIdx.x == 0) converged = 0;
  __syncthreads();
  int iteration = 0;
  while (!converged && iteration < max_iterations) {
    float total_diff = 0.0f;
    float next[kCellsOfThread];
    for (int k = 0; k < kCellsOfThread; k++) {
      const int at = k * kFlowThreads + static_cast<int>(threadIdx.x);
      if (at >= kCell * kCell) break;
      next[k] = relaxed(field, image, at);
      total_diff += fabsf(next[k] - field[at]);
    }
    __syncthreads();
    for (int k = 0; k < kCellsOfThread; k++) {
      const int at = k * kFlowThreads + static_cast<int>(threadIdx.x);
      if (at < kCell * kCell) field[at] = next[k];
    }
    buffer[threadIdx.x] = total_diff;
    __syncthreads();
    for (int th = kFlowThreads / 2; th > 0; th /= 2) {
      if (threadIdx.x < th) buffer[threadIdx.x] += buffer[threadIdx.x + th];
      __syncthreads();
    }
    if (threadIdx.x == 0 && buffer[0] / static_cast<float>(kCell * kCell) < cutoff) converged = 1;
    iteration++;
    __syncthreads();
  }
  for (int i = threadIdx.x; i < kCell * kCell; i += kFlowThreads) own_field[i] = field[i];
  if (threadIdx.x == 0) iterations[blockIdx.x] = iteration;
}

static std::vector<float> detect(const Frame& frame, std::vector<float>& dilated_host) {
  const int count = frame.m * frame.n;
  program::DeviceArray<float> grad_x(frame.grad_x), grad_y(frame.grad_y),
      result(std::vector<float>(count, 0.0f)), dilated(count);
  const program::LinearTexture<float> texture_x(grad_x, count), texture_y(grad_y, count),
      texture_result(result, count);
  gicov<<<frame.n - 2 * kMargin, frame.m - 2 * kMargin>>>(texture_x, texture_y, frame.m, frame.n, result);
  CHECK_LAUNCH();
  dilate<<<program::blocks_for(count, 176), 176>>>(texture_result, frame.m, frame.n, dilated);
  CHECK_LAUNCH();
  dilated_host = dilated.to_host();
  return result.to_host();
}

int main(int argc, char** argv) {
  const int m = std::max(program::size(argc, argv, 92, 512), 2 * kMargin + 8), n = m + 12;
  constexpr float kCutoff = 0.00002f;
  constexpr int kMaxIterations = 40;
  if (m - 2 * kMargin > 1024) return program::verdict("leukocyte", false);
  const Circles circles;
  CUDA_CHECK(cudaMemcpyToSymbol(c_sin_angle, circles.sine.data(), sizeof c_sin_angle));
  CUDA_CHECK(cudaMemcpyToSymbol(c_cos_angle, circles.cosine.data(), sizeof c_cos_angle));
  CUDA_CHECK(cudaMemcpyToSymbol(c_tX, circles.x.data(), sizeof c_tX));
  CUDA_CHECK(cudaMemcpyToSymbol(c_tY, circles.y.data(), sizeof c_tY));
  const std::vector<float> strel = round_element();
  CUDA_CHECK(cudaMemcpyToSymbol(c_strel, strel.data(), sizeof c_strel));

  const Frame frame(m, n);
  std::vector<float> dilated;
  const std::vector<float> found = detect(frame, dilated);
  const bool gicov_agrees = program::close("gicov", found, host_gicov(frame, circles, kMargin), 1e-3);
  const bool dilated_agrees = program::equal_bits("dilated", dilated, host_dilate(found, strel, m, n));

  const std::vector<float> images = cell_images(frame, found, kMargin);
  program::DeviceArray<float> fields(images), images_device(images);
  const int cells = static_cast<int>(images.size()) / (kCell * kCell);
  program::DeviceArray<int> iterations(cells);
  imgvf<<<cells, kFlowThreads>>>(fields, images_device, kMaxIterations, kCutoff, iterations);
  CHECK_LAUNCH();
  const auto expected = host_imgvf(images, iterations.to_host());
  return program::verdict("leukocyte", program::close("flow fields", fields.to_host(), expected, 1e-3) &&
                                           gicov_agrees && dilated_agrees);
}
