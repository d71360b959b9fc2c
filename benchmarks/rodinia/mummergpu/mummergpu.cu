// Matches DNA reads against a reference: for every position of every read, and of its reverse complement, the
// longest match in the reference. A thread a read walks down a suffix tree and follows suffix links; tree and
// reference are textures.
#include "common/texture.h"
#include "rodinia/mummergpu/suffix_tree.h"

constexpr int kThreads = 256, kReadLength = 50, kNodeColumns = 512;

struct MatchCoord {
  int node, length;  // where the walk ended, and how many letters matched
};

struct TreeTextures {
  cudaTextureObject_t children, edges,
      reference;  // int4 of a node: children; start, end, link, depth. Letters
};

__device__ int4 fetch(cudaTextureObject_t nodes, int node) {
  return tex2D<int4>(nodes, static_cast<float>(node % kNodeColumns), static_cast<float>(node / kNodeColumns));
}

__device__ int child_of(int4 children, int letter) {
  switch (letter) {
    case 0:
      return children.x;
    case 1:
      return children.y;
    case 2:
      return children.z;
    default:
      return children.w;
  }
}

template <bool REVERSE>
__global__ void match(TreeTextures tree, const unsigned char* reads, int count, MatchCoord* matches) {
  const int read = blockIdx.x * blockDim.x + threadIdx.x;
  if (read >= count) return;
  const unsigned char* letters = reads + read * kReadLength;
  const auto letter_at = [&](int i) { return REVERSE ? 3 - letters[kReadLength - 1 - i] : letters[i]; };
  int node = 0, depth = 0;  // the deepest node all of whose path matches
  for (int start = 0; start < kReadLength; start++) {
    int at = start + depth, reached = node;
    while (at < kReadLength) {
      const int next = child_of(fetch(tree.children, node), letter_at(at));
      if (next == 0) break;
      const int4 edge = fetch(tree.edges, next);
      int from = edge.x;
      while (from < edge.y && at < kReadLength &&
             tex1Dfetch<unsigned char>(tree.reference, from) == letter_at(at)) {
        from++;
        at++;
      }
      if (from > edge.x) reached = next;
      if (from < edge.y) break;
      node = next;
      depth = edge.w;
    }
    matches[read * kReadLength + start] = {reached, at - start};
    if (node == 0) continue;
    node = fetch(tree.edges, node).z;
    depth = depth - 1;
  }
}

// Reads copied from the reference with a letter in 20 changed, every other one from the other strand.
static std::vector<unsigned char> random_reads(const std::vector<unsigned char>& reference, int count) {
  program::Random random(91);
  std::vector<unsigned char> reads;
  for (int read = 0; read < count; ++read) {
    const auto start = random.below(static_cast<unsigned>(reference.size()) - 1 - kReadLength);
    for (int i = 0; i < kReadLength; ++i) {
      const unsigned char letter =
          read % 2 == 0 ? reference[start + i]
                        : static_cast<unsigned char>(3 - reference[start + kReadLength - 1 - i]);
      reads.push_back(random.below(20) == 0 ? static_cast<unsigned char>(random.below(kBases)) : letter);
    }
  }
  return reads;
}

// A match is right if it occurs, and does not with one letter more. Checks some 100 of the reads.
static bool longest(const std::vector<unsigned char>& reference, const std::vector<unsigned char>& reads,
                    bool reverse, const std::vector<MatchCoord>& matches) {
  const int count = static_cast<int>(reads.size()) / kReadLength;
  const auto occurs = [&](const unsigned char* text, int length) {
    return std::search(reference.begin(), reference.end(), text, text + length) != reference.end();
  };
  for (int read = 0; read < count; read += std::max(count / 100, 1)) {
    unsigned char letters[kReadLength];
    for (int i = 0; i < kReadLength; ++i)
      letters[i] = reverse ? static_cast<unsigned char>(3 - reads[read * kReadLength + kReadLength - 1 - i])
                           : reads[read * kReadLength + i];
    for (int start = 0; start < kReadLength; ++start) {
      const int length = matches[read * kReadLength + start].length;
      const bool fits = length >= 0 && start + length <= kReadLength;
      if (fits && occurs(letters + start, length) &&
          (start + length == kReadLength || !occurs(letters + start, length + 1)))
        continue;
      std::printf("read %d at %d: %d is not the longest match\n", read, start, length);
      return false;
    }
  }
  return true;
}

int main(int argc, char** argv) {
  const int length = std::max(program::size(argc, argv, 8000, 200000), 2 * kReadLength), count = length / 10;
  program::Random random(92);
  std::vector<unsigned char> reference_host(length);
  for (unsigned char& letter : reference_host) letter = static_cast<unsigned char>(random.below(kBases));
  reference_host.push_back(kEndMark);
  const auto reads_host = random_reads(reference_host, count);

  const SuffixTree tree(reference_host);
  const std::size_t padded = (tree.nodes.size() + kNodeColumns - 1) / kNodeColumns * kNodeColumns;
  std::vector<int4> children_host(padded), edges_host(padded);
  for (std::size_t i = 0; i < tree.nodes.size(); ++i) {
    const SuffixTree::Node& node = tree.nodes[i];
    children_host[i] = make_int4(node.child[0], node.child[1], node.child[2], node.child[3]);
    edges_host[i] = make_int4(node.start, node.end, node.link, node.depth);
  }
  const program::ArrayTexture<int4> children(children_host, kNodeColumns), edges(edges_host, kNodeColumns);
  program::DeviceArray<unsigned char> letters(reference_host), reads(reads_host);
  const program::LinearTexture<unsigned char> reference(letters, reference_host.size());
  const TreeTextures textures{children, edges, reference};
  program::DeviceArray<MatchCoord> forward(reads_host.size()), reverse(reads_host.size());
  const int blocks = program::blocks_for(count, kThreads);
  match<false><<<blocks, kThreads>>>(textures, reads, count, forward);
  CHECK_LAUNCH();
  match<true><<<blocks, kThreads>>>(textures, reads, count, reverse);
  CHECK_LAUNCH();
  const bool forward_right = longest(reference_host, reads_host, false, forward.to_host());
  return program::verdict("mummergpu",
                          longest(reference_host, reads_host, true, reverse.to_host()) && forward_right);
}
