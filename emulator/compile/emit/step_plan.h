// How each step of a region becomes code.
#pragma once
#include <llvm/IR/Function.h>

#include <vector>

#include "emulator/compile/analysis/request.h"
#include "emulator/compile/analysis/row_bytes.h"
#include "emulator/compile/analysis/step_rows.h"
#include "emulator/compile/lanes/lane_library.h"

namespace wedjat::compile {

struct StepPlan {
  enum class Kind : std::uint8_t {
    compute,   ///< the lane function, widened
    load,      ///< of memory, as it is
    store,     ///< to memory, as it is
    update,    ///< of a word of memory: the lane function, lane after lane
    fetch,     ///< of texels of a line: access/fetch.cpp
    sample,    ///< of texels of a plane: access/sample.cpp
    executor,  ///< a call of the form's executor on rows in memory
    probe,     ///< it only watches: probes/probe.cpp
  };
  Kind kind = Kind::executor;
  const llvm::Function* lane = nullptr;
  const ChosenNans* nans = nullptr;  ///< arithmetic/seldom_nans.cpp; null: whatever is chosen, `lane` does
  std::vector<RowUse> rows;
  // Memory
  RowUse address{};          ///< of a fetch: the place in the line; of a sample: the column
  RowUse line{};             ///< the texture's handle
  RowUse down{};             ///< of a sample: the row
  std::vector<RowUse> data;  ///< what goes there, or comes from there
  unsigned bytes = 0;        ///< of each lane
  kernel::Space space = kernel::Space::None;

  bool accesses() const { return kind == Kind::load || kind == Kind::store || kind == Kind::update; }
  /// Each lane has a memory of its own there: one address is many places.
  bool is_local() const { return accesses() && space == kernel::Space::Local; }
  /// Of an update: the word, as an element of its lane function.
  unsigned word() const { return static_cast<unsigned>(lane->arg_size()) - 2; }
};

StepPlan plan_of(const kernel::Step& step, const RowBytes& bytes, const Liveness& liveness,
                 LaneLibrary& lanes, const HostCalls& host);

}  // namespace wedjat::compile
