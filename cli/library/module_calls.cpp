// Modules, their variables and kernels.
#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <fstream>
#include <iterator>

#include "cli/library/objects.h"
#include "cli/library/release.h"

using namespace wedjat;
using namespace wedjat::library;

namespace {

device::PtxSource source_of(const WedjatSource& given) {
  need(given.text, "the text of a source");
  const std::size_t bytes = given.bytes != 0 ? given.bytes : std::strlen(given.text);
  return {given.name == nullptr ? "ptx" : given.name, std::string(given.text, bytes)};
}

device::PtxSource source_in(const char* path) {
  need(path, "path");
  std::ifstream file(path, std::ios::binary);
  std::string text(std::istreambuf_iterator<char>(file), {});
  if (!file.is_open() || file.bad())
    throw WrongFile{WEDJAT_BROKEN_INPUT, fmt::format("{}: cannot be read", path), path};
  return {path, std::move(text)};
}

WedjatModule* load(const Turn& turn, const std::shared_ptr<Device>& device,
                   std::vector<device::PtxSource> texts) {
  auto made = std::make_shared<Module>();
  made->device = device;
  made->module = turn.device().load_module(std::move(texts), {});
  made->names = turn.device().kernels(made->module);
  made->variables = turn.device().variables(made->module);
  WedjatModule* const module = modules().add(std::move(made));
  turn.state().modules.push_back(module);
  return module;
}

WedjatKernel* handle_of(const OnDevice<Module>& module, const std::string& name) {
  WedjatKernel*& known = module->kernels[name];
  if (known == nullptr) {
    const device::Function function = module.turn.device().function(module->module, name);
    known = kernels().add(
        std::make_shared<Kernel>(Kernel{module.object, function, module.turn.device().signature(function)}));
  }
  return known;
}

void tell(const device::DeclaredVariable& variable, WedjatVariable* to) {
  const WedjatVariable told{sizeof told, variable.name.c_str(), variable.type.c_str(), variable.place.address,
                            variable.place.size};
  give(told, to, "variable");
}

}  // namespace

void library::release(WedjatModule* handle) {
  Module& module = *modules().at(handle);
  module.module = nullptr;
  for (const auto& [name, kernel] : module.kernels) kernels().drop(kernel);
  module.kernels.clear();
  modules().drop(handle);
}

extern "C" {

WedjatStatus wedjat_module_load(WedjatDevice* device, const WedjatSource* sources, size_t count,
                                WedjatModule** module) {
  return guarded(__func__, [&] {
    const Turn turn(devices().at(device));
    need(sources, "sources");
    need(module, "module");
    if (count == 0) throw WrongArgument("there are no sources");
    std::vector<device::PtxSource> texts;
    for (std::size_t i = 0; i < count; ++i) texts.push_back(source_of(sources[i]));
    *module = load(turn, devices().at(device), std::move(texts));
  });
}

WedjatStatus wedjat_module_load_file(WedjatDevice* device, const char* path, WedjatModule** module) {
  return guarded(__func__, [&] {
    const Turn turn(devices().at(device));
    need(module, "module");
    *module = load(turn, devices().at(device), {source_in(path)});
  });
}

WedjatStatus wedjat_module_free(WedjatModule* handle) {
  return guarded(__func__, [&] {
    const OnDevice<Module> module = on(handle);
    module.turn.device().unload_module(module->module);
    std::erase(module.turn.state().modules, handle);
    release(handle);
  });
}

WedjatStatus wedjat_module_variable_count(WedjatModule* module, size_t* count) {
  return guarded(__func__, [&] {
    const OnDevice<Module> found = on(module);
    need(count, "count");
    *count = found->variables.size();
  });
}

WedjatStatus wedjat_module_variable_at(WedjatModule* module, size_t index, WedjatVariable* variable) {
  return guarded(__func__, [&] {
    const OnDevice<Module> found = on(module);
    if (index >= found->variables.size())
      throw WrongArgument(fmt::format("variable {} of a module that has {}", index, found->variables.size()));
    tell(found->variables[index], variable);
  });
}

WedjatStatus wedjat_module_variable(WedjatModule* module, const char* name, WedjatVariable* variable) {
  return guarded(__func__, [&] {
    const OnDevice<Module> found = on(module);
    need(name, "name");
    const auto known = std::ranges::find(found->variables, name, &device::DeclaredVariable::name);
    if (known == found->variables.end())
      throw WrongArgument(fmt::format("the module has no variable {}", name));
    tell(*known, variable);
  });
}

WedjatStatus wedjat_module_kernel_count(WedjatModule* module, size_t* count) {
  return guarded(__func__, [&] {
    const OnDevice<Module> found = on(module);
    need(count, "count");
    *count = found->names.size();
  });
}

WedjatStatus wedjat_module_kernel_at(WedjatModule* module, size_t index, WedjatKernel** kernel) {
  return guarded(__func__, [&] {
    const OnDevice<Module> found = on(module);
    need(kernel, "kernel");
    if (index >= found->names.size())
      throw WrongArgument(fmt::format("kernel {} of a module that has {}", index, found->names.size()));
    *kernel = handle_of(found, found->names[index]);
  });
}

WedjatStatus wedjat_module_kernel(WedjatModule* module, const char* name, WedjatKernel** kernel) {
  return guarded(__func__, [&] {
    const OnDevice<Module> found = on(module);
    need(name, "name");
    need(kernel, "kernel");
    if (std::ranges::find(found->names, name) == found->names.end())
      throw WrongArgument(
          fmt::format("no kernel {} in the module; it has {}", name,
                      found->names.empty() ? "none" : fmt::format("{}", fmt::join(found->names, ", "))));
    *kernel = handle_of(found, name);
  });
}
}
