// Modules and libraries: from recorded images to PTX.
#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "cuda_abi.h"
#include "traces/format/names.h"
#include "traces/read/image.h"
#include "traces/read/machine_code.h"
#include "traces/replay/calls/handlers.h"

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

// How the PTX of an entry was compiled: as the machine code beside it says, or that it was made into; else
// the driver did it.
kernel::Contract Replayer::compiled(const Call& call, const ImageEntry& ptx, const ImageEntry* code,
                                    const Event* made) const {
  if (code) return contract(code->assembler_options);
  if (made) return contract(assembler_options(trace_.contents(*made)));
  return compiler_rewrites(call) ? contract(ptx.options) : kernel::Contract::none;
}

void Replayer::load_images(const Call& call, std::uint64_t handle) {
  std::vector<device::PtxSource> sources;
  std::string others;
  std::vector<Links::Part> parts;
  for (const Event* event : call.attached)
    if (event->name == "image") std::ranges::copy(links_.parts_of(*event), std::back_inserter(parts));
  // A device-linked fatbin (index 0 of several) holds no PTX: the translation units that follow do.
  for (const auto& [event, made] : parts) {
    if (event->number("kind") == static_cast<std::uint64_t>(ImageKind::archive)) {
      others += others.empty() ? "an archive" : "; an archive";  // what is used of it is missed by name
      continue;
    }
    const std::string name =
        fmt::format("{} (seq {}) image {}", call.symbol, call.sequence(), event->number("index"));
    const auto entries = read_image(name, trace_.contents(*event));
    const ImageEntry* ptx = choose_ptx(entries, device_architecture);
    const ImageEntry* code = choose_machine_code(entries, device_architecture);
    if (ptx)
      sources.push_back({ptx->name.empty() ? name : ptx->name, ptx->text, compiled(call, *ptx, code, made)});
    else
      others += (others.empty() ? "" : "; ") + describe(entries);
  }
  aliases_.erase(handle);
  no_ptx_.erase(handle);
  modules_.erase(handle);
  if (sources.empty()) {
    no_ptx_[handle] = parts.empty() ? "the trace holds no image of it" : others;
    return;
  }
  load(handle, std::move(sources));
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
