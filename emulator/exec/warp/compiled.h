// How a warp meets native code: what the loop gives it and gets back, and where it looks for it. Who makes
// the code is emulator/compile's business.
#pragma once
#include <array>
#include <atomic>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "emulator/exec/cta/course.h"
#include "emulator/exec/warp/sweep.h"
#include "emulator/kernel/lowered/kernel.h"

namespace wedjat::exec {

/// Which paths native code is made for.
enum class PathKind : std::uint8_t {
  whole,  ///< of NativeKernel::whole
  rest,   ///< of NativeKernel::rest, all that the last warp has
  one,    ///< of one lane that is not whole: the code computes numbers, not vectors
  some,   ///< of any other lanes
};

/// A place where a path may enter native code: the start of a block, or what follows a step that the loop
/// does.
struct Entry {
  std::array<std::atomic<NativeCode>, 4> code{};  ///< by PathKind
  std::atomic<std::uint32_t> visits{0};           ///< without code; of all kinds
  std::atomic<std::uint32_t> refusals{0};

  std::atomic<NativeCode>& of(PathKind paths) { return code[static_cast<std::size_t>(paths)]; }
};

/// The native code of one kernel for launches of one shape.
class NativeKernel {
 public:
  /// visited() is called for each `asked_each`th visit, a power of two.
  NativeKernel(const kernel::Kernel& kernel, std::uint32_t asked_each, std::uint32_t whole,
               std::uint32_t rest)
      : whole(whole), rest(rest), unasked(asked_each - 1) {
    for (const kernel::Function& function : kernel.functions) {
      Entries entries;
      entries.at_block = std::make_unique<Entry[]>(function.blocks.size());
      entries.at_step = std::make_unique<Entry[]>(function.steps.size() + 1);
      for (const kernel::Block& block : function.blocks) entries.first.push_back(block.first);
      functions_.push_back(std::move(entries));
    }
  }
  virtual ~NativeKernel() = default;

  Entry& entry(std::uint32_t function, std::uint32_t block, std::uint32_t step) {
    Entries& all = functions_[function];
    return step == 0 ? all.at_block[block] : all.at_step[all.first[block] + step];
  }

  struct Place {
    std::uint32_t function, block, step;
  };
  /// `all`: lanes that the warp has.
  PathKind paths_of(std::uint32_t mask, std::uint32_t all) const {
    if (mask == all) return all == whole ? PathKind::whole : PathKind::rest;
    return std::has_single_bit(mask) ? PathKind::one : PathKind::some;
  }
  const std::uint32_t whole;    ///< lanes of a path that are all there are: lanes_of_warp()
  const std::uint32_t rest;     ///< the same of the last warp: lanes_of_rest()
  const std::uint32_t unasked;  ///< bits of the number of visits that are 0 for those

  /// There is code of some place.
  std::atomic<bool> has_any{false};
  /// Null: there is none.
  std::atomic<SweepCode> sweep{nullptr};
  Course course;

  /// What stands at an entry. What its rows hold now tells what they will likely hold.
  struct Visitor {
    const std::byte* rows;
    std::uint32_t mask;
    std::uint32_t rival;  ///< Passage
    PathKind paths;
  };
  /// There was no code for the visitor, for the `visits`th time. Gives code if there is some by now, else
  /// null.
  virtual NativeCode visited(Place place, Entry& entry, std::uint32_t visits, const Visitor& visitor) = 0;
  /// The code at an entry did not fit the visitor.
  virtual void refused(Place place, Entry& entry, const Visitor& visitor) = 0;

 private:
  struct Entries {
    std::unique_ptr<Entry[]> at_block, at_step;
    std::vector<std::uint32_t> first;  ///< by block: index of its first step
  };
  std::vector<Entries> functions_;
};

}  // namespace wedjat::exec
