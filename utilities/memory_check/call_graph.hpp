// Which functions of a kernel may come to call themselves.
#pragma once
#include <cstdint>
#include <utility>
#include <vector>
#include <wedjat/tool.hpp>

namespace memory_check {

/// A pointer may lead to any function. Takes time in proportion to functions and calls.
class CallGraph {
 public:
  explicit CallGraph(const wedjat_kernel& kernel)
      : callees_(kernel.function_count),
        callers_(kernel.function_count),
        calls_itself_(kernel.function_count) {
    for (const auto& block : wedjat::blocks(kernel))
      if (block.function != 0 && block.callee != -1)
        add(block.function, block.callee >= 0 ? static_cast<std::uint32_t>(block.callee) : pointers);
    for (std::uint32_t f = 1; f < kernel.function_count; ++f) add(pointers, f);
    find_circles();
  }

  bool may_call_itself(std::uint32_t function) const { return calls_itself_[function]; }

 private:
  using Edges = std::vector<std::vector<std::uint32_t>>;
  static constexpr std::uint32_t pointers = 0;  // stands for them: nobody calls the kernel

  void add(std::uint32_t from, std::uint32_t to) {
    callees_[from].push_back(to);
    callers_[to].push_back(from);
    if (from == to) calls_itself_[from] = true;
  }

  // Those that `from` leads to and that were not seen, each behind all that it leads to.
  static std::vector<std::uint32_t> led_to(const Edges& edges, std::uint32_t from, std::vector<bool>& seen) {
    std::vector<std::uint32_t> done;
    std::vector<std::pair<std::uint32_t, std::size_t>> way;  // and the edge that is next
    const auto enter = [&](std::uint32_t function) {
      if (!seen[function]) way.emplace_back(function, 0);
      seen[function] = true;
    };
    for (enter(from); !way.empty();) {
      auto& [function, next] = way.back();
      if (next < edges[function].size()) {
        enter(edges[function][next++]);
      } else {
        done.push_back(function);
        way.pop_back();
      }
    }
    return done;
  }

  // Kosaraju's strongly connected components.
  void find_circles() {
    std::vector<bool> seen(callees_.size());
    std::vector<std::uint32_t> order;
    for (std::uint32_t f = 0; f < callees_.size(); ++f)
      for (const std::uint32_t done : led_to(callees_, f, seen)) order.push_back(done);
    seen.assign(seen.size(), false);
    for (auto f = order.rbegin(); f != order.rend(); ++f) {
      const std::vector<std::uint32_t> circle = led_to(callers_, *f, seen);
      for (const std::uint32_t one : circle)
        if (circle.size() > 1) calls_itself_[one] = true;
    }
  }

  Edges callees_, callers_;
  std::vector<bool> calls_itself_;
};

}  // namespace memory_check
