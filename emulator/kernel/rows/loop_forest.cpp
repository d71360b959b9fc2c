#include "emulator/kernel/rows/loop_forest.h"

#include <algorithm>
#include <numeric>

#include "emulator/kernel/rows/loop_regions.h"

namespace wedjat::kernel {
namespace {

// Tarjan's algorithm of 1974 for reducible graphs, in nearly linear time: from the innermost header outwards,
// the blocks that reach the ends of the back edges, each loop found so far taken as its header.
class Intervals {
 public:
  Intervals(const std::vector<Blocks>& successors, const Blocks& reached)
      : successors_(successors),
        reached_(reached),
        predecessors_(successors.size()),
        first_(successors.size(), LoopForest::none),
        last_(successors.size()),
        header_(successors.size(), LoopForest::none),
        leader_(successors.size()),
        member_of_(successors.size(), LoopForest::none) {}

  /// False: some loop has two entries.
  bool run(LoopForest& to) {
    number();
    for (std::uint32_t from : reached_)
      for (std::uint32_t next : successors_[from]) predecessors_[next].push_back(from);
    std::iota(leader_.begin(), leader_.end(), 0);
    for (auto header = preorder_.rbegin(); header != preorder_.rend(); ++header)
      if (!collect(*header)) return false;
    give(to);
    return true;
  }

 private:
  void number() {
    struct Visit {
      std::uint32_t block;
      std::size_t edge;
    };
    std::vector<Visit> visits;
    const auto enter = [&](std::uint32_t block) {
      first_[block] = static_cast<std::uint32_t>(preorder_.size());
      preorder_.push_back(block);
      visits.push_back({block, 0});
    };
    enter(0);
    while (!visits.empty()) {
      const std::uint32_t block = visits.back().block;
      if (visits.back().edge == successors_[block].size()) {
        last_[block] = static_cast<std::uint32_t>(preorder_.size() - 1);
        visits.pop_back();
      } else if (const std::uint32_t next = successors_[block][visits.back().edge++];
                 first_[next] == LoopForest::none) {
        enter(next);
      }
    }
  }
  bool is_below(std::uint32_t block, std::uint32_t above) const {
    return first_[above] <= first_[block] && first_[block] <= last_[above];
  }
  std::uint32_t leader(std::uint32_t block) {
    while (leader_[block] != block) block = leader_[block] = leader_[leader_[block]];
    return block;
  }

  bool collect(std::uint32_t header) {
    Blocks body;
    const auto add = [&](std::uint32_t block) {
      if (block == header || member_of_[block] == header) return;
      member_of_[block] = header;
      body.push_back(block);
    };
    for (std::uint32_t from : predecessors_[header])
      if (is_below(from, header)) add(leader(from));
    for (std::size_t i = 0; i < body.size(); ++i) {
      for (std::uint32_t from : predecessors_[body[i]]) {
        if (is_below(from, body[i])) continue;  // the block's own back edge
        const std::uint32_t one = leader(from);
        if (!is_below(one, header)) return false;
        add(one);
      }
    }
    for (std::uint32_t block : body) header_[block] = leader_[block] = header;
    if (!body.empty()) is_header_.push_back(header);
    return true;
  }

  void give(LoopForest& to) const {
    std::vector<std::uint32_t> index(successors_.size(), LoopForest::none);
    for (auto header = is_header_.rbegin(); header != is_header_.rend(); ++header) {
      const std::uint32_t outer =
          header_[*header] == LoopForest::none ? LoopForest::none : index[header_[*header]];
      index[*header] = static_cast<std::uint32_t>(to.loops.size());
      to.loops.push_back({*header, outer, outer == LoopForest::none ? 1 : to.loops[outer].depth + 1});
    }
    for (std::uint32_t block : reached_)
      to.loop_of[block] = index[block] != LoopForest::none     ? index[block]
                          : header_[block] != LoopForest::none ? index[header_[block]]
                                                               : LoopForest::none;
  }

  const std::vector<Blocks>& successors_;
  const Blocks& reached_;
  std::vector<Blocks> predecessors_;
  Blocks preorder_;
  std::vector<std::uint32_t> first_, last_;  // by block: its place in preorder, and that of the last below it
  std::vector<std::uint32_t> header_;        // by block: of the loop around it
  std::vector<std::uint32_t> leader_;     // by block: towards the header of the outermost loop found so far
  std::vector<std::uint32_t> member_of_;  // by block: the last header it was collected for
  Blocks is_header_;                      // inner ones first
};

}  // namespace

LoopForest loop_forest(const std::vector<Blocks>& successors) {
  LoopForest forest;
  forest.loop_of.assign(successors.size(), LoopForest::none);
  std::vector<bool> seen(successors.size());
  forest.reached = {0};
  seen[0] = true;
  for (std::size_t i = 0; i < forest.reached.size(); ++i)
    for (std::uint32_t next : successors[forest.reached[i]])
      if (!seen[next]) seen[next] = true, forest.reached.push_back(next);
  std::ranges::sort(forest.reached);
  if (!Intervals(successors, forest.reached).run(forest)) find_regions(successors, forest);
  return forest;
}

}  // namespace wedjat::kernel
