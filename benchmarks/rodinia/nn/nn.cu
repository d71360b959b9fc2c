// Nearest neighbours: the distance of every record to a place, on the GPU; the host picks the nearest ones.
#include <numeric>

#include "common/program.h"

struct LatLong {
  float lat, lng;
};

__global__ void euclid(const LatLong* locations, float* distances, int count, float lat, float lng) {
  const int id = blockDim.x * (gridDim.x * blockIdx.y + blockIdx.x) + threadIdx.x;
  if (id < count) {
    const LatLong* location = locations + id;
    distances[id] =
        sqrtf((lat - location->lat) * (lat - location->lat) + (lng - location->lng) * (lng - location->lng));
  }
}

int main(int argc, char** argv) {
  const int count = program::size(argc, argv, 20000, 1 << 24);
  constexpr int kNearest = 10;
  constexpr float kLat = 30.25f, kLng = 90.75f;
  program::Random random(3);
  std::vector<LatLong> locations_host(count);
  for (LatLong& location : locations_host) location = {random.fraction() * 63 + 7, random.fraction() * 358};

  program::DeviceArray<LatLong> locations(locations_host);
  program::DeviceArray<float> distances(count);
  const int blocks = program::blocks_for(count, 256), columns = std::min(blocks, 1024);
  euclid<<<dim3(columns, program::blocks_for(blocks, columns)), 256>>>(locations, distances, count, kLat,
                                                                       kLng);
  CHECK_LAUNCH();

  const auto got = distances.to_host();
  std::vector<double> expected;
  for (const LatLong& location : locations_host)
    expected.push_back(std::hypot(double(kLat) - location.lat, double(kLng) - location.lng));
  std::vector<int> nearest(count);
  std::iota(nearest.begin(), nearest.end(), 0);
  const int shown = std::min(kNearest, count);
  std::partial_sort(nearest.begin(), nearest.begin() + shown, nearest.end(),
                    [&](int a, int b) { return got[a] < got[b]; });
  for (int i = 0; i < shown; ++i) std::printf("record %d: %.6f\n", nearest[i], got[nearest[i]]);
  return program::verdict("nn", program::close("distances", got, expected, 1e-6));
}
