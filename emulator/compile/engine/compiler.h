// One piece of native code after the other, from a request to an image.
#pragma once
#include <optional>

#include "emulator/compile/analysis/request.h"
#include "emulator/compile/engine/engine.h"
#include "emulator/compile/lanes/lane_library.h"
#include "emulator/compile/lanes/tool_functions.h"
#include "emulator/compile/tier/library.h"

namespace wedjat::compile {

class Compiler final : public RegionCompiler {
 public:
  Compiler(const std::string& features, std::span<const LaneName> names);

  std::optional<Image> compile(const Request& request, const Liveness& liveness) override;

 private:
  Engine engine_;
  LaneLibrary lanes_;
  ToolFunctions functions_;
  std::uint64_t made_ = 0;
};

}  // namespace wedjat::compile
