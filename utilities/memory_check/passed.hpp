// What of the values that calls pass and give back is undefined.
#pragma once
#include <cstdint>

#include "calls.hpp"
#include "registers.hpp"

namespace memory_check {

class Passed {
 public:
  Passed(Registers& registers, std::uint64_t warp) : registers_(registers), warp_(warp) {}

  /// Lanes begin a call. What the functions leave unwritten is told apart.
  void begin(const Calls& calls, const Call& call, std::uint32_t lanes) {
    for (const Cells& cells : call.results) define(cells, lanes);
    for (const std::uint32_t f : call.callees) {
      const Callee& callee = calls.callee(f);
      for (std::size_t i = 0; i < callee.parameters.size() && i < call.arguments.size(); ++i)
        copy(call.arguments[i], callee.parameters[i], lanes);
      for (const Cells& cells : callee.results) define(cells, lanes);
      mark(callee.idle, lanes);
    }
    mark(call.inside, lanes);
  }
  void come_to(const Callee& callee, std::uint32_t lanes) { registers_.set(warp_, callee.idle, lanes, {}); }
  /// Lanes come to what follows a call.
  void end(const Calls& calls, const Call& call, std::uint32_t lanes) {
    if (call.inside != WEDJAT_NO_REGISTER) {
      lanes &= lanes_of(call.inside).undefined;
      registers_.set(warp_, call.inside, lanes, {});
    }
    for (const std::uint32_t f : call.callees) {
      const Callee& callee = calls.callee(f);
      const std::uint32_t came = call.is_direct ? lanes : lanes & ~lanes_of(callee.idle).undefined;
      for (std::size_t i = 0; i < callee.results.size() && i < call.results.size(); ++i)
        copy(callee.results[i], call.results[i], came);
      if (!call.is_direct) registers_.set(warp_, callee.idle, lanes, {});
    }
  }
  void pass(const Passing& passing, const Registers::Lanes& guard, std::uint32_t lanes) {
    for (const auto& [reg, cells] : passing.elements) {
      const Cells value = reg == WEDJAT_NO_REGISTER ? Cells{} : Cells{reg};
      const Cells &from = passing.loads ? cells : value, &to = passing.loads ? value : cells;
      copy(from, to, lanes);
      if (guard.undefined != 0)
        for (const std::uint32_t cell : to) registers_.set(warp_, cell, guard.undefined, guard);
    }
  }

 private:
  Registers::Lanes lanes_of(std::uint32_t cell) const { return Registers::of(registers_.find(warp_), cell); }
  void mark(std::uint32_t cell, std::uint32_t lanes) {
    if (cell != WEDJAT_NO_REGISTER) registers_.set(warp_, cell, lanes, {lanes, 0});
  }
  void define(const Cells& cells, std::uint32_t lanes) {
    for (const std::uint32_t cell : cells) registers_.set(warp_, cell, lanes, {});
  }
  // Byte by byte, or as a whole where one side is a register. A literal has no cells.
  void copy(const Cells& from, const Cells& to, std::uint32_t lanes) {
    const Registers::Lanes whole = Registers::any(registers_.find(warp_), from);
    for (std::size_t i = 0; i < to.size(); ++i)
      registers_.set(warp_, to[i], lanes, from.size() == to.size() ? lanes_of(from[i]) : whole);
  }

  Registers& registers_;
  std::uint64_t warp_;
};

}  // namespace memory_check
