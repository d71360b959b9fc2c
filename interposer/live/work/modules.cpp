#include "interposer/live/work/modules.h"

#include <dlfcn.h>
#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <fstream>
#include <iterator>
#include <map>

#include "emulator/device/error.h"
#include "emulator/device/module.h"
#include "emulator/ptx/module/link.h"
#include "emulator/ptx/module/module.h"
#include "emulator/ptx/text/error.h"
#include "interposer/images/image_parts.h"
#include "interposer/images/libraries.h"
#include "interposer/images/linked.h"
#include "interposer/live/state/graphs/kernel_launches.h"
#include "interposer/live/work/made_of.h"
#include "interposer/meaning/code.h"
#include "interposer/meaning/device_runtime.h"
#include "traces/format/error.h"

namespace wedjat::live {
namespace {

using Bytes = std::vector<std::byte>;

// The file that the program's own code lies in.
std::string file_of(const void* image) {
  Dl_info info{};
  return ::dladdr(image, &info) != 0 && info.dli_fname ? info.dli_fname : "memory of the program";
}

std::vector<std::uint64_t> numbers(const void* list, unsigned count, std::size_t size) {
  std::vector<std::uint64_t> result(list ? count : 0, 0);
  for (unsigned i = 0; i < result.size(); ++i)
    std::memcpy(&result[i], static_cast<const std::byte*>(list) + i * size, size);
  return result;
}

[[noreturn]] void no_ptx(const std::string& file, const std::string& what) {
  fail(CUDA_ERROR_NO_BINARY_FOR_GPU,
       fmt::format(
           "{} holds {} and no PTX that a device of compute capability 9.0 runs; build it with PTX, as by "
           "nvcc -gencode arch=compute_90,code=compute_90",
           file, what));
}

// What a compiler or a linker in the program was given. Its objects and archives hold code beside other
// things.
void add_parts(Code& code, const std::string& name, const std::vector<interposer::LinkedPart>& parts,
               const JitOptions& options, std::string& others);

// Where it has no PTX, `others` says what it has.
void add_source(Code& code, const std::string& name, const Bytes& image, const JitOptions& options,
                std::string& others) {
  std::vector<traces::ImageEntry> entries;
  try {
    entries = traces::read_image(name, image);
  } catch (const traces::FormatError& error) {
    fail(CUDA_ERROR_INVALID_IMAGE, error.what());
  }
  const traces::ImageEntry* ptx = traces::choose_ptx(entries, interposer::device_architecture);
  if (ptx == nullptr) {
    if (const MadeOf made = made_of(image); !made.parts.empty()) {
      add_parts(code, name, made.parts, options, others);
      if (made.most_registers != 0) code.most_registers = made.most_registers;
      return;
    }
    others += (others.empty() ? "" : "; ") + interposer::describe(entries);
    return;
  }
  const traces::ImageEntry* machine_code =
      traces::choose_machine_code(entries, interposer::device_architecture);
  const kernel::Contract contract =
      machine_code ? interposer::contract_of(machine_code->assembler_options)
                   : interposer::contract_of_driver(
                         *ptx, numbers(options.options, options.count, sizeof(CUjit_option)),
                         numbers(options.values, options.count, sizeof(void*)));
  code.sources.push_back({ptx->name.empty() ? name : ptx->name, ptx->text, contract});
  code.most_registers = static_cast<int>(options.number(CU_JIT_MAX_REGISTERS).value_or(0));
}

void add_parts(Code& code, const std::string& name, const std::vector<interposer::LinkedPart>& parts,
               const JitOptions& options, std::string& others) {
  for (const interposer::LinkedPart& part : parts) {
    const std::string origin = part.name.empty() ? name : part.name;
    const auto inside = interposer::code_of_library(origin, part.bytes);
    for (const interposer::LinkedPart& one : inside) add_source(code, origin, one.bytes, options, others);
    if (inside.empty() && !interposer::is_archive(part.bytes))
      add_source(code, origin, part.bytes, options, others);
  }
}

// What the driver's compiler had to say, where the program asked for it, and how many bytes that is without
// the NUL behind it.
void give_log(const JitOptions& options, const std::string& text) {
  char* buffer = nullptr;
  std::size_t size = 0;
  for (unsigned i = 0; i < options.count; ++i) {
    if (options.options[i] == CU_JIT_ERROR_LOG_BUFFER) buffer = static_cast<char*>(options.values[i]);
    if (options.options[i] == CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES)
      size = static_cast<std::uint32_t>(reinterpret_cast<std::uintptr_t>(options.values[i]));
  }
  if (buffer == nullptr || size == 0) return;
  std::snprintf(buffer, size, "%s", text.c_str());
  const std::size_t told = std::min(size - 1, text.size());
  for (unsigned i = 0; i < options.count; ++i)
    if (options.options[i] == CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES)
      options.values[i] = reinterpret_cast<void*>(told);
}

// What cuLinkComplete gave, with the options that cuLinkCreate got.
Code code_of_linked(const std::string& name, std::span<const std::byte> container) {
  const auto linked = interposer::read_linked(container);
  if (!linked) fail(CUDA_ERROR_INVALID_IMAGE, name + ": what cuLinkComplete gave is damaged");
  std::vector<CUjit_option> options;
  std::vector<void*> values;
  for (const interposer::LinkedOption& one : linked->options) {
    options.push_back(static_cast<CUjit_option>(one.option));
    values.push_back(reinterpret_cast<void*>(one.value));
  }
  const JitOptions given{static_cast<unsigned>(options.size()), options.data(), values.data()};
  Code code;
  std::string others;
  for (const interposer::LinkedPart& part : linked->parts)
    add_source(code, part.name.empty() ? name : part.name, part.bytes, given, others);
  if (code.sources.empty()) no_ptx(name, others);
  return code;
}

}  // namespace

std::optional<std::uint64_t> JitOptions::number(CUjit_option option) const {
  for (unsigned i = 0; i < count; ++i)
    if (options[i] == option) return reinterpret_cast<std::uintptr_t>(values[i]);
  return std::nullopt;
}

Code code_of_bytes(const std::string& name, std::span<const std::byte> image, const JitOptions& options) {
  if (image.size() >= sizeof(std::uint64_t) && interposer::is_linked(image.data()))
    return code_of_linked(name, image);
  Code code;
  std::string others;
  add_source(code, name, Bytes(image.begin(), image.end()), options, others);
  if (code.sources.empty()) no_ptx(name, others);
  return code;
}

Code code_of(const void* image, const JitOptions& options) {
  require(image != nullptr);
  require(!interposer::is_elf(image) || interposer::is_cubin(image), CUDA_ERROR_INVALID_IMAGE);
  const std::string file = file_of(image);
  const auto images = interposer::image_parts(image);
  if (images.size() == 1) return code_of_bytes(file, images.front(), options);
  Code code;
  std::string others;
  for (const std::span<const std::byte> part : images)
    add_source(code, file, Bytes(part.begin(), part.end()), options, others);
  if (code.sources.empty()) no_ptx(file, others);
  return code;
}

Code code_of_file(const char* path, const JitOptions& options) {
  std::ifstream in(path, std::ios::binary);
  require(in.is_open(), CUDA_ERROR_FILE_NOT_FOUND);
  const std::vector<char> text(std::istreambuf_iterator<char>(in), {});
  return code_of_bytes(path, std::as_bytes(std::span(text)), options);
}

// What the driver's compiler asks of a text before all else.
void check_targets(const device::Device& device, const device::Module* module) {
  for (const device::Target& target : device.targets(module)) {
    if (100 * target.version_major + target.version_minor > static_cast<unsigned>(profile().ptx_version))
      fail(CUDA_ERROR_UNSUPPORTED_PTX_VERSION, fmt::format("PTX of .version {}.{} is newer than the driver",
                                                           target.version_major, target.version_minor));
    if (target.architecture > interposer::device_architecture ||
        (target.exactly && target.architecture != interposer::device_architecture))
      fail(CUDA_ERROR_INVALID_PTX,
           fmt::format("PTX for sm_{} does not run on a device of compute capability 9.0",
                       target.architecture));
  }
}

// Names of variables that host and device share: the host gets their address from the driver, and goes there.
std::vector<std::string> managed_variables(const std::vector<device::PtxSource>& sources) {
  std::vector<std::string> names;
  for (const device::PtxSource& source : sources) {
    if (source.text.find(".managed") == std::string::npos) continue;
    const auto module = ptx::Module::parse(source.name, source.text);
    for (const ptx::Variable& variable : module->variables)
      if (variable.managed && variable.linkage != ptx::Linkage::external) names.emplace_back(variable.name);
  }
  return names;
}

// By module: the memory of its managed variables.
std::map<const CUmod_st*, std::vector<std::uint64_t>>& managed_memory() {
  static auto& all = *new std::map<const CUmod_st*, std::vector<std::uint64_t>>;
  return all;
}

// Loads it twice: what the variables hold at first is known once it is loaded, where they lie before.
device::Module* load_with_managed(CUctx_st& context, const std::vector<device::PtxSource>& sources,
                                  const std::vector<std::string>& names, std::vector<std::uint64_t>& memory) {
  device::Module* const first = context.device.load_module(sources, {});
  std::map<std::string, std::uint64_t> places;
  for (const std::string& name : names) {
    const auto variable = context.device.variable(first, name);
    if (!variable || places.contains(name)) continue;
    const std::uint64_t bytes = std::max<std::uint64_t>(variable->size, 1);
    const Allocation& shared = driver().memory.allocate(context, bytes, MemoryKind::managed,
                                                        ".managed " + name, device::Told::of_module);
    // Written, and not put there behind the back of tools.
    std::vector<std::byte> at_first(variable->size);
    context.device.read(variable->address, at_first);
    context.device.write(shared.address, at_first);
    places[name] = shared.address;
    memory.push_back(shared.address);
  }
  context.device.unload_module(first);
  return context.device.load_module(sources, places);
}

bool is_complete(const Code& code) {
  return std::ranges::all_of(code.sources, [](const device::PtxSource& source) {
    const auto module = ptx::Module::parse(source.name, source.text);
    return std::ranges::none_of(module->functions,
                                [](const ptx::Function& function) {
                                  return !function.has_body && !ptx::is_device_runtime(function.name);
                                }) &&
           std::ranges::none_of(module->variables, [](const ptx::Variable& variable) {
             return variable.linkage == ptx::Linkage::external && variable.space != ptx::Space::shared;
           });
  });
}

CUmod_st& load(CUctx_st& context, Code code, const JitOptions& options, std::uint64_t most_shared) {
  show_printed(context);
  try {
    interposer::add_device_runtime(code.sources);
    auto made = std::make_unique<CUmod_st>();
    made->launches_graphs = add_graph_launch(code.sources);
    made->context = &context;
    const std::vector<std::string> managed = managed_variables(code.sources);
    std::vector<std::uint64_t> memory;
    made->most_registers = code.most_registers;
    made->module = managed.empty() ? context.device.load_module(std::move(code.sources), {})
                                   : load_with_managed(context, code.sources, managed, memory);
    if (!memory.empty()) managed_memory()[made.get()] = std::move(memory);
    check_targets(context.device, made->module);
    made->module->check();
    made->module->check_sizes(most_shared);
    give_log(options, "");
    return *driver().modules.add(std::move(made));
  } catch (const ptx::Error& error) {
    give_log(options, error.what());
    throw;
  } catch (const device::Refused& error) {
    give_log(options, error.what());
    fail(CUDA_ERROR_INVALID_PTX, error.what());
  }
}

void unload(CUmod_st& module) {
  show_printed(*module.context);
  if (driver().failed == CUDA_SUCCESS) module.context->device.unload_module(module.module);
  if (const auto managed = managed_memory().extract(&module))
    for (const std::uint64_t address : managed.mapped())
      if (Allocation* const shared = driver().memory.starting(address)) driver().memory.free(*shared);
  for (const auto& [name, function] : module.functions) driver().functions.drop(function);
  driver().modules.drop(&module);
}

CUmod_st& instance(CUlib_st& library) {
  CUctx_st& here = context();
  if (library.failure) fail(library.failure->code, library.failure->why);
  CUmodule& made = library.instances[&here];
  if (made == nullptr) {
    made = &load(here, library.code, {});
    made->library = &library;
  }
  return *made;
}

CUfunc_st& function_of(CUmod_st& module, std::string_view name) {
  if (const auto known = module.functions.find(name); known != module.functions.end()) return *known->second;
  device::Device& device = module.context->device;
  const std::vector<std::string> names = device.kernels(module.module);
  require(std::ranges::find(names, name) != names.end(), CUDA_ERROR_NOT_FOUND);
  auto made = std::make_unique<CUfunc_st>();
  made->module = &module;
  made->name = name;
  made->entry = device.function(module.module, name);
  made->parameters = device.parameters(made->entry);
  for (const device::ParameterSlot& slot : made->parameters) made->parameter_bytes = slot.offset + slot.size;
  CUfunc_st& known = *driver().functions.add(std::move(made));
  module.functions[known.name] = &known;
  return known;
}

namespace {

// Where no context is current, the primary one is as long as this lives.
class SomeContext {
 public:
  SomeContext() : is_needed_(current_context() == nullptr) {
    if (is_needed_) context_stack().push_back(&retain_primary());
  }
  ~SomeContext() {
    if (!is_needed_) return;
    context_stack().pop_back();
    release_primary();
  }
  SomeContext(const SomeContext&) = delete;
  SomeContext& operator=(const SomeContext&) = delete;

 private:
  const bool is_needed_;
};

}  // namespace

CUkern_st& kernel_of(CUlib_st& library, std::string_view name) {
  if (const auto known = library.kernels.find(name); known != library.kernels.end()) return *known->second;
  const SomeContext there;
  function_of(instance(library), name);
  auto made = std::make_unique<CUkern_st>();
  made->library = &library;
  made->name = name;
  CUkern_st& known = *driver().kernels.add(std::move(made));
  library.kernels[known.name] = &known;
  return known;
}

CUmod_st& module_at(CUmodule handle) { return driver().modules.at(handle, CUDA_ERROR_INVALID_HANDLE); }

CUfunc_st& function_at(CUfunction handle) {
  if (CUfunc_st* const function = driver().functions.find(handle)) return *function;
  CUkern_st& kernel = driver().kernels.at(reinterpret_cast<CUkernel>(handle), CUDA_ERROR_INVALID_HANDLE);
  CUfunc_st& function = function_of(instance(*kernel.library), kernel.name);
  for (const auto& [attribute, value] : kernel.attributes) function.attributes.try_emplace(attribute, value);
  return function;
}

const device::Needs& needs_of(CUfunc_st& function) {
  try {
    if (!function.needs) function.needs = function.module->context->device.needs(function.entry);
    return *function.needs;
  } catch (const device::Refused& error) {
    fail(CUDA_ERROR_NOT_SUPPORTED, fmt::format("kernel {} cannot be run: {}", function.name, error.what()));
  }
}

}  // namespace wedjat::live
