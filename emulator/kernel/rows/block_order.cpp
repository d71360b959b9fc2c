#include "emulator/kernel/rows/block_order.h"

#include <algorithm>
#include <functional>
#include <queue>

#include "emulator/kernel/rows/loop_forest.h"

namespace wedjat::kernel {
namespace {

// What stands in a loop, or in the function, one after another: blocks, and whole loops (numbered after
// them).
class Order {
 public:
  explicit Order(const std::vector<Blocks>& successors)
      : successors_(successors),
        forest_(loop_forest(successors)),
        items_(successors.size() + forest_.loops.size()),
        inside_(forest_.loops.size() + 1) {}

  BlockOrder run() {
    BlockOrder order;
    order.depth.resize(successors_.size());
    for (std::uint32_t block : forest_.reached)
      order.depth[block] = depth_of(forest_.loop_of[block]) + loops(block);
    gather();
    for (std::uint32_t block : forest_.reached)
      for (std::uint32_t next : successors_[block]) add_edge(block, next);
    // Loops wait on an explicit stack: they may nest deeper than the host's.
    std::vector<std::uint32_t> open = sequence(LoopForest::none);
    while (!open.empty()) {
      const std::uint32_t item = open.back();
      open.pop_back();
      if (item < successors_.size()) {
        order.blocks.push_back(item);
        continue;
      }
      const Blocks more = sequence(loop_in(item));
      open.insert(open.end(), more.begin(), more.end());
    }
    return order;
  }

 private:
  struct Item {
    std::uint32_t first = LoopForest::none;  // the block in it that stands first in the source
    std::uint32_t waiting = 0;               // edges from what is not placed yet
    Blocks next;
  };

  std::uint32_t loop_in(std::uint32_t item) const {
    return item - static_cast<std::uint32_t>(successors_.size());
  }
  std::uint32_t item_of(std::uint32_t loop) const {
    return static_cast<std::uint32_t>(successors_.size()) + loop;
  }
  std::uint32_t depth_of(std::uint32_t loop) const {
    return loop == LoopForest::none ? 0 : forest_.loops[loop].depth;
  }
  bool loops(std::uint32_t block) const {
    return std::ranges::find(successors_[block], block) != successors_[block].end();
  }
  Blocks& inside(std::uint32_t loop) { return loop == LoopForest::none ? inside_.back() : inside_[loop]; }

  void gather() {
    const auto put = [&](std::uint32_t item, std::uint32_t loop) {
      inside(loop).push_back(item);
      if (loop == LoopForest::none) return;
      std::uint32_t& first = items_[item_of(loop)].first;
      first = std::min(first, items_[item].first);
    };
    for (std::uint32_t block : forest_.reached) {
      items_[block].first = block;
      put(block, forest_.loop_of[block]);
    }
    for (auto loop = static_cast<std::uint32_t>(forest_.loops.size()); loop-- > 0;)
      put(item_of(loop), forest_.loops[loop].outer);
  }

  // Between the items of the innermost loop that holds both blocks, unless it is that loop's back edge.
  void add_edge(std::uint32_t from, std::uint32_t to) {
    std::uint32_t a = from, b = to, loop = forest_.loop_of[from], other = forest_.loop_of[to];
    while (loop != other) {
      const bool climbs = depth_of(loop) >= depth_of(other);
      std::uint32_t& up = climbs ? loop : other;
      (climbs ? a : b) = item_of(up);
      up = forest_.loops[up].outer;
    }
    if (a == b || (loop != LoopForest::none && to == forest_.loops[loop].header)) return;
    items_[a].next.push_back(b);
    ++items_[b].waiting;
  }

  // Kahn's algorithm, what stands first in the source first; what only ends the thread goes last. In reverse.
  Blocks sequence(std::uint32_t loop) {
    using Entry = std::pair<std::pair<bool, std::uint32_t>, std::uint32_t>;
    std::priority_queue<Entry, std::vector<Entry>, std::greater<>> ready;
    const std::uint32_t header = loop == LoopForest::none ? 0 : forest_.loops[loop].header;
    const auto enqueue = [&](std::uint32_t item) {
      const bool is_header = items_[item].first == header;
      const bool leaves = item < successors_.size() && successors_[item].empty();
      ready.push({{leaves && !is_header, is_header ? 0 : items_[item].first + 1}, item});
    };
    for (std::uint32_t item : inside(loop))
      if (items_[item].waiting == 0) enqueue(item);
    Blocks placed;
    while (!ready.empty()) {
      const std::uint32_t item = ready.top().second;
      ready.pop();
      placed.push_back(item);
      for (std::uint32_t next : items_[item].next)
        if (--items_[next].waiting == 0) enqueue(next);
    }
    std::ranges::reverse(placed);
    return placed;
  }

  const std::vector<Blocks>& successors_;
  const LoopForest forest_;
  std::vector<Item> items_;
  std::vector<Blocks> inside_;  // by loop; last: of none
};

}  // namespace

BlockOrder block_order(const std::vector<std::vector<std::uint32_t>>& successors) {
  return successors.empty() ? BlockOrder{} : Order(successors).run();
}

}  // namespace wedjat::kernel
