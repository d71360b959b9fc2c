// Speckle reducing anisotropic diffusion of an image: logarithms and back, sums in a tree over several
// launches, and two stencils a step.
#include "common/program.h"

constexpr int kThreads = 512;

__global__ void extract(float* image, int count) {
  const int ei = blockIdx.x * kThreads + threadIdx.x;
  if (ei < count) image[ei] = expf(image[ei] / 255);
}

__global__ void prepare(const float* image, float* sums, float* sums2, int count) {
  const int ei = blockIdx.x * kThreads + threadIdx.x;
  if (ei < count) {
    sums[ei] = image[ei];
    sums2[ei] = image[ei] * image[ei];
  }
}

// Sums of each block's part of `count` numbers that lie `mul` apart; the last block's part may be short.
__global__ void reduce(float* sums, float* sums2, int count, int mul) {
  __shared__ float psum[kThreads], psum2[kThreads];
  const int tx = threadIdx.x, ei = blockIdx.x * kThreads + tx;
  psum[tx] = ei < count ? sums[ei * mul] : 0.0f;
  psum2[tx] = ei < count ? sums2[ei * mul] : 0.0f;
  __syncthreads();
  for (int i = 2; i <= kThreads; i = 2 * i) {
    if ((tx + 1) % i == 0) {
      psum[tx] = psum[tx] + psum[tx - i / 2];
      psum2[tx] = psum2[tx] + psum2[tx - i / 2];
    }
    __syncthreads();
  }
  if (tx == kThreads - 1) {
    sums[blockIdx.x * mul * kThreads] = psum[tx];
    sums2[blockIdx.x * mul * kThreads] = psum2[tx];
  }
}

__global__ void coefficients(int rows, int columns, float q0sqr, float* dN, float* dS, float* dW, float* dE,
                             float* c, const float* image) {
  const int ei = blockIdx.x * kThreads + threadIdx.x;
  if (ei >= rows * columns) return;
  const int row = ei % rows, col = ei / rows;
  const float jc = image[ei];
  const float n = image[(row == 0 ? 0 : row - 1) + rows * col] - jc;
  const float s = image[(row == rows - 1 ? row : row + 1) + rows * col] - jc;
  const float w = image[row + rows * (col == 0 ? 0 : col - 1)] - jc;
  const float e = image[row + rows * (col == columns - 1 ? col : col + 1)] - jc;
  const float g2 = (n * n + s * s + w * w + e * e) / (jc * jc);
  const float l = (n + s + w + e) / jc;
  const float num = (0.5 * g2) - ((1.0 / 16.0) * (l * l));
  float den = 1 + (.25 * l);
  const float qsqr = num / (den * den);
  den = (qsqr - q0sqr) / (q0sqr * (1 + q0sqr));
  float value = 1.0 / (1.0 + den);
  if (value < 0)
    value = 0;
  else if (value > 1)
    value = 1;
  dN[ei] = n;
  dS[ei] = s;
  dW[ei] = w;
  dE[ei] = e;
  c[ei] = value;
}

__global__ void diffuse(int rows, int columns, float lambda, const float* dN, const float* dS,
                        const float* dW, const float* dE, const float* c, float* image) {
  const int ei = blockIdx.x * kThreads + threadIdx.x;
  if (ei >= rows * columns) return;
  const int row = ei % rows, col = ei / rows;
  const float cN = c[ei], cW = c[ei];
  const float cS = c[(row == rows - 1 ? row : row + 1) + rows * col];
  const float cE = c[row + rows * (col == columns - 1 ? col : col + 1)];
  const float divergence = cN * dN[ei] + cS * dS[ei] + cW * dW[ei] + cE * dE[ei];
  image[ei] = image[ei] + 0.25 * lambda * divergence;
}

__global__ void compress(float* image, int count) {
  const int ei = blockIdx.x * kThreads + threadIdx.x;
  if (ei < count) image[ei] = logf(image[ei]) * 255;
}

static double noise(double sum, double sum2, int count) {
  const double mean = sum / count, variance = sum2 / count - mean * mean;
  return variance / (mean * mean);
}

static void host_step(int rows, int columns, double lambda, std::vector<double>& image) {
  const auto at = [&](int row, int col) {
    return std::clamp(row, 0, rows - 1) + static_cast<std::size_t>(rows) * std::clamp(col, 0, columns - 1);
  };
  double sum = 0, sum2 = 0;
  for (const double value : image) sum += value, sum2 += value * value;
  const double q0sqr = noise(sum, sum2, static_cast<int>(image.size()));
  std::vector<double> c(image.size());
  const std::vector<double> old = image;
  for (int col = 0; col < columns; ++col)
    for (int row = 0; row < rows; ++row) {
      const double jc = old[at(row, col)], n = old[at(row - 1, col)] - jc, s = old[at(row + 1, col)] - jc,
                   w = old[at(row, col - 1)] - jc, e = old[at(row, col + 1)] - jc;
      const double g2 = (n * n + s * s + w * w + e * e) / (jc * jc), l = (n + s + w + e) / jc;
      const double qsqr = (0.5 * g2 - l * l / 16) / ((1 + 0.25 * l) * (1 + 0.25 * l));
      c[at(row, col)] = std::clamp(1 / (1 + (qsqr - q0sqr) / (q0sqr * (1 + q0sqr))), 0.0, 1.0);
    }
  for (int col = 0; col < columns; ++col)
    for (int row = 0; row < rows; ++row) {
      const double jc = old[at(row, col)], own = c[at(row, col)];
      image[at(row, col)] =
          jc + 0.25 * lambda *
                   (own * (old[at(row - 1, col)] - jc) + own * (old[at(row, col - 1)] - jc) +
                    c[at(row + 1, col)] * (old[at(row + 1, col)] - jc) +
                    c[at(row, col + 1)] * (old[at(row, col + 1)] - jc));
    }
}

int main(int argc, char** argv) {
  const int rows = program::size(argc, argv, 150, 1024), columns = rows + rows / 4, steps = 8,
            count = rows * columns;
  constexpr float kLambda = 0.5f;
  const auto start = program::random_between(20.0f, 250.0f, count, 1);
  using Array = program::DeviceArray<float>;
  Array image(start), sums(count), sums2(count), dN(count), dS(count), dW(count), dE(count), c(count);
  const int blocks = program::blocks_for(count, kThreads);
  extract<<<blocks, kThreads>>>(image, count);
  CHECK_LAUNCH();
  for (int t = 0; t < steps; ++t) {
    prepare<<<blocks, kThreads>>>(image, sums, sums2, count);
    CHECK_LAUNCH();
    for (int left = count, mul = 1; left > 1; left = program::blocks_for(left, kThreads), mul *= kThreads) {
      reduce<<<program::blocks_for(left, kThreads), kThreads>>>(sums, sums2, left, mul);
      CHECK_LAUNCH();
    }
    float sum = 0, sum2 = 0;
    CUDA_CHECK(cudaMemcpy(&sum, sums, sizeof sum, cudaMemcpyDeviceToHost));
    CUDA_CHECK(cudaMemcpy(&sum2, sums2, sizeof sum2, cudaMemcpyDeviceToHost));
    const auto q0sqr = static_cast<float>(noise(sum, sum2, count));
    coefficients<<<blocks, kThreads>>>(rows, columns, q0sqr, dN, dS, dW, dE, c, image);
    CHECK_LAUNCH();
    diffuse<<<blocks, kThreads>>>(rows, columns, kLambda, dN, dS, dW, dE, c, image);
    CHECK_LAUNCH();
  }
  compress<<<blocks, kThreads>>>(image, count);
  CHECK_LAUNCH();

  std::vector<double> expected(start.begin(), start.end());
  for (double& value : expected) value = std::exp(value / 255);
  for (int t = 0; t < steps; ++t) host_step(rows, columns, kLambda, expected);
  for (double& value : expected) value = std::log(value) * 255;
  return program::verdict("srad", program::close("image", image.to_host(), expected, 1e-3));
}
