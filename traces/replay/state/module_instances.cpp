// Modules on the device: linked, with every global where it lay on the GPU. A library has an instance in each
// context that uses it, with variables of its own; a module belongs to the context it was loaded into.
#include <algorithm>

#include "traces/replay/state/replayer.h"

namespace wedjat::traces {

// The addresses the program was given for globals of what the call at `load` made, until its handle is given
// out again. A texture or surface reference lies at its handle.
Replayer::Globals Replayer::recorded_globals(std::size_t load, std::uint64_t handle) const {
  Globals found;
  std::unordered_map<std::uint64_t, std::uint64_t> made_of = {{handle, 0}};  // module -> its context
  for (std::size_t i = load + 1; i < calls_.calls.size(); ++i) {
    const Call& call = calls_.calls[i];
    if (!call.succeeded()) continue;
    if (call.base == "cuLibraryUnload" && call.entry->number("library") == handle) break;
    if (call.base == "cuModuleUnload" && call.entry->number("hmod") == handle) break;
    if (call.base == "cuLibraryGetModule" && call.entry->number("library") == handle)
      made_of[given_out(call, "pMod_out")] = contexts_.of(call);
    const bool library = call.base.compare(0, 9, "cuLibrary") == 0;
    const char* const given = call.base == "cuModuleGetTexRef"    ? "pTexRef_out"
                              : call.base == "cuModuleGetSurfRef" ? "pSurfRef_out"
                              : call.base == "cuModuleGetGlobal" || call.base == "cuLibraryGetGlobal" ||
                                      call.base == "cuLibraryGetManaged"
                                  ? "dptr_out"
                                  : nullptr;
    if (given == nullptr) continue;
    const auto of = made_of.find(call.entry->number(library ? "library" : "hmod"));
    const auto address = call.exit->numbers(given);
    if (of == made_of.end() || address.empty()) continue;
    if (call.base == "cuLibraryGetManaged")
      found.managed[call.entry->text("name_in")] = address[0];
    else
      found.by_context[library ? contexts_.of(call) : of->second][call.entry->text("name_in")] = address[0];
  }
  return found;
}

void Replayer::load(std::uint64_t handle, std::vector<device::PtxSource> sources) {
  Loaded& loaded = modules_[handle];
  loaded = {std::move(sources), recorded_globals(current_, handle), {}};
  for (const auto& [context, globals] : loaded.globals.by_context) instantiate(loaded, context);
  if (loaded.instances.empty()) instantiate(loaded, 0);
}

device::Module* Replayer::instantiate(Loaded& loaded, std::uint64_t context) {
  Placements globals = loaded.globals.managed;
  if (const auto own = loaded.globals.by_context.find(context); own != loaded.globals.by_context.end())
    globals.insert(own->second.begin(), own->second.end());
  const bool taken = std::any_of(globals.begin(), globals.end(),
                                 [&](const auto& global) { return device_->is_allocated(global.second); });
  if (taken) drop_stale_modules();
  for (const auto& [name, address] : globals) {
    // What a reference of an earlier module named.
    device_->textures().textures.erase(address);
    device_->textures().surfaces.erase(address);
  }
  return loaded.instances[context] = device_->load_module(loaded.sources, globals);
}

// Null if nothing of that handle was recorded.
device::Module* Replayer::module_in(std::uint64_t handle, std::uint64_t context) {
  const auto alias = aliases_.find(handle);
  const auto found = modules_.find(alias == aliases_.end() ? handle : alias->second);
  if (found == modules_.end()) return nullptr;
  auto& instances = found->second.instances;
  if (const auto known = instances.find(context); known != instances.end()) return known->second;
  if (context == 0 && !instances.empty()) return instances.begin()->second;
  // One that was made without a context is a module, or a library's before anybody used it.
  if (auto unused = instances.extract(0); !unused.empty()) {
    unused.key() = context;
    return instances.insert(std::move(unused)).position->second;
  }
  return instantiate(found->second, context);
}

// Of one that module_in() found.
const std::vector<device::PtxSource>& Replayer::sources_of(std::uint64_t handle) const {
  const auto alias = aliases_.find(handle);
  return modules_.at(alias == aliases_.end() ? handle : alias->second).sources;
}

void Replayer::drop_stale_modules() {
  for (const auto& [handle, stale] : std::exchange(stale_modules_, {})) {
    const auto found = modules_.find(handle);
    if (found == modules_.end()) continue;
    const auto instance = std::ranges::find(found->second.instances, stale,
                                            &decltype(found->second.instances)::value_type::second);
    if (instance == found->second.instances.end()) continue;
    device_->unload_module(stale);
    found->second.instances.erase(instance);
  }
}

void Replayer::unload(std::uint64_t handle) {
  const auto found = modules_.find(handle);
  if (found == modules_.end()) return;
  for (const auto& [context, instance] : found->second.instances) device_->unload_module(instance);
  modules_.erase(found);
}

}  // namespace wedjat::traces
