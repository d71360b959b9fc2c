// Modules and libraries: from recorded images to PTX, linked, with every global where it lay on the GPU.
#include <fmt/format.h>

#include <algorithm>

#include "cuda_abi.h"
#include "traces/format/names.h"
#include "traces/read/image.h"
#include "traces/read/machine_code.h"
#include "traces/replay/handlers.h"

namespace wedjat::traces {
namespace {

constexpr unsigned device_architecture = 90;

std::string describe(const std::vector<ImageEntry>& entries) {
  std::string text;
  for (const auto& entry : entries) {
    const char* kind = entry.kind == ImageEntry::Kind::ptx   ? "PTX"
                       : entry.kind == ImageEntry::Kind::elf ? "machine code"
                                                             : "LTO-IR";
    text += fmt::format("{}{} for sm_{}{}", text.empty() ? "" : ", ", kind, entry.architecture,
                        entry.architecture_specific ? "a" : "");
  }
  return text.empty() ? "nothing" : text;
}

kernel::Contract contract(const std::string& assembler_options) {
  switch (rewrites(assembler_options)) {
    case Rewrites::nothing:
      return kernel::Contract::none;
    case Rewrites::constants:
      return kernel::Contract::constants;
    case Rewrites::all:
      break;
  }
  return kernel::Contract::ptxas;
}

}  // namespace

// The addresses the program was told for globals of the module that the call at `load` made, until its handle
// is given out again. A texture or surface reference lies at its handle.
std::map<std::string, std::uint64_t> Replayer::recorded_globals(std::size_t load,
                                                                std::uint64_t handle) const {
  std::map<std::string, std::uint64_t> found;
  std::vector<std::uint64_t> same = {handle};  // and the modules made of a library
  for (std::size_t i = load + 1; i < calls_.calls.size(); ++i) {
    const Call& call = calls_.calls[i];
    if (!call.succeeded()) continue;
    const bool library = call.base.compare(0, 9, "cuLibrary") == 0;
    if (call.base == "cuLibraryUnload" && call.entry->number("library") == handle) break;
    if (call.base == "cuModuleUnload" && call.entry->number("hmod") == handle) break;
    if (call.base == "cuLibraryGetModule" && call.entry->number("library") == handle)
      same.push_back(given_out(call, "pMod_out"));
    const char* const given = call.base == "cuModuleGetTexRef"    ? "pTexRef_out"
                              : call.base == "cuModuleGetSurfRef" ? "pSurfRef_out"
                              : call.base == "cuModuleGetGlobal" || call.base == "cuLibraryGetGlobal" ||
                                      call.base == "cuLibraryGetManaged"
                                  ? "dptr_out"
                                  : nullptr;
    if (given == nullptr) continue;
    const std::uint64_t of = call.entry->number(library ? "library" : "hmod");
    const auto address = call.exit->numbers(given);
    for (const std::uint64_t one : same)
      if (one == of && !address.empty()) found[call.entry->text("name_in")] = address[0];
  }
  return found;
}

// Whether the driver, which compiles PTX itself, was asked for what ptxas does with -O 0 or -g.
bool Replayer::compiler_rewrites(const Call& call) const {
  const char* const names[][2] = {{"options", "optionValues"}, {"jitOptions", "jitOptionsValues"}};
  for (const auto& [option, value] : names) {
    if (!call.entry->find(std::string(option) + kInSuffix)) continue;
    const auto options = inputs(call, option), values = inputs(call, value);
    for (std::size_t i = 0; i < std::min(options.size(), values.size()); ++i)
      if ((options[i] == CU_JIT_OPTIMIZATION_LEVEL && static_cast<std::uint32_t>(values[i]) == 0) ||
          (options[i] == CU_JIT_GENERATE_DEBUG_INFO && static_cast<std::uint32_t>(values[i]) != 0))
        return false;
  }
  return true;
}

void Replayer::load_images(const Call& call, std::uint64_t handle) {
  std::vector<device::PtxSource> sources;
  std::string others;
  std::vector<const Event*> images;
  for (const Event* event : call.attached) {
    if (event->name != "image") continue;
    const auto* linked = links_.parts_of(*event);
    if (linked)
      images.insert(images.end(), linked->begin(), linked->end());
    else
      images.push_back(event);
  }
  // A device-linked fatbin (index 0 of several) holds no PTX: the translation units that follow do.
  for (const Event* event : images) {
    const std::string name =
        fmt::format("{} (seq {}) image {}", call.symbol, call.sequence(), event->number("index"));
    const auto entries = read_image(name, trace_.contents(*event));
    const ImageEntry* ptx = choose_ptx(entries, device_architecture);
    const ImageEntry* code = choose_machine_code(entries, device_architecture);
    if (ptx)
      sources.push_back({ptx->name.empty() ? name : ptx->name, ptx->text,
                         code                      ? contract(code->assembler_options)
                         : compiler_rewrites(call) ? contract(ptx->options)
                                                   : kernel::Contract::none});
    else
      others += (others.empty() ? "" : "; ") + describe(entries);
  }
  aliases_.erase(handle);
  no_ptx_.erase(handle);
  modules_.erase(handle);
  if (sources.empty()) {
    no_ptx_[handle] = images.empty() ? "the trace holds no image of it" : others;
    return;
  }
  const auto globals = recorded_globals(current_, handle);
  const bool taken = std::any_of(globals.begin(), globals.end(),
                                 [&](const auto& global) { return device_->is_allocated(global.second); });
  if (taken) {
    for (const std::uint64_t stale : stale_modules_) unload(stale);
    stale_modules_.clear();
  }
  for (const auto& [name, address] : globals) {
    // What a reference of an earlier module named.
    device_->textures().textures.erase(address);
    device_->textures().surfaces.erase(address);
  }
  modules_[handle] = device_->load_module(std::move(sources), globals);
}

void Replayer::unload(std::uint64_t handle) {
  if (const auto found = modules_.find(handle); found != modules_.end()) {
    device_->unload_module(found->second);
    modules_.erase(found);
  }
}

namespace handle {

void load_module(Replayer& replayer, const Call& call) {
  replayer.load_images(call, replayer.given_out(call, "module_out"));
}

void load_library(Replayer& replayer, const Call& call) {
  replayer.load_images(call, replayer.given_out(call, "library_out"));
}

// A CUfunction made of a CUkernel names that as its parent.
void kernel_of_library(Replayer& replayer, const Call& call) {
  replayer.alias_module(replayer.given_out(call, "pKernel_out"), call.entry->number("library"));
}

void module_of_library(Replayer& replayer, const Call& call) {
  replayer.alias_module(replayer.given_out(call, "pMod_out"), call.entry->number("library"));
}

void unload_module(Replayer& replayer, const Call& call) { replayer.unload(call.entry->number("hmod")); }

void unload_library(Replayer& replayer, const Call& call) { replayer.unload(call.entry->number("library")); }

}  // namespace handle
}  // namespace wedjat::traces
