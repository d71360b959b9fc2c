// Clustering around k means: the GPU finds the nearest mean of every point, reading points through a texture
// and means from constant memory; the host moves the means.
#include "common/texture.h"

constexpr int kClusters = 5, kFeatures = 34, kThreads = 256;

__constant__ float c_clusters[kClusters * kFeatures];

// From point after point to feature after feature, so that neighbouring threads read neighbouring words.
__global__ void invert_mapping(const float* input, float* output, int points) {
  const int point = threadIdx.x + blockDim.x * blockIdx.x;
  if (point < points) {
    for (int i = 0; i < kFeatures; i++) output[point + points * i] = input[point * kFeatures + i];
  }
}

__global__ void nearest(cudaTextureObject_t features, int points, int* membership) {
  const int point = blockIdx.x * blockDim.x + threadIdx.x;
  if (point >= points) return;
  int index = -1;
  float min_dist = 3.40282347e+38f;
  for (int i = 0; i < kClusters; i++) {
    float distance = 0.0f;
    for (int j = 0; j < kFeatures; j++) {
      const float diff = tex1Dfetch<float>(features, point + j * points) - c_clusters[i * kFeatures + j];
      distance += diff * diff;
    }
    if (distance < min_dist) {
      min_dist = distance;
      index = i;
    }
  }
  membership[point] = index;
}

// Points around hidden centres, which overlap a little.
static std::vector<float> clustered_points(int points) {
  program::Random random(31);
  std::vector<float> centres(kClusters * kFeatures), values;
  for (float& centre : centres) centre = random.unit() * 2;
  for (int i = 0; i < points; ++i) {
    const unsigned cluster = random.below(kClusters);
    for (int j = 0; j < kFeatures; ++j)
      values.push_back(centres[cluster * kFeatures + j] + random.unit() * 2);
  }
  return values;
}

// How much farther the chosen mean is than the nearest one, relative to that one, at worst.
static double worst_choice(const std::vector<float>& points, const std::vector<float>& means,
                           const std::vector<int>& membership) {
  double worst = 0;
  for (std::size_t p = 0; p < membership.size(); ++p) {
    double distance[kClusters] = {}, nearest_distance = HUGE_VAL;
    for (int i = 0; i < kClusters; ++i) {
      for (int j = 0; j < kFeatures; ++j) {
        const double diff = double(points[p * kFeatures + j]) - means[i * kFeatures + j];
        distance[i] += diff * diff;
      }
      nearest_distance = std::min(nearest_distance, distance[i]);
    }
    if (membership[p] < 0 || membership[p] >= kClusters) return HUGE_VAL;
    worst = std::max(worst, distance[membership[p]] / nearest_distance - 1);
  }
  return worst;
}

static std::vector<float> moved(const std::vector<float>& points, const std::vector<float>& means,
                                const std::vector<int>& membership) {
  std::vector<double> sums(means.size());
  int members[kClusters] = {};
  for (std::size_t p = 0; p < membership.size(); ++p) {
    members[membership[p]]++;
    for (int j = 0; j < kFeatures; ++j) sums[membership[p] * kFeatures + j] += points[p * kFeatures + j];
  }
  std::vector<float> result = means;
  for (int i = 0; i < kClusters; ++i)
    for (int j = 0; j < kFeatures && members[i] > 0; ++j)
      result[i * kFeatures + j] = static_cast<float>(sums[i * kFeatures + j] / members[i]);
  return result;
}

int main(int argc, char** argv) {
  const int points = std::max(program::size(argc, argv, 3000, 400000), kClusters), most_steps = 12;
  constexpr double kAllowed = 1e-5;
  const std::vector<float> host = clustered_points(points);
  const std::size_t count = host.size();
  program::DeviceArray<float> rows(host), columns(count);
  program::DeviceArray<int> membership_device(points);
  const int blocks = program::blocks_for(points, kThreads);
  invert_mapping<<<blocks, kThreads>>>(rows, columns, points);
  CHECK_LAUNCH();
  const program::LinearTexture<float> texture(columns, count);

  std::vector<float> means(host.begin(), host.begin() + kClusters * kFeatures);
  std::vector<int> membership(points, -1);
  double worst = 0;
  int changed = points, steps = 0;
  for (; changed > 0 && steps < most_steps; ++steps) {
    CUDA_CHECK(cudaMemcpyToSymbol(c_clusters, means.data(), means.size() * sizeof(float)));
    nearest<<<blocks, kThreads>>>(texture, points, membership_device);
    CHECK_LAUNCH();
    const std::vector<int> now = membership_device.to_host();
    worst = std::max(worst, worst_choice(host, means, now));
    if (worst > kAllowed) break;
    changed = 0;
    for (int p = 0; p < points; ++p) changed += now[p] != membership[p];
    membership = now;
    means = moved(host, means, membership);
  }
  std::printf("%d steps; a chosen mean is at most %.3g farther than the nearest, allowed %.3g\n", steps,
              worst, kAllowed);
  return program::verdict("kmeans", worst <= kAllowed);
}
