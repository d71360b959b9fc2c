#include "emulator/compile/engine/compiler.h"

#include <fmt/format.h>

#include "emulator/compile/emit/region_emitter.h"
#include "emulator/compile/engine/keeping_call.h"

namespace wedjat::compile {

Compiler::Compiler(const std::string& features, std::span<const LaneName> names)
    : engine_(features), lanes_(*engine_.context().getContext(), names, engine_.has("avx512f")) {}

exec::NativeCode Compiler::compile(const Request& request, const Liveness& liveness) {
  const Region region = region_from(request.code(), request.block, request.step, request.bounds);
  if (region.nodes.front().first == region.nodes.front().last && !region.nodes.front().ends(request.code()))
    return nullptr;  // nothing but what the loop does
  const std::string name = fmt::format("region_{}", made_++);
  std::unique_ptr<llvm::Module> module = engine_.module(name);
  const Target target{.keeping_call = keeping_call(engine_), .avx512 = engine_.has("avx512f")};
  RegionEmitter emitter(request, region, liveness, lanes_, target, *module);
  if (request.sweep && !emitter.can_sweep()) return nullptr;
  emitter.emit(name);
  return engine_.compile(std::move(module), name);
}

extern "C" [[gnu::visibility("default")]] RegionCompiler* WEDJAT_MAKE_COMPILER(
    const std::string& features, std::span<const LaneName> names, std::string& why) {
  try {
    return new Compiler(features, names);
  } catch (const std::exception& error) {
    why = error.what();
    return nullptr;
  }
}

}  // namespace wedjat::compile
