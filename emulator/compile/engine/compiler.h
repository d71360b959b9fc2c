// One piece of native code after the other, from a request to something that can be called.
#pragma once
#include <memory>

#include "emulator/compile/analysis/request.h"
#include "emulator/compile/engine/engine.h"
#include "emulator/compile/lanes/lane_library.h"
#include "emulator/compile/tier/library.h"

namespace wedjat::compile {

class Compiler final : public RegionCompiler {
 public:
  Compiler(const std::string& features, std::span<const LaneName> names);

  exec::NativeCode compile(const Request& request, const Liveness& liveness) override;

 private:
  Engine engine_;
  LaneLibrary lanes_;
  std::uint64_t made_ = 0;
};

}  // namespace wedjat::compile
