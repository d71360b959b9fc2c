// Where the lane functions of executors stand. Defined in generated code.
#pragma once
#include <span>

#include "emulator/kernel/forms/form.h"

namespace wedjat::compile {

struct LaneName {
  kernel::Executor executor;  ///< Form::full
  const char* chapter;        ///< folder of its semantics file: the bitcode it stands in
  const char* symbol;
};

std::span<const LaneName> lane_names();

}  // namespace wedjat::compile
