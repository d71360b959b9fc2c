// In which order the nodes of a graph are carried out.
#pragma once

#include <cstddef>
#include <vector>

namespace wedjat::interposer {

// Every node after those it depends on; otherwise as they were added. `ready(i, done, first_open)` says
// whether node i may come now; all before `first_open` are done. Shorter than `count` if nodes depend on each
// other in a circle.
template <class Ready>
std::vector<std::size_t> graph_order(std::size_t count, const Ready& ready) {
  std::vector<std::size_t> order;
  std::vector<bool> done(count, false);
  std::size_t first_open = 0;
  for (bool moved = true; moved;) {
    moved = false;
    for (std::size_t i = first_open; i < count; ++i) {
      if (done[i] || !ready(i, done, first_open)) continue;
      done[i] = moved = true;
      order.push_back(i);
      while (first_open < count && done[first_open]) ++first_open;
    }
  }
  return order;
}

}  // namespace wedjat::interposer
