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
    executor,  ///< a call of the form's executor on rows in memory
  };
  Kind kind = Kind::executor;
  const llvm::Function* lane = nullptr;
  std::vector<RowUse> rows;
  // Memory
  RowUse address{};
  std::vector<RowUse> data;
  kernel::Space space = kernel::Space::None;
};

StepPlan plan_of(const kernel::Step& step, const RowBytes& bytes, const Liveness& liveness,
                 LaneLibrary& lanes, const HostCalls& host);

}  // namespace wedjat::compile
