#include "emulator/kernel/block_order.h"

#include <algorithm>
#include <functional>
#include <queue>

namespace wedjat::kernel {
namespace {

using Blocks = std::vector<std::uint32_t>;
constexpr std::uint32_t none = ~std::uint32_t{0};

class Order {
 public:
  explicit Order(const std::vector<Blocks>& successors)
      : successors_(successors), component_(successors.size(), none), region_(successors.size(), none) {
    order_.depth.resize(successors.size());
  }

  BlockOrder run() {
    Blocks reached{0};
    std::vector<bool> seen(successors_.size());
    seen[0] = true;
    for (std::size_t i = 0; i < reached.size(); ++i) {
      for (std::uint32_t next : successors_[reached[i]]) {
        if (!seen[next]) seen[next] = true, reached.push_back(next);
      }
    }
    std::sort(reached.begin(), reached.end());
    // Regions wait on an explicit stack: loops may nest deeper than the host's stack.
    stack_.push_back({std::move(reached), none, 0});
    while (!stack_.empty()) {
      Region region = std::move(stack_.back());
      stack_.pop_back();
      place(region);
    }
    return std::move(order_);
  }

 private:
  // Strongly connected, or the whole function. Edges into `header` are not followed: they are the loop's back
  // edges.
  struct Region {
    Blocks blocks;
    std::uint32_t header;
    std::uint32_t depth;
  };

  bool inside(std::uint32_t block, const Region& region) const {
    return region_[block] == region_number_ && block != region.header;
  }

  void place(const Region& region) {
    if (region.blocks.size() == 1) {
      order_.blocks.push_back(region.blocks.front());
      order_.depth[region.blocks.front()] = region.depth;
      return;
    }
    ++region_number_;
    for (std::uint32_t block : region.blocks) region_[block] = region_number_;
    std::vector<Blocks> components = strongly_connected(region);
    // Kahn's algorithm, blocks that stand first in the source first; what only ends the thread goes last.
    std::vector<std::uint32_t> waiting(components.size());
    std::vector<bool> leaves(components.size(), true);
    const auto each_edge = [&](std::uint32_t from, auto visit) {
      for (std::uint32_t block : components[from]) {
        for (std::uint32_t next : successors_[block]) {
          if (inside(next, region) && component_[next] != from) visit(component_[next]);
        }
      }
    };
    for (std::uint32_t c = 0; c < components.size(); ++c) {
      for (std::uint32_t block : components[c]) leaves[c] = leaves[c] && successors_[block].empty();
      each_edge(c, [&](std::uint32_t to) { ++waiting[to]; });
    }
    using Entry = std::pair<std::pair<bool, std::uint32_t>, std::uint32_t>;
    std::priority_queue<Entry, std::vector<Entry>, std::greater<>> ready;
    const auto enqueue = [&](std::uint32_t c) {
      const std::uint32_t first = *std::min_element(components[c].begin(), components[c].end());
      const bool is_header = first == region.header || (region.header == none && first == 0);
      ready.push({{leaves[c] && !is_header, is_header ? 0 : first + 1}, c});
    };
    for (std::uint32_t c = 0; c < components.size(); ++c) {
      if (waiting[c] == 0) enqueue(c);
    }
    Blocks sequence;
    while (!ready.empty()) {
      const std::uint32_t c = ready.top().second;
      ready.pop();
      sequence.push_back(c);
      each_edge(c, [&](std::uint32_t to) {
        if (--waiting[to] == 0) enqueue(to);
      });
    }
    // Last pushed is placed first.
    for (auto c = sequence.rbegin(); c != sequence.rend(); ++c) {
      std::sort(components[*c].begin(), components[*c].end());
      const std::uint32_t depth = region.depth + (is_loop(components[*c]) ? 1 : 0);
      const std::uint32_t header = header_of(components[*c]);
      stack_.push_back({std::move(components[*c]), header, depth});
    }
  }

  bool is_loop(const Blocks& blocks) const {
    const Blocks& next = successors_[blocks.front()];
    return blocks.size() > 1 || std::find(next.begin(), next.end(), blocks.front()) != next.end();
  }

  // The first block that is entered from outside; with several (an irreducible loop) the first in the source.
  std::uint32_t header_of(const Blocks& blocks) {
    if (blocks.size() == 1) return none;
    std::vector<bool>& is_member = scratch_;
    is_member.assign(successors_.size(), false);
    for (std::uint32_t block : blocks) is_member[block] = true;
    if (is_member[0]) return 0;
    if (predecessors_.empty()) fill_predecessors();
    for (std::uint32_t block : blocks) {
      for (std::uint32_t from : predecessors_[block]) {
        if (!is_member[from]) return block;
      }
    }
    return blocks.front();
  }

  void fill_predecessors() {
    predecessors_.resize(successors_.size());
    for (std::uint32_t from = 0; from < successors_.size(); ++from) {
      for (std::uint32_t to : successors_[from]) predecessors_[to].push_back(from);
    }
  }

  // Tarjan's algorithm, iterative.
  std::vector<Blocks> strongly_connected(const Region& region) {
    std::vector<Blocks> components;
    Blocks index(successors_.size(), none), low(successors_.size()), path;
    std::vector<bool> on_path(successors_.size());
    std::uint32_t counter = 0;
    struct Visit {
      std::uint32_t block;
      std::size_t edge;
    };
    std::vector<Visit> visits;
    const auto enter = [&](std::uint32_t block) {
      index[block] = low[block] = counter++;
      path.push_back(block);
      on_path[block] = true;
      visits.push_back({block, 0});
    };
    for (std::uint32_t root : region.blocks) {
      if (index[root] == none) enter(root);
      while (!visits.empty()) {
        const std::uint32_t block = visits.back().block;
        if (visits.back().edge < successors_[block].size()) {
          const std::uint32_t next = successors_[block][visits.back().edge++];
          if (!inside(next, region)) continue;
          if (index[next] == none)
            enter(next);
          else if (on_path[next])
            low[block] = std::min(low[block], index[next]);
          continue;
        }
        visits.pop_back();
        if (!visits.empty()) low[visits.back().block] = std::min(low[visits.back().block], low[block]);
        if (low[block] != index[block]) continue;
        components.emplace_back();
        for (std::uint32_t member = none; member != block;) {
          member = path.back();
          path.pop_back();
          on_path[member] = false;
          component_[member] = static_cast<std::uint32_t>(components.size() - 1);
          components.back().push_back(member);
        }
      }
    }
    return components;
  }

  const std::vector<Blocks>& successors_;
  Blocks component_, region_;
  std::uint32_t region_number_ = 0;
  std::vector<Region> stack_;
  std::vector<Blocks> predecessors_;
  std::vector<bool> scratch_;
  BlockOrder order_;
};

}  // namespace

BlockOrder block_order(const std::vector<std::vector<std::uint32_t>>& successors) {
  return successors.empty() ? BlockOrder{} : Order(successors).run();
}

}  // namespace wedjat::kernel
