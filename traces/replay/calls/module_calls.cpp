// Modules and libraries: from recorded images to PTX.
#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <utility>

#include "emulator/ptx/text/error.h"
#include "interposer/meaning/code.h"
#include "interposer/meaning/device_runtime.h"
#include "traces/format/error.h"
#include "traces/format/names.h"
#include "traces/read/image.h"
#include "traces/read/machine_code.h"
#include "traces/replay/calls/handlers.h"

namespace wedjat::traces {
// How the PTX of an entry was compiled: as the machine code beside it says, or that it was made into; else
// the driver did it.
kernel::Contract Replayer::compiled(const Call& call, const ImageEntry& ptx, const ImageEntry* code,
                                    const Event* made) const {
  if (code) return interposer::contract_of(code->assembler_options);
  if (made) return interposer::contract_of(assembler_options(trace_.contents(*made)));
  const bool library = call.entry->find(std::string("jitOptions") + kInSuffix) != nullptr;
  if (!library && !call.entry->find(std::string("options") + kInSuffix))
    return interposer::contract_of_driver(ptx, {}, {});
  return interposer::contract_of_driver(ptx, inputs(call, library ? "jitOptions" : "options"),
                                        inputs(call, library ? "jitOptionsValues" : "optionValues"));
}

void Replayer::load_images(const Call& call, std::uint64_t handle) {
  std::vector<Links::Part> parts;
  for (const Event* event : call.attached)
    if (event->name == "image") std::ranges::copy(links_.parts_of(*event), std::back_inserter(parts));
  std::vector<Bytes> contents;  // read here: what the trace lacks is its fault, not the image's
  contents.reserve(parts.size());
  for (const Links::Part& part : parts) contents.push_back(trace_.contents(*part.image));
  aliases_.erase(handle);
  no_ptx_.erase(handle);
  modules_.erase(handle);
  // The driver looks at a library when a kernel of it is asked for: who asks for none never hears of it.
  const auto later = [&](const std::exception& error) {
    if (!call.base.starts_with("cuLibraryLoad")) throw;
    modules_.erase(handle);
    no_ptx_[handle] = std::string("an image with an error: ") + error.what();
  };
  try {
    load_parts(call, handle, parts, std::move(contents));
  } catch (const FormatError& error) {
    later(error);
  } catch (const ptx::Error& error) {
    later(error);
  }
}

void Replayer::load_parts(const Call& call, std::uint64_t handle, const std::vector<Links::Part>& parts,
                          std::vector<Bytes> contents) {
  std::vector<device::PtxSource> sources;
  std::string others;
  // A device-linked fatbin (index 0 of several) holds no PTX: the translation units that follow do.
  for (std::size_t i = 0; i < parts.size(); ++i) {
    const auto& [event, made] = parts[i];
    if (event->number("kind") == static_cast<std::uint64_t>(ImageKind::archive)) {
      others += others.empty() ? "an archive" : "; an archive";  // what is used of it is missed by name
      continue;
    }
    const std::string name =
        fmt::format("{} (seq {}) image {}", call.symbol, call.sequence(), event->number("index"));
    const auto entries = read_image(name, std::exchange(contents[i], {}));
    const ImageEntry* ptx = choose_ptx(entries, interposer::device_architecture);
    const ImageEntry* code = choose_machine_code(entries, interposer::device_architecture);
    if (ptx)
      sources.push_back({ptx->name.empty() ? name : ptx->name, ptx->text, compiled(call, *ptx, code, made)});
    else
      others += (others.empty() ? "" : "; ") + interposer::describe(entries);
  }
  if (sources.empty()) {
    no_ptx_[handle] = parts.empty() ? "the trace holds no image of it" : others;
    return;
  }
  interposer::add_device_runtime(sources);
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
