#include "interposer/live/state/driver.h"

#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cstdio>
#include <exception>

#include "device_limits.h"
#include "emulator/compile/cache/code_cache.h"
#include "emulator/compile/tier/tier.h"
#include "interposer/live/state/ending.h"
#include "interposer/shim/driver/of_this_thread.h"

namespace wedjat::live {

Driver& driver() {
  static Driver& state = *[] {
    try {
      return new Driver;
    } catch (const std::exception& error) {
      std::fprintf(stderr, "wedjat: %s\n", error.what());
      ::_exit(2);
    }
  }();
  return state;
}

void GraphMemory::take(CUdeviceptr address, cuuint64_t bytes) {
  if (live.insert(address).second) room.take(address, bytes);
}

void GraphMemory::give(CUdeviceptr address) {
  if (live.erase(address) != 0) room.drop(address);
}

std::vector<CUcontext>& context_stack() {
  struct Current;
  return interposer::of_this_thread<std::vector<CUcontext>, Current>();
}

CUcontext current_context() {
  const std::vector<CUcontext>& stack = context_stack();
  return stack.empty() ? nullptr : stack.back();
}

CUctx_st& context() {
  const CUcontext current = current_context();
  if (current == nullptr) fail(CUDA_ERROR_INVALID_CONTEXT);
  return context_at(current, CUDA_ERROR_CONTEXT_IS_DESTROYED);
}

CUgreenCtx_st* green_of(CUcontext handle) {
  return driver().green_contexts.find(reinterpret_cast<CUgreenCtx>(handle));
}

const std::pair<const std::uint64_t, Mapping>* mapped_at(CUdeviceptr address) {
  const auto& mappings = driver().mappings;
  const auto above = mappings.upper_bound(address);
  if (above == mappings.begin()) return nullptr;
  const auto& found = *std::prev(above);
  return address - found.first < found.second.size ? &found : nullptr;
}

CUctx_st& context_at(CUcontext handle, CUresult otherwise) {
  const CUgreenCtx_st* const green = green_of(handle);
  return driver().contexts.at(green ? green->primary : handle, otherwise);
}

CUctx_st& named_context(CUcontext handle) {
  require(handle != nullptr, CUDA_ERROR_INVALID_CONTEXT);
  return context_at(handle, CUDA_ERROR_CONTEXT_IS_DESTROYED);
}

unsigned multiprocessors() {
  const CUgreenCtx_st* const green = green_of(current_context());
  return green ? green->units.sm.smCount : limits::multiprocessors;
}

CUctx_st& retain_primary() {
  Driver& state = driver();
  if (state.primary == nullptr) state.primary = &make_context(state.primary_flags);
  ++state.primary_uses;
  return *state.primary;
}

void release_primary() {
  Driver& state = driver();
  if (--state.primary_uses != 0) return;
  destroy_context(*state.primary);
  state.primary = nullptr;
}

namespace {

// One for the process, which ends without it: code may be in the making then. Null before there is a context.
std::atomic<const std::shared_ptr<compile::Tier>*> native = nullptr;

std::shared_ptr<compile::Tier> native_tier(const std::string& jit) {
  if (jit == "off") return nullptr;
  static const auto* const tier = new std::shared_ptr<compile::Tier>(std::make_shared<compile::Tier>(
      compile::TierOptions{.when = jit == "all" ? compile::When::always : compile::When::hot,
                           .tell =
                               [](const std::string& what) {
                                 std::fputs(("wedjat: warning: " + what + "\n").c_str(), stderr);
                               },
                           .cache = compile::usual_code_cache()}));
  native = tier;
  return *tier;
}

}  // namespace

void keep_native_code() {
  if (const auto* const tier = native.load()) (*tier)->keep();
}

std::vector<compile::KernelReport> native_code() {
  const auto* const tier = native.load();
  return tier == nullptr ? std::vector<compile::KernelReport>() : (*tier)->reports();
}

CUctx_st& make_context(unsigned flags) {
  Driver& state = driver();
  unharmed();
  device::DeviceOptions options;
  options.threads = state.options.threads;
  options.hooks = tools();
  options.surroundings = state.options.lenient;
  options.native = native_tier(state.options.jit);
  // The object lies nowhere before it is made, and prints only once it is.
  auto where = std::make_shared<CUctx_st*>();
  options.print = [where](std::string_view text) {
    (*where)->printed += text;
    (*where)->has_printed = true;
  };
  CUctx_st& made =
      *state.contexts.add(std::make_unique<CUctx_st>(std::move(options), flags, state.next_context++));
  *where = &made;
  for (const auto& [limit, value] : profile().limits) made.limits[limit] = value;
  state.memory.share_with(made);
  for (const auto& [address, mapping] : state.mappings) show_mapping(made, address, mapping);
  return made;
}

void show_mapping(CUctx_st& context, CUdeviceptr address, const Mapping& mapping) {
  if (mapping.access == CU_MEM_ACCESS_FLAGS_PROT_NONE) return;
  context.device.adopt_at(address, mapping.host, mapping.size, "cuMemMap");
  context.device.set_read_only(address, mapping.access == CU_MEM_ACCESS_FLAGS_PROT_READ);
}

void destroy_context(CUctx_st& gone) {
  Driver& state = driver();
  show_printed(gone);
  state.memory.free_all_of(gone);
  state.streams.drop_if([&](const CUstream_st& stream) { return stream.context == &gone; });
  state.events.drop_if([&](const CUevent_st& event) { return event.context == &gone; });
  state.functions.drop_if([&](const CUfunc_st& function) { return function.module->context == &gone; });
  state.modules.drop_if([&](const CUmod_st& module) { return module.context == &gone; });
  state.arrays.drop_if([&](const CUarray_st& array) { return array.context == &gone; });
  state.mipmapped_arrays.drop_if([&](const CUmipmappedArray_st& array) { return array.context == &gone; });
  state.texture_references.drop_if([&](const CUtexref_st& one) { return one.context == &gone; });
  state.surface_references.drop_if([&](const CUsurfref_st& one) { return one.context == &gone; });
  state.libraries.each([&](CUlib_st& library) { library.instances.erase(&gone); });
  state.contexts.drop(&gone);
}

void waited(CUctx_st& context) {
  show_printed(context);
  driver().pools.each([](CUmemPoolHandle_st& pool) {
    const auto threshold = pool.attributes.find(CU_MEMPOOL_ATTR_RELEASE_THRESHOLD);
    pool.room.settle(threshold == pool.attributes.end() ? 0 : threshold->second);
  });
}

void show_printed(CUctx_st& context) {
  if (context.printed.empty()) return;
  std::fwrite(context.printed.data(), 1, context.printed.size(), stdout);
  context.printed.clear();
}

}  // namespace wedjat::live
