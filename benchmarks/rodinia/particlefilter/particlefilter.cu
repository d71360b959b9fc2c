// A particle filter follows an object through a noisy video: per frame every particle moves at random, is
// weighted by how the image looks around it, and is drawn again with its weight's probability. In double
// precision.
#include "common/program.h"

constexpr int kThreads = 128, kRadius = 4;
constexpr long kM = 2147483647, kA = 1103515245, kC = 12345;
constexpr double kPi = 3.1415926535897932;

struct Scene {
  int width, height, frames;
};

__host__ __device__ inline double uniform(int* seed, int index) {
  const long number = kA * seed[index] + kC;
  seed[index] = static_cast<int>(number % kM);
  return fabs(seed[index] / static_cast<double>(kM));
}

__host__ __device__ inline double normal(int* seed, int index) {
  const double u = uniform(seed, index), v = uniform(seed, index);
  return sqrt(-2 * log(u)) * cos(2 * kPi * v);
}

__host__ __device__ inline double rounded(double value) {
  const int whole = static_cast<int>(value);
  return value - whole < 0.5 ? whole : whole + 1;
}

// Moves particles, weighs them and sums the weights of each block.
__global__ void likelihood(double* x, double* y, const double* xj, const double* yj, const int* objxy,
                           int ones, const unsigned char* video, double* weights, int particles, int* seed,
                           Scene scene, int frame, double* partial_sums) {
  __shared__ double buffer[kThreads];
  const int i = blockDim.x * blockIdx.x + threadIdx.x;
  buffer[threadIdx.x] = 0;
  if (i < particles) {
    x[i] = xj[i] + 1.0 + 5.0 * normal(seed, i);
    y[i] = yj[i] - 2.0 + 2.0 * normal(seed, i);
    double sum = 0;
    for (int k = 0; k < ones; k++) {
      const int dx = static_cast<int>(rounded(x[i])) + objxy[k * 2 + 1];
      const int dy = static_cast<int>(rounded(y[i])) + objxy[k * 2];
      int index = abs((dx * scene.height + dy) * scene.frames + frame);
      if (index >= scene.width * scene.height * scene.frames) index = 0;
      const double value = video[index];
      sum += ((value - 100) * (value - 100) - (value - 228) * (value - 228)) / 50.0;
    }
    weights[i] = weights[i] * exp(sum / ones);
    buffer[threadIdx.x] = weights[i];
  }
  __syncthreads();
  for (unsigned s = blockDim.x / 2; s > 0; s >>= 1) {
    if (threadIdx.x < s) buffer[threadIdx.x] += buffer[threadIdx.x + s];
    __syncthreads();
  }
  if (threadIdx.x == 0) partial_sums[blockIdx.x] = buffer[0];
}

__global__ void sum_partial_sums(double* partial_sums, int particles) {
  if (blockIdx.x == 0 && threadIdx.x == 0) {
    double sum = 0;
    const int blocks = (particles + kThreads - 1) / kThreads;
    for (int i = 0; i < blocks; i++) sum += partial_sums[i];
    partial_sums[0] = sum;
  }
}

// Divides by the sum, and lets thread 0 choose the first point to draw.
__global__ void normalize_weights(double* weights, int particles, const double* partial_sums, double* u,
                                  int* seed) {
  const int i = blockDim.x * blockIdx.x + threadIdx.x;
  if (i < particles) weights[i] = weights[i] / partial_sums[0];
  if (i == 0) u[0] = (1.0 / particles) * uniform(seed, i);
}

// A launch of its own: thread 0 reads what all blocks of the one before wrote.
__global__ void distribution(const double* weights, int particles, double* cdf, double* u) {
  const int i = blockDim.x * blockIdx.x + threadIdx.x;
  if (i == 0) {
    cdf[0] = weights[0];
    for (int k = 1; k < particles; k++) cdf[k] = weights[k] + cdf[k - 1];
  }
  if (i > 0 && i < particles) u[i] = u[0] + i / static_cast<double>(particles);
}

__global__ void find_index(const double* x, const double* y, const double* cdf, const double* u, double* xj,
                           double* yj, double* weights, int particles) {
  const int i = blockDim.x * blockIdx.x + threadIdx.x;
  if (i >= particles) return;
  int index = -1;
  for (int k = 0; k < particles; k++) {
    if (cdf[k] >= u[i]) {
      index = k;
      break;
    }
  }
  if (index == -1) index = particles - 1;
  xj[i] = x[index];
  yj[i] = y[index];
  weights[i] = 1.0 / particles;
}

// A bright disk moves right by 1 and up by 2 a frame, before a dark background; noise on both.
static std::vector<unsigned char> video_of(const Scene& scene, int x0, int y0) {
  program::Random random(51);
  std::vector<unsigned char> video(static_cast<std::size_t>(scene.width) * scene.height * scene.frames);
  for (int x = 0; x < scene.width; ++x)
    for (int y = 0; y < scene.height; ++y)
      for (int k = 0; k < scene.frames; ++k) {
        const int dx = x - (x0 + k), dy = y - (y0 - 2 * k);
        const int base = dx * dx + dy * dy < kRadius * kRadius ? 228 : 100;
        video[(static_cast<std::size_t>(x) * scene.height + y) * scene.frames + k] =
            static_cast<unsigned char>(base + static_cast<int>(random.below(21)) - 10);
      }
  return video;
}

struct Particles {
  std::vector<double> x, y, weights;
  std::vector<int> seeds;
};

static double weight_at(const Scene& scene, const std::vector<unsigned char>& video,
                        const std::vector<int>& objxy, double x, double y, int frame) {
  double sum = 0;
  for (std::size_t k = 0; k < objxy.size(); k += 2) {
    const int dx = static_cast<int>(rounded(x)) + objxy[k + 1], dy = static_cast<int>(rounded(y)) + objxy[k];
    std::size_t index = std::abs((dx * scene.height + dy) * scene.frames + frame);
    if (index >= video.size()) index = 0;
    sum +=
        ((video[index] - 100.0) * (video[index] - 100.0) - (video[index] - 228.0) * (video[index] - 228.0)) /
        50.0;
  }
  return std::exp(sum / static_cast<double>(objxy.size() / 2));
}

// One frame on the host; returns the estimated place.
static std::vector<double> host_frame(const Scene& scene, const std::vector<unsigned char>& video,
                                      const std::vector<int>& objxy, int frame, Particles& particles) {
  const int count = static_cast<int>(particles.x.size());
  double sum = 0, mean_x = 0, mean_y = 0;
  for (int i = 0; i < count; ++i) {
    particles.x[i] += 1.0 + 5.0 * normal(particles.seeds.data(), i);
    particles.y[i] += -2.0 + 2.0 * normal(particles.seeds.data(), i);
    sum += particles.weights[i] =
        weight_at(scene, video, objxy, particles.x[i], particles.y[i], frame) / count;
  }
  std::vector<double> cdf(count);
  for (int i = 0; i < count; ++i) {
    particles.weights[i] /= sum;
    cdf[i] = particles.weights[i] + (i > 0 ? cdf[i - 1] : 0);
    mean_x += particles.x[i] * particles.weights[i];
    mean_y += particles.y[i] * particles.weights[i];
  }
  const double first = (1.0 / count) * uniform(particles.seeds.data(), 0);
  const Particles old = particles;
  for (int i = 0; i < count; ++i) {
    const auto at =
        std::lower_bound(cdf.begin(), cdf.end(), first + i / static_cast<double>(count)) - cdf.begin();
    particles.x[i] = old.x[std::min<std::ptrdiff_t>(at, count - 1)];
    particles.y[i] = old.y[std::min<std::ptrdiff_t>(at, count - 1)];
  }
  return {mean_x, mean_y};
}

int main(int argc, char** argv) {
  const int particles = program::size(argc, argv, 512, 16384);
  const Scene scene{96, 96, 10};
  const int x0 = scene.width / 2, y0 = scene.height / 2;
  std::vector<int> objxy, seeds(particles);
  for (int y = -kRadius; y <= kRadius; ++y)
    for (int x = -kRadius; x <= kRadius; ++x)
      if (x * x + y * y < kRadius * kRadius) objxy.insert(objxy.end(), {y, x});
  const int ones = static_cast<int>(objxy.size() / 2);
  program::Random random(52);
  for (int& seed : seeds) seed = static_cast<int>(random.below(1 << 30));
  const auto video_host = video_of(scene, x0, y0);

  using Doubles = program::DeviceArray<double>;
  const auto all = [&](double value) { return std::vector<double>(particles, value); };
  Doubles x(all(0)), y(all(0)), xj(all(x0)), yj(all(y0)), weights(all(1.0 / particles)), cdf(all(0)),
      u(all(0));
  const int blocks = program::blocks_for(particles, kThreads);
  Doubles partial_sums(blocks);
  program::DeviceArray<int> seed(seeds), objxy_device(objxy);
  program::DeviceArray<unsigned char> video(video_host);
  Particles host{all(x0), all(y0), all(0), seeds};
  std::vector<double> places, expected;
  for (int k = 1; k < scene.frames; ++k) {
    likelihood<<<blocks, kThreads>>>(x, y, xj, yj, objxy_device, ones, video, weights, particles, seed, scene,
                                     k, partial_sums);
    CHECK_LAUNCH();
    sum_partial_sums<<<1, kThreads>>>(partial_sums, particles);
    CHECK_LAUNCH();
    normalize_weights<<<blocks, kThreads>>>(weights, particles, partial_sums, u, seed);
    CHECK_LAUNCH();
    distribution<<<blocks, kThreads>>>(weights, particles, cdf, u);
    CHECK_LAUNCH();
    const auto xs = x.to_host(), ys = y.to_host(), ws = weights.to_host();
    double mean_x = 0, mean_y = 0;
    for (int i = 0; i < particles; ++i) mean_x += xs[i] * ws[i], mean_y += ys[i] * ws[i];
    places.insert(places.end(), {mean_x, mean_y});
    for (const double value : host_frame(scene, video_host, objxy, k, host)) expected.push_back(value);
    find_index<<<blocks, kThreads>>>(x, y, cdf, u, xj, yj, weights, particles);
    CHECK_LAUNCH();
  }
  return program::verdict("particlefilter", program::close("places", places, expected, 1e-9));
}
