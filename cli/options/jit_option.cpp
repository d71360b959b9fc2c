#include "cli/options/jit_option.h"

#include <fmt/format.h>

#include <cstdio>
#include <stdexcept>
#include <string_view>

#include "emulator/compile/cache/code_cache.h"
#include "emulator/device/error.h"

namespace wedjat::cli {
namespace {

void warn(std::string_view what) { std::fputs(fmt::format("wedjat: warning: {}\n", what).c_str(), stderr); }

}  // namespace

void add_jit_option(CLI::App& command, JitOption& option) {
  command
      .add_option_function<std::string>(
          "--jit",
          [&option](const std::string& name) {
            option.jit = name == "off" ? Jit::off : name == "all" ? Jit::all : Jit::hot;
          },
          "native code of kernels: off, auto (of what runs often, made in the background) or all (before "
          "it runs); results never depend on it")
      ->check(CLI::IsMember({"off", "auto", "all"}))
      ->default_str("auto");
  command
      .add_option(
          "--jit-features", option.features,
          "for --jit: processor features to do without, as in -avx512f,-avx2; results never depend on them")
      ->type_name("FEATURES");
  command
      .add_option("--jit-cache", option.cache,
                  "folder that keeps native code for the next time, or off (default: $WEDJAT_JIT_CACHE, else "
                  "wedjat/code in $XDG_CACHE_HOME or ~/.cache); results never depend on it")
      ->type_name("DIR|off");
}

void require_native_code(const std::string& option, const std::string& missing) {
  if (!missing.empty())
    throw device::Refused(fmt::format("{}: no native code can be made: {}", option, missing));
}

std::shared_ptr<compile::Tier> make_tier(const JitOption& option) {
  if (option.jit == Jit::off && !option.features.empty())
    throw std::invalid_argument("--jit-features: with --jit off no native code is made");
  if (option.jit == Jit::off) return nullptr;
  auto tier = std::make_shared<compile::Tier>(
      compile::TierOptions{.when = option.jit == Jit::all ? compile::When::always : compile::When::hot,
                           .features = option.features,
                           .tell = warn,
                           .cache = compile::code_cache_named(option.cache)});
  // Who asks for native code is told if there can be none; who does not gets the same results anyway.
  const bool asked = option.jit == Jit::all || !option.features.empty();
  if (asked) require_native_code(option.features.empty() ? "--jit all" : "--jit-features", tier->missing());
  return tier;
}

void choose(const JitOption& option, WedjatRunOptions& to) {
  to.jit = option.jit == Jit::off   ? WEDJAT_JIT_OFF
           : option.jit == Jit::all ? WEDJAT_JIT_ALL
                                    : WEDJAT_JIT_AUTO;
  to.jit_features = option.features.c_str();
  to.jit_cache = option.cache.c_str();
  to.warn = [](void*, const char* text, std::size_t bytes) { warn({text, bytes}); };
  make_tier(option);  // says in the command's words if there can be no native code
}

}  // namespace wedjat::cli
