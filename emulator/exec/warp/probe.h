// Steps that only watch, as native code carries them out; the loop runs their executors. Such a step has no
// form, and its row[0] is the number of its probe: who made it (hooks/running) says here what it wants.
#pragma once
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "emulator/kernel/lowered/step.h"

struct wedjat_lanes;

namespace wedjat {
struct Expected;
}

namespace wedjat::exec {

inline bool is_probe(const kernel::Step& step) {
  return step.form == nullptr && (step.flags & kernel::step_flag::system) == 0;
}

/// Where an access may begin that need not be told: `places` from `low` on.
struct Within {
  std::uint64_t low = 0, places = 0;
};

/// Of one warp, while it runs.
struct Watched {
  std::uint64_t* cells = nullptr;       ///< what native code counts in: those of Probes
  std::uint64_t off = 0;                ///< tools that do not watch it, one bit each
  std::uint64_t asleep = 0;             ///< tools that it sleeps for
  const Within* within = nullptr;       ///< of its CTA, by Probe::within
  std::uint64_t number = 0;             ///< of the warp in the launch
  Expected* const* expected = nullptr;  ///< by tool: what each of its events is compared with
};

/// What is counted each time a path comes to a probe.
struct Tally {
  enum class What : std::uint8_t {
    path,    ///< 1
    lanes,   ///< those that are here
    active,  ///< those whose guard holds
    any,     ///< 1 if it holds in any
    parted,  ///< 1 if it holds in some only
    // Of an access of memory by the lanes whose guard holds:
    lines,    ///< distinct blocks of 128 bytes
    sectors,  ///< distinct blocks of 32 bytes
  };
  What what = What::path;
  std::uint32_t cell = 0;
  std::uint32_t buckets = 0;  ///< 0: the cell grows by it; else the cell of this number, or the last, by 1
};

/// An access of memory that a tally is of.
struct TalliedAccess {
  std::uint32_t address = 0;  ///< its row
  std::uint32_t bytes = 0;
  bool generic = false;  ///< what lies in the windows of shared and local memory is not counted
};

struct ProbeRow {
  std::uint32_t offset = 0;
  std::uint8_t bytes = 0;  ///< of an element; 0: a predicate
};

/// The call may be left out where none of these holds in any lane whose guard holds.
struct ProbeCondition {
  enum class Test : std::uint8_t { partial, address, value };
  Test test = Test::partial;
  ProbeRow row;             ///< address, value
  std::uint32_t bytes = 0;  ///< of an access
  std::uint64_t low = 0, high = 0;
};

/// A function of who watches, with values of rows: exec knows nothing of its types (wedjat_inlined).
struct InlinedFunction {
  std::string name;                            ///< in the bitcode
  std::shared_ptr<const std::string> bitcode;  ///< of LLVM; null: there is none
  void (*function)(std::uint64_t*, const wedjat_lanes*, std::uint32_t) = nullptr;
  std::uint32_t cell = 0;  ///< the first that it may change
  std::vector<ProbeRow> values = {};
};

struct Probe {
  static constexpr std::uint32_t no_cell = ~std::uint32_t{0};

  std::uint16_t guard = 0;  ///< as Step::guard
  bool guard_negated = false;
  /// In code of all lanes where no guard is looked at, one cell stands for `path` and `lanes`: once for all
  /// of them. `no_cell`: there is no such tally.
  std::uint32_t whole = no_cell;
  std::vector<Tally> tallies;
  std::vector<TalliedAccess> access;  ///< one at most
  std::vector<InlinedFunction> inlined;
  /// Does all that the probe is for, with `rows` in memory. Null: tallies are all. With tallies: where they
  /// cannot be found out in code.
  kernel::Executor call = nullptr;
  std::vector<ProbeRow> rows;
  bool tells = false;  ///< who is called may look at the warp, which has to be as in the loop then
  std::vector<ProbeCondition> only;  ///< empty: always
  /// Where each of these is off or asleep the call may be left out; 0: never.
  std::uint64_t tools = 0, sleepers = 0;
  /// Where each of `tools` is off or asleep and all lanes access a place that is within: the number of that
  /// in Watched::within.
  std::uint32_t within = no_cell;
  TalliedAccess within_access;
  /// An access at `address` that all lanes make, of which `tool` needs not be told where it is as expected
  /// (Expectation::take): then it is only counted.
  struct {
    std::uint32_t tool = no_cell;  ///< no_cell: it has to be told
    std::uint32_t site = 0, address = 0;
  } expected;
  bool skips_empty = false;  ///< or where the guard holds in no lane
  /// Not empty: why native code is left before it.
  std::string by_hand;
};

/// Of one kernel.
struct Probes {
  std::vector<Probe> all;
  std::uint32_t cells = 0;
  std::uint32_t ranges = 0;  ///< Watched::within
  std::string refused;       ///< not empty: why no native code is made of the kernel

  const Probe& of(const kernel::Step& step) const { return all[step.row[0]]; }
};

}  // namespace wedjat::exec
