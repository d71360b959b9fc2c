// A kernel with probes: a copy in which steps of our own stand before and after those that tools asked about.
// They count for no share and no limit, so it takes the same course as the kernel it was made of.
#pragma once
#include <memory>
#include <span>
#include <vector>

#include "emulator/exec/warp/probe.h"
#include "emulator/hooks/inspection/inspection.h"
#include "emulator/hooks/session/session.h"
#include "emulator/hooks/session/threads.h"
#include "emulator/kernel/lowered/kernel.h"

namespace wedjat::hooks {

/// Adds to a counter; many instructions of a block may share one.
struct Count {
  std::uint32_t source;   ///< wedjat_source
  std::uint32_t counter;  ///< in CtaWatch::counts
  std::uint32_t buckets;
  std::uint32_t weight;
  std::uint32_t tool;
  // Of what is counted of an access:
  std::uint32_t index = 0;  ///< in wedjat_instruction.accesses
  std::uint32_t address = 0,
                size = 0;  ///< offsets of its rows: addresses; bytes, if wedjat_access.bytes is 0
};

struct Watch {
  std::uint32_t tool;  ///< index of the client
  wedjat_handler handler;
  void* user;
  std::uint32_t needs;
  wedjat_condition condition{};
  std::uint32_t every = 1;
  /// Events that met the condition, if some are left out: such launches run their CTAs one at a time.
  mutable std::uint64_t met = 0;
};

/// A function of a tool that runs before an instruction.
struct Inlined {
  std::uint32_t tool;
  wedjat_function function;
  std::string name;                            ///< in the bitcode; empty: in none
  std::shared_ptr<const std::string> bitcode;  ///< null: there is none
  std::uint32_t counter;                       ///< the function's first, in CtaWatch::counts
  std::vector<std::uint32_t> values;           ///< elements of its rows
};

/// How many rows an instruction has: one for each element of each operand.
inline std::uint32_t row_count(const wedjat_instruction& at) {
  if (at.operand_count == 0) return 0;
  const wedjat_operand& last = at.operands[at.operand_count - 1];
  return last.first + last.count;
}

/// Its step's row[0] is its index.
struct Probe {
  const wedjat_instruction* at = nullptr;
  const kernel::Step* step = nullptr;  ///< the instruction's own; null without rows
  std::uint16_t guard = 0;             ///< as Step::guard
  bool guard_negated = false;
  bool after = false;
  std::uint32_t row_count = 0;      ///< of the step
  std::uint32_t needs = 0;          ///< of all watches
  std::uint32_t address = 0;        ///< offset of the row of its first access, if it has one
  std::uint16_t address_row = 0;    ///< the number of that row among all
  bool keeps_rows = false;          ///< any of `saved`
  std::vector<std::uint8_t> saved;  ///< WEDJAT_INPUTS: bytes / 32 of each row that is kept; 0: it is not
  std::uint32_t saved_bytes = 0;    ///< all that is kept: guard, rows, memory
  std::vector<Count> counts;
  std::vector<Inlined> inlined;
  std::vector<Watch> watches;
  std::uint64_t may_sleep = 0;                 ///< tools all of whose watches here need WEDJAT_UNLESS_ASLEEP
  std::uint64_t watch_tools = 0;               ///< all that watch here
  std::uint32_t range = exec::Probe::no_cell;  ///< exec::Probe::within
  std::uint32_t expected_site = 0;             ///< where a watch needs WEDJAT_UNLESS_EXPECTED
  std::uint32_t function = 0;
  // Of an edge: how its block ends, and where to (a block of the function).
  const kernel::Terminator* end = nullptr;
  std::uint32_t successor = 0;
};

/// What a number that native code counts in means: `weight` of a counter of a tool for each 1. Several may be
/// of one cell.
struct CellMeaning {
  std::uint32_t cell;     ///< exec::Probes::cells
  std::uint32_t counter;  ///< in CtaWatch::counts
  std::uint64_t weight;
  std::uint32_t tool;
};

struct Instrumented {
  std::shared_ptr<kernel::Kernel> kernel;
  std::vector<Probe> probes;
  std::shared_ptr<const exec::Probes> native;  ///< the same, for native code
  std::vector<CellMeaning> cells;
  std::vector<std::vector<Watch>> replacements;  ///< by instruction; empty if there are none at all
  std::vector<std::uint32_t>
      first_counter;  ///< by tool, and the end: where its counters lie in CtaWatch::counts
  std::uint32_t counters = 0;
  std::uint32_t saved_bytes = 0;     ///< a warp needs
  std::uint32_t expected_sites = 0;  ///< by instruction: Probe::expected_site
  Threads threads = Threads::all;    ///< that its handlers let run it
  const wedjat_kernel* inspected = nullptr;
  std::vector<std::uint32_t> first_register;  ///< by function: in wedjat_kernel.registers
};

/// What one tool wants, and how many counters it has. A null plan: nothing.
struct ToolPlan {
  const Plan* plan = nullptr;
  std::uint32_t counters = 0;
  Threads threads = Threads::one;                        ///< Client::threads
  bool mutates = false;                                  ///< Client::mutates
  std::shared_ptr<const std::string> bitcode = nullptr;  ///< Client::bitcode
};

Instrumented instrument(const kernel::Kernel& kernel, const wedjat_kernel& inspected,
                        std::span<const ToolPlan> tools);

}  // namespace wedjat::hooks
