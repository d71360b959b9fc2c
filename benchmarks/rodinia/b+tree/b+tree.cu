// Look-ups in a B+ tree, a block a query, a thread a key of the node: single keys, and ranges.
#include "common/program.h"

constexpr int kOrder = 64;  // keys of a node; the original's 508 leaves a small tree without levels

struct Knode {
  int location;
  int indices[kOrder + 1];  // of the children; in a leaf, of the records
  int keys[kOrder + 1];     // of thread i: keys[i] <= query < keys[i + 1]
  bool is_leaf;
  int num_keys;
};

__global__ void find_k(long height, const Knode* knodes, long knodes_elem, const int* records,
                       long* curr_knode, long* offset, const int* keys, int* answers) {
  const int thid = threadIdx.x, bid = blockIdx.x;
  for (int i = 0; i < height; i++) {
    if ((knodes[curr_knode[bid]].keys[thid]) <= keys[bid] &&
        (knodes[curr_knode[bid]].keys[thid + 1] > keys[bid])) {
      if (knodes[offset[bid]].indices[thid] < knodes_elem) offset[bid] = knodes[offset[bid]].indices[thid];
    }
    __syncthreads();
    if (thid == 0) curr_knode[bid] = offset[bid];
    __syncthreads();
  }
  if (knodes[curr_knode[bid]].keys[thid] == keys[bid])
    answers[bid] = records[knodes[curr_knode[bid]].indices[thid]];
}

__global__ void find_range_k(long height, const Knode* knodes, long knodes_elem, long* curr_knode,
                             long* offset, long* last_knode, long* offset_2, const int* start, const int* end,
                             int* record_start, int* record_length) {
  const int thid = threadIdx.x, bid = blockIdx.x;
  for (int i = 0; i < height; i++) {
    if ((knodes[curr_knode[bid]].keys[thid] <= start[bid]) &&
        (knodes[curr_knode[bid]].keys[thid + 1] > start[bid])) {
      if (knodes[curr_knode[bid]].indices[thid] < knodes_elem)
        offset[bid] = knodes[curr_knode[bid]].indices[thid];
    }
    if ((knodes[last_knode[bid]].keys[thid] <= end[bid]) &&
        (knodes[last_knode[bid]].keys[thid + 1] > end[bid])) {
      if (knodes[last_knode[bid]].indices[thid] < knodes_elem)
        offset_2[bid] = knodes[last_knode[bid]].indices[thid];
    }
    __syncthreads();
    if (thid == 0) {
      curr_knode[bid] = offset[bid];
      last_knode[bid] = offset_2[bid];
    }
    __syncthreads();
  }
  if (knodes[curr_knode[bid]].keys[thid] == start[bid])
    record_start[bid] = knodes[curr_knode[bid]].indices[thid];
  __syncthreads();
  if (knodes[last_knode[bid]].keys[thid] == end[bid])
    record_length[bid] = knodes[last_knode[bid]].indices[thid] - record_start[bid] + 1;
}

struct Tree {
  std::vector<Knode> nodes;  // the root is node 0
  int height = 0;            // levels below the root
};

// Level by level from sorted keys. A node starts with a key below all others, so that some thread always
// matches, and ends with one above all others.
static Tree tree_of(const std::vector<int>& sorted) {
  constexpr int kFill = kOrder - 2;
  struct Entry {
    int key, index;
  };
  std::vector<Entry> level;
  for (std::size_t i = 0; i < sorted.size(); ++i) level.push_back({sorted[i], static_cast<int>(i)});
  std::vector<std::vector<Knode>> levels;
  bool leaf = true;
  do {
    std::vector<Knode> nodes;
    std::vector<Entry> above;
    for (std::size_t first = 0; first < level.size(); first += kFill) {
      Knode node{};
      const std::size_t last = std::min(level.size(), first + kFill);
      above.push_back({level[first].key, static_cast<int>(nodes.size())});
      node.is_leaf = leaf;
      node.num_keys = static_cast<int>(last - first);
      for (int i = 0; i <= kOrder; ++i) {
        const std::size_t from = first + i;
        node.keys[i] = from < last ? level[from].key : std::numeric_limits<int>::max();
        node.indices[i] = from < last ? level[from].index : -1;
      }
      if (!leaf && first == 0) node.keys[0] = std::numeric_limits<int>::min();
      nodes.push_back(node);
    }
    levels.push_back(nodes);
    level = above;
    leaf = false;
  } while (level.size() > 1);

  Tree tree;
  tree.height = static_cast<int>(levels.size()) - 1;
  for (std::size_t l = levels.size(); l-- > 0;) {
    const int below = static_cast<int>(tree.nodes.size() + levels[l].size());
    for (Knode& node : levels[l]) {
      for (int i = 0; i < node.num_keys && !node.is_leaf; ++i) node.indices[i] += below;
      node.location = static_cast<int>(tree.nodes.size());
      tree.nodes.push_back(node);
    }
  }
  return tree;
}

int main(int argc, char** argv) {
  const int count = program::size(argc, argv, 8000, 1 << 20), queries = std::min(count, 10000) / 16 + 1;
  program::Random random(41);
  std::vector<int> sorted(count), values(count);
  for (int i = 0; i < count; ++i) {
    sorted[i] = 3 * i + static_cast<int>(random.below(3));
    values[i] = static_cast<int>(random.below(1 << 30));
  }
  const Tree tree = tree_of(sorted);
  // A third of the keys asked for is not there; ranges start and end at keys that are.
  std::vector<int> keys(queries), start(queries), end(queries), expected(queries, -1),
      expected_start(queries), expected_length(queries);
  for (int q = 0; q < queries; ++q) {
    const int at = static_cast<int>(random.below(count));
    const bool there = random.below(3) != 0;
    keys[q] = there ? sorted[at] : sorted[at] / 3 * 3 + (sorted[at] + 1) % 3;
    if (there) expected[q] = values[at];
    const int first = static_cast<int>(random.below(count));
    const int length = 1 + static_cast<int>(random.below(std::min(count - first, 1000)));
    start[q] = sorted[first];
    end[q] = sorted[first + length - 1];
    expected_start[q] = first;
    expected_length[q] = length;
  }

  const std::vector<long> root(queries, 0);
  const std::vector<int> none(queries, -1), zero(queries, 0);
  const auto elements = static_cast<long>(tree.nodes.size());
  program::DeviceArray<Knode> nodes(tree.nodes);
  program::DeviceArray<int> records(values), keys_device(keys), answers(none), starts(start), ends(end),
      record_start(zero), record_length(zero);
  program::DeviceArray<long> curr(root), offset(root), range_curr(root), range_offset(root), last(root),
      last_offset(root);
  find_k<<<queries, kOrder>>>(tree.height, nodes, elements, records, curr, offset, keys_device, answers);
  CHECK_LAUNCH();
  find_range_k<<<queries, kOrder>>>(tree.height, nodes, elements, range_curr, range_offset, last, last_offset,
                                    starts, ends, record_start, record_length);
  CHECK_LAUNCH();

  const bool keys_agree = program::equal_bits("values of keys", answers.to_host(), expected);
  const bool starts_agree = program::equal_bits("starts of ranges", record_start.to_host(), expected_start);
  const bool lengths_agree =
      program::equal_bits("lengths of ranges", record_length.to_host(), expected_length);
  return program::verdict("b+tree", keys_agree && starts_agree && lengths_agree);
}
