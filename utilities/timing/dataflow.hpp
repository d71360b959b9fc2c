// What of a kernel's PTX becomes no machine instruction of its own: copies, and what ptxas joins with the one
// instruction that uses it. And how many registers are in use at once.
#pragma once
#include <algorithm>
#include <cstdint>
#include <string_view>
#include <unordered_map>
#include <vector>
#include <wedjat/tool.hpp>

#include "costs.hpp"
#include "machine_code.hpp"

namespace timing {

template <bool written, class Visit>
void each_register(const wedjat_instruction& at, Visit visit) {
  for (const wedjat_operand& operand : wedjat::operands(at)) {
    if (operand.registers == nullptr || (written ? operand.out == 0 : operand.in == 0)) continue;
    const std::uint32_t count = operand.kind == WEDJAT_ADDRESS ? 1 : operand.count;
    for (std::uint32_t i = 0; i < count; ++i)
      if (operand.registers[i] != WEDJAT_NO_REGISTER) visit(operand.registers[i]);
  }
}
template <class Visit>
void each_read(const wedjat_instruction& at, Visit visit) {
  if (at.guard != nullptr && at.guard_register != WEDJAT_NO_REGISTER) visit(at.guard_register);
  each_register<false>(at, visit);
}
template <class Visit>
void each_write(const wedjat_instruction& at, Visit visit) {
  each_register<true>(at, visit);
}

/// As written: `_` is one, a second one that is left out is none.
inline std::size_t results_of(const wedjat_instruction& at) {
  return static_cast<std::size_t>(std::ranges::count_if(
      wedjat::operands(at), [](const wedjat_operand& o) { return o.out != 0 && o.text[0] != 0; }));
}

class Dataflow {
 public:
  explicit Dataflow(const wedjat_kernel& kernel)
      : kernel_(kernel),
        free_(kernel.instruction_count, 0),
        dead_(kernel.instruction_count, 0),
        unread_(kernel.instruction_count, 0),
        replaced_(kernel.instruction_count),
        reads_(kernel.register_count, 0),
        writes_(kernel.register_count, 0) {
    for (const wedjat_instruction& at : wedjat::instructions(kernel)) {
      each_read(at, [&](std::uint32_t one) { ++reads_[one]; });
      each_write(at, [&](std::uint32_t one) { ++writes_[one]; });
      if (is_copy(at)) free_[at.id] = 1;
    }
    find_live();
    for (const wedjat_block& block : wedjat::blocks(kernel)) join(block);
  }

  [[nodiscard]] bool is_free(const wedjat_instruction& at) const {
    return free_[at.id] != 0 || dead_[at.id] != 0;
  }
  [[nodiscard]] bool is_dead(const wedjat_instruction& at) const { return dead_[at.id] != 0; }
  /// Whether nobody reads a result of it, be it that it has none.
  [[nodiscard]] bool is_unread(const wedjat_instruction& at) const { return unread_[at.id] != 0; }
  [[nodiscard]] Cost cost(const wedjat_instruction& at) const { return cost_of_form(form(at)); }
  /// What it is together with what is part of it.
  [[nodiscard]] std::string_view form(const wedjat_instruction& at) const {
    return replaced_[at.id].empty() ? std::string_view(at.form) : replaced_[at.id];
  }
  /// Whether another is part of it, whose sources it reads.
  [[nodiscard]] bool is_joined(const wedjat_instruction& at) const { return !replaced_[at.id].empty(); }

  /// Whether somebody reads behind a block what this register holds there.
  [[nodiscard]] bool is_live_behind(const wedjat_block& block, std::uint32_t r) const {
    return std::ranges::any_of(wedjat::successors(block), [&](std::uint32_t next) {
      return (live_[next][r / 64] >> (r % 64) & 1) != 0;
    });
  }

  /// Registers of 32 bits that hold something that is read later, where they are most.
  [[nodiscard]] std::uint32_t most_live() const { return most_live_; }

 private:
  static constexpr std::uint32_t kActs = WEDJAT_LOAD | WEDJAT_STORE | WEDJAT_ATOMIC | WEDJAT_BARRIER |
                                         WEDJAT_FENCE | WEDJAT_WARP_SYNC | WEDJAT_BRANCH | WEDJAT_CALL |
                                         WEDJAT_RETURN | WEDJAT_EXIT | WEDJAT_TRAP | WEDJAT_OTHER_LANES;
  struct Value {  // what a register holds from one write in a block to the next
    std::uint32_t writer, uses = 0, last_use = 0;
    bool is_last = true;
  };

  // What computes what nobody reads is not there; what only such instructions read is not read.
  void find_live() {
    const auto code = wedjat::blocks(kernel_);
    const std::size_t words = (kernel_.register_count + 63) / 64;
    live_.assign(code.size(), std::vector<std::uint64_t>(words, 0));
    for (bool changed = true; changed;) {
      changed = false;
      for (std::size_t b = code.size(); b-- > 0;) {
        std::vector<std::uint64_t> live(words, 0);
        for (const std::uint32_t next : wedjat::successors(code[b]))
          for (std::size_t w = 0; w < words; ++w) live[w] |= live_[next][w];
        look_through(code[b], live);
        if (live != live_[b]) live_[b] = live, changed = true;
      }
    }
  }
  void look_through(const wedjat_block& block, std::vector<std::uint64_t>& live) {
    std::uint32_t width = 0;
    for (std::uint32_t r = 0; r < kernel_.register_count; ++r)
      if (live[r / 64] >> (r % 64) & 1) width += width_of(r);
    most_live_ = std::max(most_live_, width);
    const auto set = [&](std::uint32_t r, bool on) {
      if (((live[r / 64] >> (r % 64) & 1) != 0) == on) return;
      live[r / 64] ^= std::uint64_t{1} << (r % 64);
      width = on ? width + width_of(r) : width - width_of(r);
    };
    for (std::uint32_t i = block.first + block.count; i-- > block.first;) {
      const wedjat_instruction& at = kernel_.instructions[i];
      bool is_read = false, writes = false;
      each_write(at, [&](std::uint32_t r) {
        writes = true, is_read = is_read || (live[r / 64] >> (r % 64) & 1) != 0;
      });
      unread_[at.id] = !is_read;
      dead_[at.id] = writes && !is_read && (at.what & kActs) == 0 && !carries(at);
      if (dead_[at.id]) continue;
      if (at.guard == nullptr) each_write(at, [&](std::uint32_t r) { set(r, false); });
      each_read(at, [&](std::uint32_t r) { set(r, true); });
      most_live_ = std::max(most_live_, width);
    }
  }

  [[nodiscard]] std::uint32_t width_of(std::uint32_t r) const {
    const unsigned bits = kernel_.registers[r].bits;
    return bits == 1 ? 0 : bits <= 32 ? 1 : bits / 32;
  }
  // Whether it reads or writes the carry, which is no register of PTX.
  static bool carries(const wedjat_instruction& at) {
    const auto is_carry = [](const Piece& piece) { return piece.kind == Piece::Kind::carry; };
    const auto code = MachineCode::of(at.form, results_of(at));
    return code && std::ranges::any_of(*code, [&](const MachineInstruction& one) {
             return std::ranges::any_of(one.reads, is_carry) || std::ranges::any_of(one.makes, is_carry);
           });
  }
  static bool is_logic(const wedjat_instruction& at) {
    return at.operation == WEDJAT_CONJUNCTION || at.operation == WEDJAT_DISJUNCTION ||
           at.operation == WEDJAT_PARITY;
  }
  static bool is_float(const wedjat_instruction& at) {
    return at.operand_count != 0 && at.operands[0].value == WEDJAT_FLOAT;
  }
  static bool has_literal(const wedjat_instruction& at) {
    return std::ranges::any_of(wedjat::operands(at),
                               [](const wedjat_operand& o) { return o.kind == WEDJAT_IMMEDIATE; });
  }
  static unsigned bits_of(const wedjat_instruction& at) {
    return at.operand_count == 0 ? 0 : at.operands[0].bits;
  }

  // Whether its result is wider than what it reads.
  static bool widens(const wedjat_instruction& at) {
    return std::ranges::any_of(wedjat::operands(at),
                               [&](const wedjat_operand& o) { return o.in && o.bits < bits_of(at); });
  }

  // Copies, parts of registers put together or taken apart, addresses of one space as those of another, and
  // what lowering has folded away.
  static bool is_copy(const wedjat_instruction& at) {
    if (at.what & kActs)
      return (at.what & WEDJAT_LOAD) != 0 && at.access_count != 0 && at.accesses[0].space == WEDJAT_PARAM;
    if ((at.what & WEDJAT_HAS_ROWS) == 0 || (at.what & WEDJAT_SAME_OBJECT) != 0) return true;
    for (const wedjat_operand& o : wedjat::operands(at))
      if (o.in && o.registers != nullptr && o.count != 0 && o.registers[0] == WEDJAT_NO_REGISTER &&
          o.text[0] == '%')
        return false;  // a special register is read
    return at.operation == WEDJAT_COPY || at.operation == WEDJAT_PACKING;
  }

  void join(const wedjat_block& block) {
    std::unordered_map<std::uint32_t, Value> now;
    for (std::uint32_t i = block.first; i < block.first + block.count; ++i) {
      const wedjat_instruction& at = kernel_.instructions[i];
      if (dead_[i]) continue;
      each_read(at, [&](std::uint32_t r) {
        if (const auto found = now.find(r); found != now.end())
          ++found->second.uses, found->second.last_use = i;
      });
      each_write(at, [&](std::uint32_t r) {
        if (const auto found = now.find(r); found != now.end()) close(found->second, true);
        now[r] = {i};
      });
    }
    for (auto& [r, value] : now) close(value, writes_[r] == 1 && reads_[r] == value.uses);
  }

  // A value of one use may be computed by what uses it.
  void close(const Value& value, bool dies) {
    if (!dies || value.uses != 1 || free_[value.writer]) return;
    const wedjat_instruction& from = kernel_.instructions[value.writer];
    const wedjat_instruction& to = kernel_.instructions[value.last_use];
    if (from.guard != nullptr || joined_.contains(to.id) || joined_.contains(from.id)) return;
    if (joins(from, to)) free_[from.id] = 1, joined_.insert({to.id, from.id});
  }

  bool joins(const wedjat_instruction& from, const wedjat_instruction& to) {
    if (carries(from) || carries(to)) return false;
    const bool sum = to.operation == WEDJAT_SUM || to.operation == WEDJAT_DIFFERENCE;
    if (from.operation == WEDJAT_PRODUCT && sum && bits_of(from) == bits_of(to)) {
      if (is_float(from)) return (from.what & WEDJAT_CONTRACTED) && (to.what & WEDJAT_CONTRACTED);
      if (is_float(to) || (bits_of(to) == 64 && !widens(from))) return false;
      replaced_[to.id] = bits_of(to) == 64 ? "mul.wide.u32" : "mad.lo.u32";
      return true;
    }
    if (is_logic(from) && is_logic(to) && bits_of(from) == 32 && bits_of(to) == 32) return true;
    if (is_float(from) && (from.operation == WEDJAT_NEGATION || from.operation == WEDJAT_MAGNITUDE))
      return (to.operation == WEDJAT_PRODUCT || to.operation == WEDJAT_PRODUCT_SUM || sum) && is_float(to);
    if (from.operation == WEDJAT_SUM && !is_float(from) && has_literal(from) && bits_of(from) == 64)
      return (to.what & (WEDJAT_LOAD | WEDJAT_STORE | WEDJAT_ATOMIC)) != 0;
    if (from.operation == WEDJAT_SUM && !is_float(from) && to.operation == WEDJAT_SUM &&
        bits_of(from) == 32 && bits_of(to) == 32 && !is_float(to))
      return true;
    return false;
  }

  const wedjat_kernel& kernel_;
  std::vector<std::uint8_t> free_, dead_, unread_;
  std::vector<std::vector<std::uint64_t>> live_;  // by block: registers that it or what follows reads
  std::vector<std::string_view> replaced_;
  std::vector<std::uint32_t> reads_, writes_;
  std::unordered_map<std::uint32_t, std::uint32_t> joined_;
  std::uint32_t most_live_ = 0;
};

}  // namespace timing
