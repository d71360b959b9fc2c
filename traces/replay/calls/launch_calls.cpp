// Kernel launches.
#include <fmt/format.h>

#include <algorithm>

#include "cuda_abi.h"
#include "emulator/hooks/hooks.h"
#include "interposer/meaning/launches.h"
#include "traces/format/names.h"
#include "traces/replay/calls/handlers.h"

namespace wedjat::traces {

std::string Replayer::no_ptx(std::uint64_t function) const {
  const auto kernel = kernels_.find(function);
  if (kernel == kernels_.end()) return {};
  const auto alias = aliases_.find(kernel->second.parent);
  const auto bare = no_ptx_.find(alias == aliases_.end() ? kernel->second.parent : alias->second);
  if (bare == no_ptx_.end()) return {};
  return fmt::format("kernel {} has no PTX that a device of compute capability 9.0 runs; its module holds {}",
                     kernel->second.name, bare->second);
}

// Of a call that launches; before format 4, and of graph nodes, they have a payload of their own.
Bytes Replayer::parameters_of(const Call& call) const {
  if (const Event* payload = call.payload("params")) return trace_.contents(*payload);
  const bool has_own = call.entry->find(std::string("kernelParams") + kInSuffix) != nullptr;
  return has_own ? input(call, "kernelParams") : Bytes{};
}

bool Replayer::launch(const Call& call, std::uint64_t function, const device::LaunchConfig& config,
                      std::uint64_t context) {
  const auto kernel = kernels_.find(function);
  if (kernel == kernels_.end())
    refuse(call, fmt::format("nothing was recorded of the function {:#x}", function));
  if (const std::string cause = no_ptx(function); !cause.empty()) {
    if (step_over(call, kernel->second.name)) return false;
    refuse(call, cause +
                     "; wedjat record --keep-ptx keeps the PTX of what programs compile themselves, with "
                     "NVRTC, nvJitLink or Triton, and --verify what any such kernel did");
  }
  if (context == 0 || !contexts_.several()) context = contexts_.of(call);
  device::Module* const module = module_in(kernel->second.parent, context);
  if (module == nullptr)
    refuse(call, fmt::format("the module of kernel {} was not recorded", kernel->second.name));

  const device::Function entry = device_->function(module, kernel->second.name);
  const Bytes params =
      as_declared(parameters_of(call), kernel->second.parameters, device_->parameters(entry));
  host_memory_.given(params);
  if (options_.launching)
    options_.launching({call.sequence(), kernel->second.name, *device_, module,
                        sources_of(kernel->second.parent), config, params});
  if (options_.hooks != nullptr) {
    const auto time = std::ranges::find(call.attached, "launch_time", &Event::name);
    options_.hooks->recorded(time == call.attached.end() ? 0 : (*time)->number("nanoseconds"),
                             kernel->second.registers);
  }
  const auto statistics = device_->launch(entry, config, params);
  steps_ += statistics.steps;
  if (options_.launched) options_.launched(*device_);
  report_.launched.push_back({call.sequence(), kernel->second.name, statistics.seconds,
                              statistics.thread_instructions, statistics.warp_instructions, statistics.steps,
                              statistics.native_steps});
  if (options_.ran) options_.ran(report_.launched.back());
  if (std::ranges::find(kernels_since_check_, kernel->second.name) == kernels_since_check_.end())
    kernels_since_check_.push_back(kernel->second.name);
  return true;
}

bool Replayer::step_over(const Call& call, const std::string& kernel) {
  if (!trace_.manifest.verify) return false;
  for (const Event* event : call.attached) {
    const bool on_device = event->name == "device_delta";
    if (!on_device && event->name != "host_delta") continue;
    if (!on_device && event->number("phase") != static_cast<std::uint64_t>(Phase::exit)) continue;
    const auto at = resolve(event->number("address"));
    if (!at || !device_->holds(*at, event->number("size"))) {
      accounts_.because(*event, "it lies in no memory of the replay");
      continue;
    }
    write_recorded(*event, *at);
    accounts_.used(*event);
  }
  report_.stepped_over.push_back(fmt::format("{} (seq {}): {}", call.symbol, call.sequence(), kernel));
  return true;
}

void Replayer::check_effects(const Call& call) {
  for (const Event* event : call.attached) {
    if (event->name != "device_delta") continue;
    const std::uint64_t address = event->number("address");
    const auto at = resolve(address);
    if (!at || !device_->holds(*at, event->number("size")))
      refuse(call, fmt::format("it changed {:#x}, which is no memory of the replay", address));
    check_recorded(call, fmt::format("memory after {}", call.symbol), address, *at, *event);
  }
}

namespace handle {
namespace {

std::uint32_t number(const Call& call, const char* field) {
  return static_cast<std::uint32_t>(call.entry->number(field));
}

bool is_extended(const Call& call) { return call.base == "cuLaunchKernelEx"; }

}  // namespace

std::vector<CUlaunchAttribute> launch_attributes(Replayer& replayer, const Call& call) {
  std::vector<CUlaunchAttribute> attributes;
  if (call.base == "cuLaunchCooperativeKernel")
    attributes.push_back({.id = CU_LAUNCH_ATTRIBUTE_COOPERATIVE, .value = {.cooperative = 1}});
  if (!is_extended(call)) return attributes;
  const auto wanted = replayer.structure<CUlaunchConfig>(call, "config");
  const Event* list = call.payload("config.attrs");
  if (!list && wanted.numAttrs) replayer.refuse(call, "its launch attributes were not recorded");
  const Bytes recorded = list ? replayer.trace().contents(*list) : Bytes{};
  for (unsigned i = 0; i < wanted.numAttrs; ++i)
    attributes.push_back(replayer.structure<CUlaunchAttribute>(call, recorded, i));
  return attributes;
}

device::LaunchConfig launch_config(Replayer& replayer, const Call& call) {
  const CUlaunchConfig wanted = is_extended(call)
                                    ? replayer.structure<CUlaunchConfig>(call, "config")
                                    : CUlaunchConfig{.gridDimX = number(call, "gridDimX"),
                                                     .gridDimY = number(call, "gridDimY"),
                                                     .gridDimZ = number(call, "gridDimZ"),
                                                     .blockDimX = number(call, "blockDimX"),
                                                     .blockDimY = number(call, "blockDimY"),
                                                     .blockDimZ = number(call, "blockDimZ"),
                                                     .sharedMemBytes = number(call, "sharedMemBytes")};
  return interposer::launch_config(wanted, launch_attributes(replayer, call));
}

void launch(Replayer& replayer, const Call& call) {
  if (replayer.launch(call, call.entry->number("f"), launch_config(replayer, call)))
    replayer.check_effects(call);
}

}  // namespace handle
}  // namespace wedjat::traces
