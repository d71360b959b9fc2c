// Tracks points on the walls of a heart through ultrasound frames: a block a point looks for its template in
// the surroundings by normalised cross-correlation, with running sums for means and deviations. One launch a
// frame.
#include "common/program.h"
#include "rodinia/heartwall/sequence.h"

constexpr int kThreads = 256;
constexpr int kTemplate = 25, kSearch = 41;      // rows and columns of what is looked for, and of where
constexpr int kMoves = kSearch - kTemplate + 1;  // places in a row where the template fits
constexpr int kSums = kSearch + 1;               // running sums have a row and a column of zeros in front
constexpr float kKeep = 0.87f;                   // how much of the old template stays

struct Common {
  int rows, columns, points;
};

__constant__ Common d_common;

// What a point has of its own in global memory.
struct Unique {
  int row, column;
  float pattern[kTemplate * kTemplate];
  float rotated[kTemplate * kTemplate];
  float window[kSearch * kSearch];
  float sums[kSums * kSums], squares[kSums * kSums];
  float correlation[kMoves * kMoves];
};

__device__ int clamped(int value, int low, int high) { return min(max(value, low), high); }

__device__ void take_pattern(Unique& own, const float* frame, float keep) {
  for (int i = threadIdx.x; i < kTemplate * kTemplate; i += blockDim.x) {
    const int y = own.row - kTemplate / 2 + i % kTemplate, x = own.column - kTemplate / 2 + i / kTemplate;
    own.pattern[i] = keep * own.pattern[i] + (1.0f - keep) * frame[x * d_common.rows + y];
  }
}

// sums[x + 1][y + 1]: of the window's values left of and above x, y, those included; likewise their squares.
__device__ void running_sums(Unique& own) {
  for (int x = threadIdx.x; x < kSums; x += blockDim.x) {
    float sum = 0.0f, square = 0.0f;
    own.sums[x * kSums] = own.squares[x * kSums] = 0.0f;
    for (int y = 1; y < kSums; y++) {
      const float value = x == 0 ? 0.0f : own.window[(x - 1) * kSearch + y - 1];
      sum += value;
      square += value * value;
      own.sums[x * kSums + y] = sum;
      own.squares[x * kSums + y] = square;
    }
  }
  __syncthreads();
  for (int y = threadIdx.x; y < kSums; y += blockDim.x) {
    for (int x = 1; x < kSums; x++) {
      own.sums[x * kSums + y] += own.sums[(x - 1) * kSums + y];
      own.squares[x * kSums + y] += own.squares[(x - 1) * kSums + y];
    }
  }
  __syncthreads();
}

__device__ float box(const float* sums, int x, int y) {
  return sums[(x + kTemplate) * kSums + y + kTemplate] - sums[x * kSums + y + kTemplate] -
         sums[(x + kTemplate) * kSums + y] + sums[x * kSums + y];
}

__global__ void track(Unique* unique, const float* frame, int frame_no) {
  Unique& own = unique[blockIdx.x];
  __shared__ float partial[kThreads], partial_square[kThreads];
  __shared__ int best[kThreads];
  const int tx = threadIdx.x;
  if (frame_no == 0) {
    take_pattern(own, frame, 0.0f);
    return;
  }

  // The template turned by half a turn: convolution then is correlation.
  float sum = 0.0f, square = 0.0f;
  for (int i = tx; i < kTemplate * kTemplate; i += blockDim.x) {
    const float value = own.pattern[i];
    own.rotated[kTemplate * kTemplate - 1 - i] = value;
    sum += value;
    square += value * value;
  }
  partial[tx] = sum;
  partial_square[tx] = square;
  const int top = own.row - kSearch / 2, left = own.column - kSearch / 2;
  for (int i = tx; i < kSearch * kSearch; i += blockDim.x) {
    const int y = clamped(top + i % kSearch, 0, d_common.rows - 1),
              x = clamped(left + i / kSearch, 0, d_common.columns - 1);
    own.window[i] = frame[x * d_common.rows + y];
  }
  __syncthreads();
  for (int half = kThreads / 2; half > 0; half /= 2) {
    if (tx < half) {
      partial[tx] += partial[tx + half];
      partial_square[tx] += partial_square[tx + half];
    }
    __syncthreads();
  }
  running_sums(own);

  constexpr float count = kTemplate * kTemplate;
  const float mean = partial[0] / count;
  const float deviation = sqrtf((partial_square[0] - partial[0] * partial[0] / count) / (count - 1.0f));
  __syncthreads();
  float most = -2.0f;
  int at = 0;
  for (int i = tx; i < kMoves * kMoves; i += blockDim.x) {
    const int x = i / kMoves, y = i % kMoves;
    float convolved = 0.0f;
    for (int a = 0; a < kTemplate; a++)
      for (int b = 0; b < kTemplate; b++)
        convolved += own.window[(x + a) * kSearch + y + b] *
                     own.rotated[(kTemplate - 1 - a) * kTemplate + kTemplate - 1 - b];
    const float local_sum = box(own.sums, x, y), local_square = box(own.squares, x, y);
    const float spread = sqrtf(fmaxf(local_square - local_sum * local_sum / count, 0.0f));
    const float denominator = sqrtf(count - 1.0f) * deviation * spread;
    const float value = denominator > 0.0f ? (convolved - local_sum * mean) / denominator : 0.0f;
    own.correlation[i] = value;
    if (value > most) {
      most = value;
      at = i;
    }
  }
  partial[tx] = most;
  best[tx] = at;
  __syncthreads();
  if (tx == 0) {
    for (int i = 1; i < kThreads; i++) {
      if (partial[i] > partial[0] || (partial[i] == partial[0] && best[i] < best[0])) {
        partial[0] = partial[i];
        best[0] = best[i];
      }
    }
    constexpr int rim = kTemplate / 2;
    own.row = clamped(top + best[0] % kMoves + rim, rim, d_common.rows - 1 - rim);
    own.column = clamped(left + best[0] / kMoves + rim, rim, d_common.columns - 1 - rim);
  }
  __syncthreads();
  take_pattern(own, frame, kKeep);
}

struct Tracked {
  int row, column;
  std::vector<double> pattern;
};

// The place of the window where the template correlates most, in double precision and from the definition.
static void host_track(const Sequence& sequence, int frame_no, Tracked& point) {
  const std::vector<float>& frame = sequence.frames[frame_no];
  const auto at = [&](int x, int y) {
    return double(
        frame[std::clamp(x, 0, sequence.columns - 1) * sequence.rows + std::clamp(y, 0, sequence.rows - 1)]);
  };
  constexpr int count = kTemplate * kTemplate, rim = kTemplate / 2;
  if (frame_no > 0) {
    double mean = 0, most = -2;
    for (const double value : point.pattern) mean += value / count;
    const int top = point.row - kSearch / 2, left = point.column - kSearch / 2;
    for (int x = 0; x < kMoves; ++x)
      for (int y = 0; y < kMoves; ++y) {
        double local = 0, cross = 0, own = 0, other = 0;
        for (int i = 0; i < count; ++i)
          local += at(left + x + i / kTemplate, top + y + i % kTemplate) / count;
        for (int i = 0; i < count; ++i) {
          const double a = at(left + x + i / kTemplate, top + y + i % kTemplate) - local,
                       b = point.pattern[i] - mean;
          cross += a * b;
          own += a * a;
          other += b * b;
        }
        const double value = cross / std::sqrt(own * other);
        if (value <= most) continue;
        most = value;
        point.row = std::clamp(top + y + rim, rim, sequence.rows - 1 - rim);
        point.column = std::clamp(left + x + rim, rim, sequence.columns - 1 - rim);
      }
  }
  const double keep = frame_no == 0 ? 0 : double(kKeep);
  for (int i = 0; i < count; ++i)
    point.pattern[i] = keep * point.pattern[i] +
                       (1 - keep) * at(point.column - rim + i / kTemplate, point.row - rim + i % kTemplate);
}

int main(int argc, char** argv) {
  const int frames = program::size(argc, argv, 4, 12), rows = 160, columns = 176;
  const Sequence sequence = contracting_walls(rows, columns, frames);
  const Common common{rows, columns, kTracked};
  CUDA_CHECK(cudaMemcpyToSymbol(d_common, &common, sizeof common));
  std::vector<Unique> unique_host(kTracked);
  std::vector<Tracked> expected;
  for (int i = 0; i < kTracked; ++i) {
    unique_host[i].row = sequence.row[i];
    unique_host[i].column = sequence.column[i];
    expected.push_back({sequence.row[i], sequence.column[i], std::vector<double>(kTemplate * kTemplate)});
  }
  program::DeviceArray<Unique> unique(unique_host);
  program::DeviceArray<float> frame(sequence.frames[0].size());
  for (int i = 0; i < frames; ++i) {
    CUDA_CHECK(cudaMemcpy(frame, sequence.frames[i].data(), sequence.frames[i].size() * sizeof(float),
                          cudaMemcpyHostToDevice));
    track<<<kTracked, kThreads>>>(unique, frame, i);
    CHECK_LAUNCH();
    for (Tracked& point : expected) host_track(sequence, i, point);
  }

  std::vector<int> places, expected_places;
  std::vector<float> patterns;
  std::vector<double> expected_patterns;
  const std::vector<Unique> tracked = unique.to_host();
  for (int i = 0; i < kTracked; ++i) {
    places.insert(places.end(), {tracked[i].row, tracked[i].column});
    expected_places.insert(expected_places.end(), {expected[i].row, expected[i].column});
    patterns.insert(patterns.end(), tracked[i].pattern, tracked[i].pattern + kTemplate * kTemplate);
    expected_patterns.insert(expected_patterns.end(), expected[i].pattern.begin(), expected[i].pattern.end());
  }
  const bool same = program::equal_bits("places", places, expected_places);
  return program::verdict("heartwall", program::close("patterns", patterns, expected_patterns, 1e-5) && same);
}
