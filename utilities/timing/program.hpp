// A kernel as the model sees it: of each block what is issued, in which order, what waits for what.
#pragma once
#include <cstdint>
#include <deque>
#include <map>
#include <span>
#include <unordered_map>
#include <vector>
#include <wedjat/tool.hpp>

#include "costs.hpp"
#include "dataflow.hpp"
#include "loops.hpp"
#include "names.hpp"
#include "order.hpp"

namespace timing {

enum class Kind : std::uint8_t { compute, load, store, atomic, barrier, group_end, group_wait, clock };

struct Step {
  Kind kind = Kind::compute;
  std::uint8_t waits = 0;   // barrier: for the others; group_wait: how many groups may be left
  bool is_async = false;    // a copy that is waited for by its group
  std::uint32_t token = 0;  // memory: which of its block's
  std::uint32_t instruction = 0;
  Cost cost;
  std::uint32_t reads = 0, writes = 0, end = 0;  // in Program::registers: [reads, writes), [writes, end)
};

struct Turns {
  std::uint32_t first = 0, end = 0;  // in Program::steps
};

/// A block, and its turns that are carried out together where it is a loop that ptxas unrolls: four as long
/// as there are four, then two.
struct BlockSteps {
  Turns once, twice, four_times;
  std::uint32_t tokens = 0;  // of each turn, without that of the block
  bool is_unrolled = false;
};

inline bool reads_clock(const wedjat_instruction& at) {
  for (const wedjat_operand& o : wedjat::operands(at)) {
    const std::string_view text = o.text;
    if (o.in && (text == "%clock" || text == "%clock64" || text == "%clock_hi")) return true;
  }
  return false;
}

/// Whether memory tells something of it: a token for each time it runs.
inline bool has_token(const wedjat_instruction& at) {
  if (at.what & WEDJAT_HAS_PIECES) return true;
  for (const wedjat_access& access : wedjat::accesses(at))
    if (access.space != WEDJAT_PARAM && access.space != WEDJAT_CONST) return true;
  return false;
}

class Program {
 public:
  explicit Program(const wedjat_kernel& kernel) : names_(kernel.register_count) {
    const Dataflow flow(kernel);
    for (const wedjat_block& block : wedjat::blocks(kernel)) {
      const std::span<const wedjat_instruction> code{kernel.instructions + block.first, block.count};
      BlockSteps& to = blocks.emplace_back();
      to.once = add_turns(code, 1, flow);
      for (const wedjat_instruction& at : code) to.tokens += has_token(at);
      to.is_unrolled = !code.empty() && (code.front().what & WEDJAT_UNROLLED) != 0;
      if (to.is_unrolled) to.twice = add_turns(code, 2, flow), to.four_times = add_turns(code, 4, flow);
    }
    for (const wedjat_instruction& at : wedjat::instructions(kernel)) is_unread.push_back(flow.is_unread(at));
    register_count = names_.count();
    live_registers = flow.most_live();
  }

  [[nodiscard]] std::span<const std::uint32_t> reads(const Step& step) const {
    return {registers.data() + step.reads, step.writes - step.reads};
  }
  [[nodiscard]] std::span<const std::uint32_t> writes(const Step& step) const {
    return {registers.data() + step.writes, step.end - step.writes};
  }

  std::uint32_t register_count = 0, live_registers = 0, unmeasured = 0;
  std::vector<bool> is_unread;  // by instruction: it gives nothing that is read
  std::vector<Step> steps;
  std::vector<BlockSteps> blocks;
  std::vector<std::uint32_t> registers;

 private:
  // `copies` turns of a loop one after the other. Between them nobody asks whether it goes on, and what only
  // counts becomes part of addresses.
  Turns add_turns(std::span<const wedjat_instruction> code, std::uint32_t copies, const Dataflow& flow) {
    std::vector<Step> made;
    std::vector<Needs> needs;
    std::vector<const wedjat_instruction*> of;  // each step
    std::vector<Place> places;
    std::uint32_t token = 0;
    std::unordered_map<std::uint32_t, std::uint32_t> writes_left;
    const auto is_left_out = [&](const wedjat_instruction& at, std::uint32_t copy) {
      return flow.is_dead(at) || (copy + 1 < copies && only_goes_on(code, at));
    };
    for (std::uint32_t copy = 0; copy < copies; ++copy)
      for (const wedjat_instruction& at : code)
        if (!is_left_out(at, copy)) each_write(at, [&](std::uint32_t one) { ++writes_left[one]; });
    names_.begin(std::move(writes_left));
    for (std::uint32_t copy = 0; copy < copies; ++copy, ++token)  // a token of the next turn comes between
      for (const wedjat_instruction& at : code) {
        if (is_left_out(at, copy)) continue;
        Step step = step_of(at, flow);
        if (copies == 1 && !step.cost.measured) ++unmeasured;
        if (copy + 1 < copies && only_counts(at)) step.cost = {};
        if (has_token(at)) step.token = token++;
        step.reads = static_cast<std::uint32_t>(registers.size());
        each_read(at, [&](std::uint32_t one) { registers.push_back(names_.read(one)); });
        places.push_back(place_of(at));
        if (at.guard != nullptr)  // where it does not hold, what was there stays
          each_write(at, [&](std::uint32_t one) { registers.push_back(names_.read(one)); });
        step.writes = static_cast<std::uint32_t>(registers.size());
        each_write(at, [&](std::uint32_t one) { registers.push_back(names_.write(one)); });
        step.end = static_cast<std::uint32_t>(registers.size());
        made.push_back(step), of.push_back(&at);
      }
    for (std::size_t i = 0; i < made.size(); ++i)
      needs.push_back({reads(made[i]), writes(made[i]), expected_latency(made[i]), made[i].cost.issue,
                       fence_of(*of[i], made[i]), places[i]});
    const auto first = static_cast<std::uint32_t>(steps.size());
    for (const std::uint32_t index : order_of(needs)) steps.push_back(made[index]);
    return {first, static_cast<std::uint32_t>(steps.size())};
  }

  Names names_;

  Step step_of(const wedjat_instruction& at, const Dataflow& flow) {
    Step step;
    step.instruction = at.id;
    if (at.what & WEDJAT_BARRIER) {
      step.kind = Kind::barrier, step.waits = (at.what & WEDJAT_WAITS) != 0;
      step.cost.issue = kParts, step.cost.latency = h200::barrier;
      return step;
    }
    if (at.group != WEDJAT_NO_GROUP && (at.what & WEDJAT_COMMITS)) return step.kind = Kind::group_end, step;
    if (at.group != WEDJAT_NO_GROUP && (at.what & WEDJAT_WAITS)) {
      step.kind = Kind::group_wait, step.cost.issue = kParts;
      for (const wedjat_operand& o : wedjat::operands(at))
        if (o.kind == WEDJAT_IMMEDIATE) step.waits = static_cast<std::uint8_t>(std::atoi(o.text));
      return step;
    }
    if (has_token(at)) return memory_step(at, step);
    if (reads_clock(at)) {
      step.kind = Kind::clock, step.cost.issue = kParts, step.cost.latency = h200::usual_latency;
      return step;
    }
    if (flow.is_free(at)) return step;
    step.cost = flow.cost(at);
    return step;
  }

  static Step memory_step(const wedjat_instruction& at, Step step) {
    bool reads = false, atomic = false, writes = false;
    for (const wedjat_access& access : wedjat::accesses(at))
      reads = reads || access.reads, atomic = atomic || access.atomic, writes = writes || access.writes;
    if (at.what & WEDJAT_HAS_PIECES) reads = true;
    step.is_async = (at.what & WEDJAT_ASYNCHRONOUS) != 0;
    step.kind = atomic ? Kind::atomic : reads ? Kind::load : Kind::store;
    step.cost.issue = kParts;
    step.cost.latency = h200::shared;  // what ptxas knows; what memory takes is said by the token
    step.cost.busy[h200::memory_pipe] = h200::memory_cycles * kParts;
    for (const wedjat_access& access : wedjat::accesses(at))
      if (access.space == WEDJAT_GLOBAL || access.space == WEDJAT_GENERIC) step.cost.latency = h200::l1;
    if (at.what & WEDJAT_TEXELS) step.cost.latency = h200::texture;
    return step;
  }

  // By the name that its base has just there.
  [[nodiscard]] Place place_of(const wedjat_instruction& at) const {
    for (const wedjat_operand& o : wedjat::operands(at)) {
      if (o.kind != WEDJAT_ADDRESS) continue;
      const bool has_base = o.registers != nullptr && o.count != 0 && o.registers[0] != WEDJAT_NO_REGISTER;
      return {o.space, has_base ? names_.read(o.registers[0]) : WEDJAT_NO_REGISTER, o.text};
    }
    return {};
  }

  // What ptxas is supposed to think of: that loads of global memory miss the L1.
  static std::uint32_t expected_latency(const Step& step) {
    return step.kind == Kind::load && step.cost.latency >= h200::l1 ? h200::l2 : step.cost.latency;
  }

  static Fence fence_of(const wedjat_instruction& at, const Step& step) {
    constexpr std::uint32_t stops = WEDJAT_BRANCH | WEDJAT_CALL | WEDJAT_RETURN | WEDJAT_EXIT | WEDJAT_TRAP |
                                    WEDJAT_BARRIER | WEDJAT_FENCE;
    // What warps exchange by registers (shfl, vote) may pass others; bar.warp.sync has no result.
    const bool joins_lanes = (at.what & WEDJAT_WARP_SYNC) != 0 && step.writes == step.end;
    if (joins_lanes || (at.what & stops) != 0 || step.kind == Kind::clock || step.kind == Kind::group_end ||
        step.kind == Kind::group_wait)
      return Fence::all;
    if (step.kind == Kind::store || step.kind == Kind::atomic || step.is_async) return Fence::store;
    if (step.kind == Kind::load) return (at.what & WEDJAT_READ_ONLY) ? Fence::none : Fence::load;
    return Fence::none;
  }
};

}  // namespace timing
