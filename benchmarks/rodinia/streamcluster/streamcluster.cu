// Facility location for points that stream in: the host proposes candidates for a new centre, the GPU says
// for every point what it would gain, the host accepts or not. Many small launches, a copy back after each.
#include "common/program.h"

constexpr int kDimensions = 32, kThreads = 128;

struct Point {
  float weight;
  long assign;  // the centre it belongs to
  float cost;   // the weighted distance to that
};

__device__ float squared_distance(int a, int b, int count, int dimensions, const float* coordinates) {
  float value = 0.0f;
  for (int i = 0; i < dimensions; i++) {
    const float diff = coordinates[(i * count) + a] - coordinates[(i * count) + b];
    value += diff * diff;
  }
  return value;
}

// Row `tid` of `work` gets, per centre, what points leaving that centre would save; its last entry, what the
// point itself saves by moving to candidate x.
__global__ void pgain(int count, int dimensions, long x, const Point* points, int centers, int stride,
                      const float* coordinates, float* work, const int* center_table,
                      bool* switch_membership) {
  const int tid = blockIdx.x * blockDim.x + threadIdx.x;
  if (tid < count) {
    float* lower = &work[tid * stride];
    const float x_cost =
        squared_distance(tid, static_cast<int>(x), count, dimensions, coordinates) * points[tid].weight;
    if (x_cost < points[tid].cost) {
      switch_membership[tid] = true;
      lower[centers] += x_cost - points[tid].cost;
    } else {
      lower[center_table[points[tid].assign]] += points[tid].cost - x_cost;
    }
  }
}

struct Clustering {
  std::vector<Point> points;
  std::vector<int> centers;  // their points, in the order of the columns of `work`
};

static double host_cost(const std::vector<float>& coordinates, int count, int a, int b, float weight) {
  double sum = 0;
  for (int i = 0; i < kDimensions; ++i) {
    const double diff = double(coordinates[i * count + a]) - coordinates[i * count + b];
    sum += diff * diff;
  }
  return sum * weight;
}

static std::vector<int> columns_of(const Clustering& state) {
  std::vector<int> table(state.points.size(), -1);
  for (std::size_t k = 0; k < state.centers.size(); ++k) table[state.centers[k]] = static_cast<int>(k);
  return table;
}

// Opens x if that lowers the total: its price and what centres that close save against what the points save.
static void open_if_better(Clustering& state, const std::vector<float>& work,
                           const std::vector<char>& switched, int x, float price,
                           const std::vector<float>& coordinates) {
  const int open = static_cast<int>(state.centers.size()), stride = open + 1;
  const int count = static_cast<int>(state.points.size());
  std::vector<double> lower(stride);
  for (int p = 0; p < count; ++p)
    for (int k = 0; k < stride; ++k) lower[k] += work[static_cast<std::size_t>(p) * stride + k];
  double cost_of_opening = price + lower[open];
  std::vector<int> kept;
  std::vector<bool> closes(open);
  for (int k = 0; k < open; ++k) {
    closes[k] = price + lower[k] > 0;
    if (closes[k])
      cost_of_opening -= price + lower[k];
    else
      kept.push_back(state.centers[k]);
  }
  if (cost_of_opening >= 0) return;
  const std::vector<int> table = columns_of(state);
  for (int p = 0; p < count; ++p) {
    Point& point = state.points[p];
    if (!switched[p] && !closes[table[point.assign]]) continue;
    point.assign = x;
    point.cost = static_cast<float>(host_cost(coordinates, count, p, x, point.weight));
  }
  state.centers = kept;
  state.centers.push_back(x);
}

// Asks the GPU about candidate x and checks what it says about every point.
static bool consider(Clustering& state, int x, float price, const std::vector<float>& coordinates,
                     const float* coordinates_device) {
  const int count = static_cast<int>(state.points.size()), open = static_cast<int>(state.centers.size());
  const int stride = open + 1;
  const std::vector<int> table = columns_of(state);
  program::DeviceArray<Point> points(state.points);
  program::DeviceArray<int> center_table(table);
  program::DeviceArray<float> work(static_cast<std::size_t>(count) * stride);
  program::DeviceArray<bool> switched(count);
  CUDA_CHECK(cudaMemset(work, 0, static_cast<std::size_t>(count) * stride * sizeof(float)));
  CUDA_CHECK(cudaMemset(switched, 0, count));
  pgain<<<program::blocks_for(count, kThreads), kThreads>>>(count, kDimensions, x, points, open, stride,
                                                            coordinates_device, work, center_table, switched);
  CHECK_LAUNCH();
  const std::vector<float> got = work.to_host();
  std::vector<char> moves(count);
  CUDA_CHECK(cudaMemcpy(moves.data(), switched, count, cudaMemcpyDeviceToHost));

  // A point as far from x as from its centre may be counted on either side: there the sums are 0 but for
  // rounding.
  std::vector<double> expected(got.size());
  for (int p = 0; p < count; ++p) {
    const Point& point = state.points[p];
    const double change = host_cost(coordinates, count, p, x, point.weight) - point.cost;
    const std::size_t row = static_cast<std::size_t>(p) * stride;
    expected[row + (moves[p] ? open : table[point.assign])] = moves[p] ? change : -change;
  }
  open_if_better(state, got, moves, x, price, coordinates);
  return program::close("gains", got, expected, 1e-3);
}

int main(int argc, char** argv) {
  const int count = program::size(argc, argv, 512, 65536), candidates = 40;
  constexpr float kPrice = 60.0f;
  program::Random random(17);
  const auto coordinates =
      program::random_between(0.0f, 1.0f, static_cast<std::size_t>(count) * kDimensions, 18);
  program::DeviceArray<float> coordinates_device(coordinates);
  Clustering state{{}, {0}};
  for (int p = 0; p < count; ++p) {
    const float weight = static_cast<float>(1 + random.below(3));
    state.points.push_back({weight, 0, static_cast<float>(host_cost(coordinates, count, p, 0, weight))});
  }
  bool pass = true;
  for (int i = 0; i < candidates && pass; ++i) {
    const int x = static_cast<int>(random.below(count));
    if (columns_of(state)[x] < 0) pass = consider(state, x, kPrice, coordinates, coordinates_device);
  }
  std::printf("%zu centers\n", state.centers.size());
  return program::verdict("streamcluster", pass);
}
