#include "cli/library/running.h"

#include <fmt/format.h>

#include <atomic>
#include <csignal>
#include <cstdlib>
#include <map>
#include <mutex>
#include <nlohmann/json.hpp>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "cli/library/errors.h"
#include "emulator/compile/cache/code_cache.h"
#include "emulator/compile/tier/tier.h"
#include "emulator/device/error.h"
#include "emulator/fidelity/fidelity_tool.h"
#include "emulator/hooks/wanted.h"

namespace wedjat::library {
namespace {

// A signal handler reads and writes them.
std::atomic<int> runs{0};
std::atomic<bool> to_end{false};
static_assert(std::atomic<int>::is_always_lock_free && std::atomic<bool>::is_always_lock_free);

struct Tiers {
  std::mutex mutex;
  std::map<std::tuple<bool, std::string, std::string>, std::weak_ptr<compile::Tier>> shared;
  std::vector<std::weak_ptr<compile::Tier>> own;  // of those who want to be warned
};

// Never destroyed: a device that nobody freed has its tier still when the process ends.
Tiers& tiers() {
  static Tiers& known = *new Tiers;
  return known;
}

// No code is in the making when what it is made with goes.
void stop_tiers() {
  const std::lock_guard lock(tiers().mutex);
  for (const auto& [options, tier] : tiers().shared)
    if (const auto living = tier.lock()) living->stop();
  for (const auto& tier : tiers().own)
    if (const auto living = tier.lock()) living->stop();
}

// One for all who want the same: its thread and its code.
std::shared_ptr<compile::Tier> tier(const WedjatRunOptions& wanted) {
  const std::uint32_t jit = wanted.jit;
  if (jit == WEDJAT_JIT_OFF) return nullptr;
  if (jit != WEDJAT_JIT_AUTO && jit != WEDJAT_JIT_ALL)
    throw WrongArgument(fmt::format("options->jit is {}, none of WEDJAT_JIT_*", jit));
  compile::TierOptions options{
      .when = jit == WEDJAT_JIT_ALL ? compile::When::always : compile::When::hot,
      .features = wanted.jit_features == nullptr ? "" : wanted.jit_features,
      .cache = compile::code_cache_named(wanted.jit_cache == nullptr ? "" : wanted.jit_cache)};
  std::shared_ptr<compile::Tier> tier;
  const std::lock_guard lock(tiers().mutex);
  if (wanted.warn != nullptr) {
    options.tell = [warn = wanted.warn, user = wanted.warn_user](const std::string& text) {
      warn(user, text.data(), text.size());
    };
    tier = std::make_shared<compile::Tier>(options);
    std::erase_if(tiers().own, [](const auto& known) { return known.expired(); });
    tiers().own.push_back(tier);
  } else {
    std::weak_ptr<compile::Tier>& known =
        tiers().shared[{jit == WEDJAT_JIT_ALL, options.features, options.cache.string()}];
    tier = known.lock();
    if (tier == nullptr) known = tier = std::make_shared<compile::Tier>(options);
  }
  // Who asks for native code is told if there can be none; who does not gets the same results anyway.
  const bool asked = jit == WEDJAT_JIT_ALL || !options.features.empty();
  if (const std::string missing = asked ? tier->missing() : ""; !missing.empty())
    throw device::Refused(fmt::format("{}: no native code can be made: {}",
                                      options.features.empty() ? "jit all" : "jit_features", missing));
  return tier;
}

std::uint64_t stack_limit(std::uint64_t wanted) {
  constexpr std::uint64_t least = 1024, most = std::uint64_t{64} << 20;
  if (wanted < least || wanted > most)
    throw WrongArgument(
        fmt::format("options->stack_limit is {}, from {} to {} bytes can be had", wanted, least, most));
  return wanted;
}

std::unique_ptr<hooks::Hooks> tools(const WedjatRunOptions& options) {
  hooks::Wanted wanted;
  wanted.check = options.check != 0;
  if (options.tool_count != 0) need(options.tools, "options->tools");
  for (std::size_t i = 0; i < options.tool_count; ++i) {
    need(options.tools[i], "a name in options->tools");
    wanted.tools.emplace_back(options.tools[i]);
  }
  if (options.suppressions != nullptr) wanted.suppressions = options.suppressions;
  if (!wanted.suppressions.empty() && wanted.tools.empty() && !wanted.check)
    throw WrongArgument("options->suppressions: there are no findings without tools");
  if (wanted.tools.empty() && !wanted.check && options.fidelity == 0) return nullptr;
  auto hooks = std::make_unique<hooks::Hooks>();
  if (options.tool_print != nullptr)
    hooks->print_to([print = options.tool_print, user = options.tool_print_user](
                        bool, std::string_view text) { print(user, text.data(), text.size()); });
  if (options.fidelity != 0) hooks->add(fidelity::fidelity_tool());
  hooks::add_wanted(*hooks, wanted);
  return hooks;
}

}  // namespace

RunParts run_parts(const WedjatRunOptions* given) {
  const auto options = taken(given, "options");
  RunParts parts;
  constexpr unsigned most_threads = 4096;
  if (options.threads > most_threads)
    throw WrongArgument(
        fmt::format("options->threads is {}, at most {} can be had", options.threads, most_threads));
  parts.threads = options.threads;
  if (options.contract > WEDJAT_CONTRACT_NONE)
    throw WrongArgument(fmt::format("options->contract is {}, none of WEDJAT_CONTRACT_*", options.contract));
  if (options.contract == WEDJAT_CONTRACT_NONE) parts.contract = kernel::Contract::none;
  parts.limits.step_limit = options.step_limit;
  parts.limits.launch_step_limit = options.launch_step_limit;
  if (options.stack_limit != 0) parts.limits.stack_limit = stack_limit(options.stack_limit);
  parts.native = tier(options);
  if (options.print != nullptr)
    parts.print = [print = options.print, user = options.print_user](std::string_view text) {
      print(user, text.data(), text.size());
    };
  parts.hooks = tools(options);
  return parts;
}

void report_tools(hooks::Hooks* hooks, nlohmann::json& to) {
  to["tools"] = nlohmann::json::array();
  to["unused_suppressions"] = nlohmann::json::array();
  if (hooks == nullptr) return;
  for (const hooks::Report& report : hooks->finish()) to["tools"].push_back(hooks::to_json(report));
  to["unused_suppressions"] = hooks->unused_suppressions();
}

// What was asked for before belongs to what is over.
Interruptible::Interruptible() {
  if (runs++ == 0 && to_end.exchange(false)) device::interrupt(0);
}

// What a launch needs was made by then, and goes after what is registered now.
Interruptible::~Interruptible() {
  static const int registered = std::atexit(stop_tiers);
  (void)registered;
  if (--runs == 0 && to_end.exchange(false)) device::interrupt(0);
}

}  // namespace wedjat::library

extern "C" void wedjat_interrupt(void) {
  using namespace wedjat::library;
  if (runs == 0) return;
  to_end = true;
  wedjat::device::interrupt(SIGINT);
}
