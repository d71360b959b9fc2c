// Sorts floats: a histogram gives pivots, pivots (read through a texture) give buckets, each bucket is merge
// sorted four numbers at a time. Within a bucket the order of arrival is up to the machine, the sorted result
// is not.
#include <cfloat>
#include <utility>

#include "common/texture.h"
#include "rodinia/hybridsort/merge.h"

constexpr int kBins = 1024, kDivisions = 64, kThreads = 128, kBlocks = 32;

__global__ void histogram1024(const float* input, int count, float minimum, float range, unsigned* counts) {
  __shared__ unsigned local[kBins];
  for (int i = threadIdx.x; i < kBins; i += blockDim.x) local[i] = 0;
  __syncthreads();
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < count; i += blockDim.x * gridDim.x) {
    const int bin = static_cast<int>((input[i] - minimum) / range * kBins);
    atomicAdd(&local[min(max(bin, 0), kBins - 1)], 1u);
  }
  __syncthreads();
  for (int i = threadIdx.x; i < kBins; i += blockDim.x) atomicAdd(&counts[i], local[i]);
}

// Which bucket every number goes to, and the how manieth of its block there it is.
__global__ void bucket_count(const float* input, int count, cudaTextureObject_t pivots, int* buckets,
                             unsigned* places, unsigned* prefixes) {
  __shared__ unsigned filled[kDivisions];
  for (int i = threadIdx.x; i < kDivisions; i += blockDim.x) filled[i] = 0;
  __syncthreads();
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < count; i += blockDim.x * gridDim.x) {
    const float value = input[i];
    int low = 0, high = kDivisions - 1;  // bucket b holds pivot[b - 1] <= value < pivot[b]
    while (low < high) {
      const int middle = (low + high) / 2;
      if (value < tex1Dfetch<float>(pivots, middle))
        high = middle;
      else
        low = middle + 1;
    }
    buckets[i] = low;
    places[i] = atomicAdd(&filled[low], 1u);
  }
  __syncthreads();
  for (int i = threadIdx.x; i < kDivisions; i += blockDim.x)
    prefixes[blockIdx.x * kDivisions + i] = filled[i];
}

__global__ void bucket_prefix_offset(unsigned* prefixes, unsigned* totals) {
  const int bucket = blockIdx.x * blockDim.x + threadIdx.x;
  if (bucket >= kDivisions) return;
  unsigned sum = 0;
  for (int block = 0; block < kBlocks; block++) {
    const unsigned own = prefixes[block * kDivisions + bucket];
    prefixes[block * kDivisions + bucket] = sum;
    sum += own;
  }
  totals[bucket] = sum;
}

__global__ void bucket_sort(const float* input, int count, const int* buckets, const unsigned* places,
                            const unsigned* prefixes, const unsigned* starts, float* output) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < count; i += blockDim.x * gridDim.x)
    output[starts[buckets[i]] + prefixes[blockIdx.x * kDivisions + buckets[i]] + places[i]] = input[i];
}

// Bucket b ends before pivot b: an even share of the numbers, taken from the histogram, straight lines within
// a bin.
static std::vector<float> pivots_of(const std::vector<unsigned>& counts, int count, float minimum,
                                    float range) {
  std::vector<float> pivots;
  double seen = 0;
  for (int bin = 0; bin < kBins; ++bin) {
    while (static_cast<int>(pivots.size()) < kDivisions - 1) {
      const double wanted = static_cast<double>(count) * static_cast<double>(pivots.size() + 1) / kDivisions;
      if (wanted >= seen + counts[bin]) break;
      pivots.push_back(minimum + range * static_cast<float>((bin + (wanted - seen) / counts[bin]) / kBins));
    }
    seen += counts[bin];
  }
  pivots.resize(kDivisions, FLT_MAX);
  return pivots;
}

int main(int argc, char** argv) {
  const int count = program::size(argc, argv, 50000, 1 << 22);
  program::Random random(81);
  std::vector<float> host(count);
  for (float& value : host) value = (random.fraction() + random.fraction() * random.fraction()) * 100;
  const auto [least, most] = std::minmax_element(host.begin(), host.end());
  const float minimum = *least, range = std::max(*most - *least, FLT_MIN);

  program::DeviceArray<float> input(host);
  program::DeviceArray<unsigned> counts(std::vector<unsigned>(kBins, 0));
  histogram1024<<<kBlocks, kThreads>>>(input, count, minimum, range, counts);
  CHECK_LAUNCH();
  program::DeviceArray<float> pivots(pivots_of(counts.to_host(), count, minimum, range));
  const program::LinearTexture<float> texture(pivots, kDivisions);
  program::DeviceArray<int> buckets(count);
  program::DeviceArray<unsigned> places(count), prefixes(kBlocks * kDivisions), totals(kDivisions);
  bucket_count<<<kBlocks, kThreads>>>(input, count, texture, buckets, places, prefixes);
  CHECK_LAUNCH();
  bucket_prefix_offset<<<1, kDivisions>>>(prefixes, totals);
  CHECK_LAUNCH();

  // Every bucket starts at a multiple of four; what is left of its last four is larger than all numbers.
  const auto sizes = totals.to_host();
  std::vector<unsigned> starts_host(1);
  for (const unsigned size : sizes) starts_host.push_back(starts_host.back() + (size + 3) / 4 * 4);
  program::DeviceArray<unsigned> starts(starts_host);
  const unsigned padded = starts_host.back();
  program::DeviceArray<float> one(std::vector<float>(padded, FLT_MAX)), two(padded);
  bucket_sort<<<kBlocks, kThreads>>>(input, count, buckets, places, prefixes, starts, one);
  CHECK_LAUNCH();

  merge_sort_first<<<program::blocks_for(static_cast<int>(padded / 4), kThreads), kThreads>>>(
      reinterpret_cast<float4*>(one.get()), static_cast<int>(padded / 4));
  CHECK_LAUNCH();
  program::DeviceArray<float>*from = &one, *to = &two;
  const int largest = static_cast<int>((*std::max_element(sizes.begin(), sizes.end()) + 3) / 4);
  for (int run = 1; run < largest; run *= 2) {
    const dim3 grid(program::blocks_for(program::blocks_for(largest, 2 * run), kThreads), kDivisions);
    merge_sort_pass<<<grid, kThreads>>>(reinterpret_cast<const float4*>(from->get()),
                                        reinterpret_cast<float4*>(to->get()), starts, run);
    CHECK_LAUNCH();
    std::swap(from, to);
  }

  const auto sorted = from->to_host();
  std::vector<float> got;
  for (int b = 0; b < kDivisions; ++b)
    got.insert(got.end(), sorted.begin() + starts_host[b], sorted.begin() + starts_host[b] + sizes[b]);
  std::sort(host.begin(), host.end());
  return program::verdict("hybridsort", program::equal_bits("sorted numbers", got, host));
}
