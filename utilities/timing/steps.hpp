// What an instruction is to the model: computing, memory, a barrier; and what may not pass it.
#pragma once
#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <string_view>
#include <wedjat/tool.hpp>

#include "costs.hpp"
#include "order.hpp"

namespace timing {

enum class Kind : std::uint8_t {
  compute,
  load,
  store,
  atomic,
  constant,
  barrier,
  group_end,
  group_wait,
  clock
};

struct Step {
  Kind kind = Kind::compute;
  std::uint8_t waits = 0;   // barrier: for the others; group_wait: how many groups may be left
  bool is_literal = false;  // constant: its address is
  bool is_texture = false;
  bool is_async = false;          // a copy that is waited for by its group
  std::uint8_t lsu = 1;           // memory: cycles of the load and store unit, whatever the addresses
  std::uint8_t settles = 0;       // of those: cycles from its result to the end of its group
  std::uint8_t least_passes = 0;  // memory: where it is several loads of the text
  std::uint32_t token = 0;        // memory: which of its block's
  std::uint32_t instruction = 0;
  Cost cost;
  std::uint32_t reads = 0, reads_end = 0;    // in Program::uses
  std::uint32_t writes = 0, writes_end = 0;  // in Program::values
};

inline bool reads_special_register(const wedjat_instruction& at) {
  for (const wedjat_operand& o : wedjat::operands(at))
    if (o.in && o.registers != nullptr && o.count != 0 && o.registers[0] == WEDJAT_NO_REGISTER &&
        o.text[0] == '%')
      return true;
  return false;
}

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
    if (access.space != WEDJAT_PARAM) return true;
  return false;
}

inline bool reads_constants(const wedjat_instruction& at) {
  return at.access_count != 0 && at.accesses[0].space == WEDJAT_CONST;
}

/// Registers of 32 bits that an access takes: the address, and what is stored.
inline std::uint32_t words_of(const wedjat_instruction& at) {
  std::uint32_t words = 0;
  for (const wedjat_operand& o : wedjat::operands(at)) {
    if (o.out || o.registers == nullptr || o.count == 0 || o.registers[0] == WEDJAT_NO_REGISTER) continue;
    const bool is_long = o.kind == WEDJAT_ADDRESS && o.space != WEDJAT_SHARED;
    words += o.kind == WEDJAT_ADDRESS ? (is_long ? 2 : 1) : o.count * std::max(1u, o.bits / 32u);
  }
  return words;
}

/// Whether it only computes.
inline bool is_plain(const wedjat_instruction& at) {
  return !has_token(at) && (at.what & WEDJAT_BARRIER) == 0 && at.group == WEDJAT_NO_GROUP && !reads_clock(at);
}

/// What a literal names is an operand of another instruction, which waits for it only if no cache has it.
inline Step constant_step(const wedjat_instruction& at) {
  Step step;
  step.kind = Kind::constant;
  for (const wedjat_operand& o : wedjat::operands(at))
    if (o.kind == WEDJAT_ADDRESS)
      step.is_literal = o.registers == nullptr || o.count == 0 || o.registers[0] == WEDJAT_NO_REGISTER;
  if (step.is_literal) return step;
  step.cost.issue = kParts, step.cost.pipe = h200::memory_pipe, step.cost.latency = h200::constant;
  step.cost.busy[h200::memory_pipe] = h200::constant_interval * kParts;
  return step;
}

inline Step memory_step(const wedjat_instruction& at) {
  Step step;
  bool reads = false, atomic = false;
  for (const wedjat_access& access : wedjat::accesses(at))
    reads = reads || access.reads, atomic = atomic || access.atomic;
  if (at.what & WEDJAT_HAS_PIECES) reads = true;
  if (reads_constants(at)) return constant_step(at);
  step.is_async = (at.what & WEDJAT_ASYNCHRONOUS) != 0;
  step.kind = atomic ? Kind::atomic : reads ? Kind::load : Kind::store;
  step.cost.issue = kParts, step.cost.pipe = h200::memory_pipe;
  step.cost.latency = h200::shared;  // what ptxas knows; what memory takes is said by the token
  const std::uint32_t words = words_of(at), cycles = std::max(h200::memory_cycles, 2 * words);
  step.cost.busy[h200::memory_pipe] = static_cast<std::uint16_t>(cycles * kParts);
  if (step.kind == Kind::store)
    step.lsu = static_cast<std::uint8_t>(std::max(1u, words - std::min(words, 1u)));
  for (const wedjat_access& access : wedjat::accesses(at))
    if (access.space == WEDJAT_GLOBAL || access.space == WEDJAT_GENERIC) step.cost.latency = h200::l1;
  if (at.what & WEDJAT_TEXELS) {
    step.is_texture = true, step.cost.latency = h200::texture;
    step.cost.busy[h200::memory_pipe] = h200::texture_interval * kParts;
  }
  return step;
}

/// wgmma: the tensor units read the operands, and take a cycle for each number that a thread gets (a column
/// is two cycles of all four partitions); the next one may follow at once. A sparse first matrix takes longer
/// from shared memory than from registers.
inline Step product_step(const wedjat_instruction& at) {
  Step step;
  std::uint32_t numbers = 0;
  bool has_rows = false,
       is_sparse = false;  // the first matrix: in registers; with words that say what is there
  for (const wedjat_operand& o : wedjat::operands(at)) {
    if (o.out) numbers += std::uint32_t{o.count} * o.parts;
    has_rows = has_rows || (!o.out && o.count > 1);
    is_sparse = is_sparse || (!o.out && o.count == 1 && o.bits == 32 && o.kind == WEDJAT_REGISTER);
  }
  if (is_sparse)
    numbers = numbers * (has_rows ? h200::sparse_register_hundredths : h200::sparse_hundredths) / 100;
  step.is_async = true, step.settles = h200::product_wait;
  step.cost.issue = kParts, step.cost.pipe = h200::tensor_pipe;
  step.cost.latency = std::max(numbers, h200::shortest_product);
  step.cost.busy[h200::tensor_pipe] = static_cast<std::uint16_t>(step.cost.latency * kParts);
  return step;
}

/// Of an instruction that does not only compute.
inline Step step_of(const wedjat_instruction& at) {
  Step step;
  if (at.what & WEDJAT_BARRIER) {
    step.kind = Kind::barrier, step.waits = (at.what & WEDJAT_WAITS) != 0;
    step.cost.issue = kParts, step.cost.latency = h200::barrier;
  } else if (at.group != WEDJAT_NO_GROUP && (at.what & WEDJAT_COMMITS)) {
    step.kind = Kind::group_end;
  } else if (at.group != WEDJAT_NO_GROUP && (at.what & WEDJAT_WAITS)) {
    step.kind = Kind::group_wait, step.cost.issue = kParts;
    for (const wedjat_operand& o : wedjat::operands(at))
      if (o.kind == WEDJAT_IMMEDIATE) step.waits = static_cast<std::uint8_t>(std::atoi(o.text));
  } else if (at.group == WEDJAT_PRODUCTS && has_token(at)) {
    step = product_step(at);
  } else if (has_token(at)) {
    step = memory_step(at);
  } else if (reads_clock(at)) {
    step.kind = Kind::clock, step.cost.issue = kParts, step.cost.latency = h200::usual_latency;
  }
  step.instruction = at.id;
  return step;
}

inline Fence fence_of(const wedjat_instruction& at, const Step& step) {
  constexpr std::uint32_t stops =
      WEDJAT_BRANCH | WEDJAT_CALL | WEDJAT_RETURN | WEDJAT_EXIT | WEDJAT_TRAP | WEDJAT_BARRIER | WEDJAT_FENCE;
  // What warps exchange by registers (shfl, vote) may pass others; bar.warp.sync has no result.
  const bool joins_lanes = (at.what & WEDJAT_WARP_SYNC) != 0 && step.writes == step.writes_end;
  if (joins_lanes || (at.what & stops) != 0 || step.kind == Kind::clock || step.kind == Kind::group_end ||
      step.kind == Kind::group_wait)
    return Fence::all;
  if (step.kind == Kind::store || step.kind == Kind::atomic || step.is_async) return Fence::store;
  if (step.kind == Kind::load) return (at.what & WEDJAT_READ_ONLY) ? Fence::none : Fence::load;
  return Fence::none;
}

}  // namespace timing
