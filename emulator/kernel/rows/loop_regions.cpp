#include "emulator/kernel/rows/loop_regions.h"

#include <algorithm>

namespace wedjat::kernel {
namespace {

class Search {
 public:
  Search(const std::vector<Blocks>& successors, LoopForest& forest)
      : successors_(successors),
        forest_(forest),
        predecessors_(successors.size()),
        index_(successors.size()),
        low_(successors.size()),
        marked_(successors.size()),
        inner_(successors.size()) {
    for (std::uint32_t from : forest.reached)
      for (std::uint32_t next : successors[from]) predecessors_[next].push_back(from);
  }

  void run() {
    // Regions wait on an explicit stack: loops may nest deeper than the host's stack.
    regions_.push_back({forest_.reached, LoopForest::none});
    while (!regions_.empty()) {
      const Region region = std::move(regions_.back());
      regions_.pop_back();
      for (std::uint32_t block : region.blocks) forest_.loop_of[block] = region.loop;
      split(region);
    }
  }

 private:
  struct Region {  // a loop, or the whole function
    Blocks blocks;
    std::uint32_t loop;
  };

  // Tarjan's algorithm, iterative. Edges into the region's header are not followed.
  void split(const Region& region) {
    const std::uint32_t header =
        region.loop == LoopForest::none ? LoopForest::none : forest_.loops[region.loop].header;
    Blocks path;
    std::uint32_t counter = 0;
    struct Visit {
      std::uint32_t block;
      std::size_t edge;
    };
    std::vector<Visit> visits;
    for (std::uint32_t block : region.blocks) index_[block] = LoopForest::none;
    const auto enter = [&](std::uint32_t block) {
      index_[block] = low_[block] = counter++;
      path.push_back(block);
      marked_[block] = true;
      visits.push_back({block, 0});
    };
    for (std::uint32_t root : region.blocks) {
      if (index_[root] == LoopForest::none) enter(root);
      while (!visits.empty()) {
        const std::uint32_t block = visits.back().block;
        if (visits.back().edge < successors_[block].size()) {
          const std::uint32_t next = successors_[block][visits.back().edge++];
          if (next == header || forest_.loop_of[next] != region.loop) continue;
          if (index_[next] == LoopForest::none)
            enter(next);
          else if (marked_[next])
            low_[block] = std::min(low_[block], index_[next]);
          continue;
        }
        visits.pop_back();
        if (!visits.empty()) low_[visits.back().block] = std::min(low_[visits.back().block], low_[block]);
        if (low_[block] != index_[block]) continue;
        const auto first = std::ranges::find(path.rbegin(), path.rend(), block).base() - 1;
        Blocks component(first, path.end());
        path.erase(first, path.end());
        for (std::uint32_t member : component) marked_[member] = false;
        if (component.size() > 1) add_loop(std::move(component), region.loop);
      }
    }
  }

  void add_loop(Blocks blocks, std::uint32_t outer) {
    const auto loop = static_cast<std::uint32_t>(forest_.loops.size());
    forest_.loops.push_back(
        {header_of(blocks), outer, outer == LoopForest::none ? 1 : forest_.loops[outer].depth + 1});
    regions_.push_back({std::move(blocks), loop});
  }

  std::uint32_t header_of(const Blocks& blocks) {
    for (std::uint32_t block : blocks) inner_[block] = true;
    std::uint32_t header = LoopForest::none;
    for (std::uint32_t block : blocks) {
      const auto is_inner = [&](std::uint32_t from) { return inner_[from]; };
      const bool is_entered = block == 0 || !std::ranges::all_of(predecessors_[block], is_inner);
      if (is_entered) header = std::min(header, block);
    }
    for (std::uint32_t block : blocks) inner_[block] = false;
    return header;
  }

  const std::vector<Blocks>& successors_;
  LoopForest& forest_;
  std::vector<Blocks> predecessors_;
  std::vector<Region> regions_;
  Blocks index_, low_;
  std::vector<bool> marked_;  // on the path of Tarjan's algorithm
  std::vector<bool> inner_;   // of the loop whose header is looked for
};

}  // namespace

void find_regions(const std::vector<Blocks>& successors, LoopForest& forest) {
  Search(successors, forest).run();
}

}  // namespace wedjat::kernel
