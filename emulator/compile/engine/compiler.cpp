#include "emulator/compile/engine/compiler.h"

#include <fmt/format.h>

#include "emulator/compile/emit/region_emitter.h"

namespace wedjat::compile {

Compiler::Compiler(const std::string& features, std::span<const LaneName> names)
    : engine_(features),
      lanes_(engine_.context(), names, {.directed = engine_.has("avx512f"), .halves = engine_.has("f16c")}),
      functions_(engine_.context()) {}

std::optional<Image> Compiler::compile(const Request& request, const Liveness& liveness) {
  const Region region = region_from(request.code(), request.block, request.step, request.bounds);
  if (region.nodes.front().first == region.nodes.front().last && !region.nodes.front().ends(request.code()))
    return std::nullopt;  // nothing but what the loop does
  const std::string name = fmt::format("region_{}", made_++);
  std::unique_ptr<llvm::Module> module = engine_.module(name);
  const bool avx512 = engine_.has("avx512f");
  const Target target{.keeping_call = avx512               ? Link::Kind::keep_zmm
                                      : engine_.has("avx") ? Link::Kind::keep_ymm
                                                           : Link::Kind::keep_xmm,
                      .avx512 = avx512,
                      .functions = &functions_};
  RegionEmitter emitter(request, region, liveness, lanes_, target, *module);
  if (request.sweep && !emitter.can_sweep()) return std::nullopt;
  emitter.emit(name);
  Image image = engine_.compile(std::move(module), name);
  image.offers = emitter.offers();
  image.want = emitter.want();
  return image;
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
