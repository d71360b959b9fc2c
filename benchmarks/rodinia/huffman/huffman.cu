// Variable length encoding: a histogram, codes made from it on the host, then every block encodes its part
// into shared memory, and the parts are packed into one stream of bits.
#include <queue>

#include "common/program.h"

constexpr int kSymbols = 256, kThreads = 256;  // a block encodes kThreads words of 4 symbols
constexpr int kBlockWords = 2 * kThreads;      // no code is longer than 16 bits

struct Code {
  unsigned bits, length;
};

__global__ void histogram(const unsigned* data, int words, unsigned* counts) {
  __shared__ unsigned local[kSymbols];
  local[threadIdx.x] = 0;
  __syncthreads();
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < words; i += blockDim.x * gridDim.x)
    for (int k = 0; k < 4; k++) atomicAdd(&local[(data[i] >> (24 - 8 * k)) & 0xffu], 1u);
  __syncthreads();
  atomicAdd(&counts[threadIdx.x], local[threadIdx.x]);
}

// Sums of all before, and the total; `values` is shared memory of one number a thread.
__device__ unsigned scan(unsigned* values, unsigned own, unsigned& total) {
  values[threadIdx.x] = own;
  __syncthreads();
  for (unsigned distance = 1; distance < blockDim.x; distance *= 2) {
    const unsigned before = threadIdx.x >= distance ? values[threadIdx.x - distance] : 0;
    __syncthreads();
    values[threadIdx.x] += before;
    __syncthreads();
  }
  total = values[blockDim.x - 1];
  return values[threadIdx.x] - own;
}

__global__ void vlc_encode(const unsigned* data, const Code* codes, unsigned* out, unsigned* block_bits) {
  __shared__ Code table[kSymbols];
  __shared__ unsigned lengths[kThreads];
  __shared__ unsigned stream[kBlockWords + 1];
  table[threadIdx.x] = codes[threadIdx.x];
  stream[threadIdx.x] = stream[threadIdx.x + kThreads] = 0;
  if (threadIdx.x == 0) stream[kBlockWords] = 0;
  __syncthreads();
  const unsigned word = data[blockIdx.x * kThreads + threadIdx.x];
  unsigned long long merged = 0;
  unsigned length = 0, total;
  for (int k = 0; k < 4; k++) {
    const Code code = table[(word >> (24 - 8 * k)) & 0xffu];
    merged = (merged << code.length) | code.bits;
    length += code.length;
  }
  const unsigned start = scan(lengths, length, total), shift = start % 32;
  merged <<= 64 - length;
  atomicOr(&stream[start / 32], static_cast<unsigned>(merged >> (32 + shift)));
  atomicOr(&stream[start / 32 + 1], static_cast<unsigned>(merged >> shift));
  if (shift > 0 && length + shift > 64)
    atomicOr(&stream[start / 32 + 2], static_cast<unsigned>(merged << (32 - shift)));
  __syncthreads();
  for (int i = threadIdx.x; i < kBlockWords; i += kThreads) out[blockIdx.x * kBlockWords + i] = stream[i];
  if (threadIdx.x == 0) block_bits[blockIdx.x] = total;
}

// One block: where the bits of every block start.
__global__ void scan_blocks(const unsigned* block_bits, unsigned* starts, int blocks) {
  __shared__ unsigned values[kThreads];
  unsigned carry = 0, total = 0;
  for (int first = 0; first < blocks; first += kThreads) {
    const int i = first + threadIdx.x;
    const unsigned before = scan(values, i < blocks ? block_bits[i] : 0, total);
    if (i < blocks) starts[i] = carry + before;
    carry += total;
    __syncthreads();
  }
}

__global__ void pack(const unsigned* parts, const unsigned* block_bits, const unsigned* starts,
                     unsigned* stream) {
  const unsigned shift = starts[blockIdx.x] % 32;
  unsigned* to = stream + starts[blockIdx.x] / 32;
  for (unsigned i = threadIdx.x; i * 32 < block_bits[blockIdx.x]; i += blockDim.x) {
    const unsigned word = parts[blockIdx.x * kBlockWords + i];
    atomicOr(&to[i], word >> shift);
    if (shift > 0) atomicOr(&to[i + 1], word << (32 - shift));
  }
}

// Huffman's codes. Rare symbols count as somewhat more frequent, so that no code passes 16 bits.
static std::vector<Code> codes_for(const std::vector<unsigned>& counts, unsigned long symbols) {
  using Item = std::pair<unsigned long, int>;
  std::priority_queue<Item, std::vector<Item>, std::greater<Item>> queue;
  std::vector<int> parent(2 * kSymbols - 1, -1);
  std::vector<unsigned> bit(2 * kSymbols - 1);
  for (int s = 0; s < kSymbols; ++s) queue.emplace(counts[s] + symbols / 2048 + 1, s);
  for (int node = kSymbols; queue.size() > 1; ++node) {
    unsigned long weight = 0;
    for (unsigned b = 0; b < 2; ++b) {
      weight += queue.top().first;
      parent[queue.top().second] = node;
      bit[queue.top().second] = b;
      queue.pop();
    }
    queue.emplace(weight, node);
  }
  std::vector<Code> codes(kSymbols);
  for (int s = 0; s < kSymbols; ++s)
    for (int node = s; parent[node] >= 0; node = parent[node])
      codes[s].bits |= bit[node] << codes[s].length++;
  return codes;
}

static std::vector<unsigned> host_encode(const std::vector<unsigned>& data, const std::vector<Code>& codes) {
  std::vector<unsigned> stream(1);
  unsigned used = 0;
  for (const unsigned word : data)
    for (int k = 0; k < 4; ++k) {
      const Code code = codes[(word >> (24 - 8 * k)) & 0xffu];
      for (unsigned b = code.length; b-- > 0; ++used) {
        if (used == 32) stream.push_back(0), used = 0;
        stream.back() |= (code.bits >> b & 1u) << (31 - used);
      }
    }
  return stream;
}

int main(int argc, char** argv) {
  const int blocks = program::blocks_for(program::size(argc, argv, 1 << 15, 1 << 22), kThreads),
            words = blocks * kThreads;
  program::Random random(71);
  std::vector<unsigned> data_host(words), counts_host(kSymbols);
  for (unsigned& word : data_host)
    for (int k = 0; k < 4; ++k) {
      const unsigned symbol =
          (random.below(64) + random.below(64) + random.below(64) + random.below(64)) & 0xffu;
      word = word << 8 | symbol;
      counts_host[symbol]++;
    }

  program::DeviceArray<unsigned> data(data_host), counts(std::vector<unsigned>(kSymbols, 0));
  histogram<<<std::min(blocks, 64), kThreads>>>(data, words, counts);
  CHECK_LAUNCH();
  const auto counted = counts.to_host();
  const auto codes_host = codes_for(counted, 4ul * words);
  for (const Code& code : codes_host)
    if (code.length > 16) return program::verdict("huffman", false);

  program::DeviceArray<Code> codes(codes_host);
  const std::vector<unsigned> expected = host_encode(data_host, codes_host);
  program::DeviceArray<unsigned> parts(static_cast<std::size_t>(blocks) * kBlockWords), block_bits(blocks),
      starts(blocks), stream(std::vector<unsigned>(expected.size() + 1, 0));
  vlc_encode<<<blocks, kThreads>>>(data, codes, parts, block_bits);
  CHECK_LAUNCH();
  scan_blocks<<<1, kThreads>>>(block_bits, starts, blocks);
  CHECK_LAUNCH();
  pack<<<blocks, kThreads>>>(parts, block_bits, starts, stream);
  CHECK_LAUNCH();
  auto got = stream.to_host();
  got.pop_back();
  const bool same_counts = program::equal_bits("counts", counted, counts_host);
  return program::verdict("huffman", program::equal_bits("stream", got, expected) && same_counts);
}
