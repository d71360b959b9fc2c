#include "emulator/device/device.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <thread>

#include "device_limits.h"
#include "emulator/compile/tier/tier.h"
#include "emulator/device/error.h"
#include "emulator/device/launch_check.h"
#include "emulator/device/module.h"
#include "emulator/exec/access/fault.h"
#include "emulator/exec/cta/interruption.h"
#include "emulator/hooks/hooks.h"
#include "emulator/memory/surroundings.h"
#include "emulator/memory/windows.h"
#include "emulator/sched/grid.h"

namespace wedjat::device {

void interrupt(int signal) { exec::interruption = signal; }

int interrupted() { return exec::interruption; }

struct Device::State {
  explicit State(DeviceOptions given) : options(std::move(given)) {
    if (options.threads == 0) options.threads = std::max(1u, std::thread::hardware_concurrency());
  }

  DeviceOptions options;
  memory::DeviceMemory memory;
  memory::Surroundings surroundings{memory};
  memory::Heap heap{memory, limits::heap_bytes, options.unwritten};
  memory::TextureTable textures;
  memory::MulticastTable multicast;
  memory::ReadOnly read_only;
  // Below what CUDA hands out, so that recorded addresses stay free.
  static constexpr std::uint64_t first_data = 0x00000a0000000000u, first_code = 0x00000b0000000000u;
  AddressRange data{first_data}, code{first_code};
  std::unordered_map<std::uint64_t, std::uint64_t> called_as;  // see Device::call_as
  std::vector<std::unique_ptr<Module>> modules;
  std::uint64_t launches = 0;
  std::string broken;  // why, once a kernel failed

  // Calls part(host, done, size) for each piece of a range: one allocation, or several mapped without a gap.
  template <class Part>
  void across(std::uint64_t address, std::uint64_t size, const char* what, const Part& part) const {
    for (std::uint64_t done = 0; done < size;) {
      const auto extent = memory.find(address + done);
      const std::uint64_t here =
          extent ? std::min(size - done, extent->address + extent->size - (address + done)) : size - done;
      part(memory.host(address + done, here, what), done, here);
      done += here;
    }
  }

  // The memory through which the CTAs of a cooperative grid meet. cooperative_groups reads {u32 size, u32
  // barrier} there; the barrier counts on from launch to launch.
  std::uint64_t grid_workspace() {
    constexpr std::uint64_t address = 0x00000c0000000000u;
    constexpr std::uint32_t size = 64;
    if (!memory.find(address)) {
      memory.allocate_at(address, size, "workspace of cooperative grids");
      std::memcpy(memory.host(address, size, "the workspace of cooperative grids"), &size, sizeof size);
    }
    return address;
  }

  // After a failed kernel the memory is whatever it left: CUDA's context errors are sticky too.
  void check_usable() const {
    if (!broken.empty())
      throw Failed(fmt::format("the device cannot be used after a kernel failed: {}", broken));
  }
};

Device::Device(DeviceOptions options) : state_(std::make_unique<State>(std::move(options))) {}
Device::~Device() = default;

void Device::allocate_at(std::uint64_t address, std::uint64_t size, const std::string& label,
                         Contents contents) {
  try {
    if (state_->options.surroundings) state_->surroundings.clear(address, size);
    if (contents == Contents::left)
      state_->memory.allocate_again_at(address, size, label);
    else
      state_->memory.allocate_at(address, size, label);
    if (state_->options.surroundings) state_->surroundings.fill(address, size);
    if (state_->options.hooks) state_->options.hooks->memory(WEDJAT_ALLOCATED, address, size, label.c_str());
  } catch (const memory::Error& error) {
    throw Refused(error.what());
  }
}

void Device::adopt_at(std::uint64_t address, std::byte* host, std::uint64_t size, const std::string& label,
                      Told told) {
  try {
    // Memory that processes share lies among other memory of the device.
    const bool among = state_->options.surroundings && state_->surroundings.clear(address, size);
    state_->memory.adopt_at(address, host, size, label);
    if (state_->options.surroundings) state_->surroundings.keep(address, size);
    if (among) state_->surroundings.fill(address, size);
    if (state_->options.hooks && told == Told::as_allocated)
      state_->options.hooks->memory(WEDJAT_ALLOCATED, address, size, label.c_str());
  } catch (const memory::Error& error) {
    throw Refused(error.what());
  }
}

void Device::free(std::uint64_t address) {
  state_->check_usable();
  try {
    const auto freed = state_->memory.find(address);
    state_->memory.free(address);
    state_->surroundings.forget(address);
    state_->read_only.remove(address);
    if (state_->options.hooks && freed) state_->options.hooks->memory(WEDJAT_FREED, address, freed->size);
  } catch (const memory::Error& error) {
    throw Failed(error.what());
  }
}

void Device::set_read_only(std::uint64_t address, bool read_only) {
  const auto extent = state_->memory.find(address);
  if (!extent || extent->address != address)
    throw Refused(fmt::format("no allocation begins at {:#x}", address));
  if (read_only)
    state_->read_only.add(address, extent->size);
  else
    state_->read_only.remove(address);
}

bool Device::is_read_only(std::uint64_t address) const { return state_->read_only.holds(address); }

bool Device::is_allocated(std::uint64_t address) const { return state_->memory.find(address).has_value(); }

bool Device::holds(std::uint64_t address, std::uint64_t size) const {
  while (size != 0) {
    const auto extent = state_->memory.find(address);
    if (!extent) return false;
    const std::uint64_t here = std::min(size, extent->address + extent->size - address);
    address += here;
    size -= here;
  }
  return true;
}

void Device::read(std::uint64_t address, std::span<std::byte> bytes) const {
  state_->check_usable();
  if (bytes.empty()) return;
  if (state_->options.hooks) state_->options.hooks->memory(WEDJAT_HOST_READS, address, bytes.size());
  try {
    state_->across(
        address, bytes.size(), "a copy from the device",
        [&](std::byte* host, auto done, auto size) { std::memcpy(bytes.data() + done, host, size); });
  } catch (const memory::Error& error) {
    throw Failed(error.what());
  }
}

void Device::write(std::uint64_t address, std::span<const std::byte> bytes) {
  state_->check_usable();
  if (bytes.empty()) return;
  try {
    state_->across(address, bytes.size(), "a copy to the device", [&](std::byte* host, auto done, auto size) {
      std::memcpy(host, bytes.data() + done, size);
    });
  } catch (const memory::Error& error) {
    throw Failed(error.what());
  }
  if (state_->options.hooks) state_->options.hooks->memory(WEDJAT_HOST_WROTE, address, bytes.size());
}

void Device::mirror(std::uint64_t address, const Device& other, std::uint64_t there, std::uint64_t size) {
  state_->check_usable();
  try {
    other.state_->across(there, size, "memory that is shared", [&](std::byte* from, auto begin, auto bytes) {
      state_->across(address + begin, bytes, "shared memory",
                     [&](std::byte* host, auto done, auto part) { std::memcpy(host, from + done, part); });
    });
  } catch (const memory::Error& error) {
    throw Failed(error.what());
  }
  if (state_->options.hooks) state_->options.hooks->memory(WEDJAT_HOST_WROTE, address, size);
}

memory::TextureTable& Device::textures() { return state_->textures; }

memory::MulticastTable& Device::multicast() { return state_->multicast; }
std::shared_ptr<memory::Array> Device::make_array(const memory::ArrayShape& shape) {
  return std::make_shared<memory::Array>(state_->memory, shape);
}

Module* Device::load_module(std::vector<PtxSource> sources,
                            const std::map<std::string, std::uint64_t>& placements) {
  hooks::Hooks* const hooks = state_->options.hooks;
  std::string names;
  for (const PtxSource& source : sources) names += (names.empty() ? "" : " ") + source.name;
  if (state_->options.surroundings) state_->surroundings.clear(0, ~std::uint64_t{0});
  state_->modules.push_back(std::make_unique<Module>(
      std::move(sources), placements, state_->memory, state_->data, state_->code, state_->options.contract,
      hooks ? hooks->forms() : kernel::FormTable::generated()));
  if (state_->options.surroundings) {
    for (const auto& [name, address] : placements)
      if (const auto placed = state_->memory.find(address))
        state_->surroundings.keep(placed->address, placed->size);
    state_->surroundings.fill_all();
  }
  Module* const module = state_->modules.back().get();
  for (const auto& [address, sampler] : module->samplers()) textures().samplers[address] = sampler;
  if (hooks) hooks->module(names, module->kernel_names());
  return module;
}

void Device::unload_module(Module* module) {
  for (const auto& [address, sampler] : module->samplers()) textures().samplers.erase(address);
  std::erase_if(state_->modules, [&](const auto& loaded) { return loaded.get() == module; });
}

Function Device::function(Module* module, std::string_view name) {
  const std::uint32_t index = module->kernel_index(name);
  if (index == ptx::kNone) {
    const std::vector<std::string> names = module->kernel_names();
    throw Refused(fmt::format("no kernel {} in the module; it has {}", name,
                              names.empty() ? "none" : fmt::format("{}", fmt::join(names, ", "))));
  }
  return {module, index};
}

std::vector<std::string> Device::kernels(const Module* module) const { return module->kernel_names(); }

std::vector<Target> Device::targets(const Module* module) const { return module->targets(); }

std::optional<Variable> Device::variable(const Module* module, std::string_view name) const {
  return module->find_variable(name);
}

std::vector<DeclaredVariable> Device::variables(const Module* module) const { return module->variables(); }

Needs Device::needs(const Function& function) const {
  return function.module->needs(function.index,
                                state_->options.hooks ? kernel::Registers::named : kernel::Registers::shared);
}

std::string Device::name(const Function& function) const {
  return std::string(function.module->kernel(function.index).name);
}

std::vector<ParameterSlot> Device::parameters(const Function& function) const {
  const ptx::Function& kernel = function.module->kernel(function.index);
  std::uint64_t total = 0;
  std::vector<ParameterSlot> slots;
  for (std::uint64_t offset : kernel::parameter_offsets(kernel, total)) {
    slots.push_back({offset, kernel.parameters[slots.size()].size()});
  }
  return slots;
}

Signature Device::signature(const Function& function) const {
  const ptx::Function& kernel = function.module->kernel(function.index);
  Signature signature{std::string(kernel.name), kernel.module().name(), kernel.where.line, {}, {}};
  if (kernel.directives.reqntid) signature.block = *kernel.directives.reqntid;
  const std::vector<ParameterSlot> slots = parameters(function);
  for (const ptx::Parameter& declared : kernel.parameters) {
    const ParameterSlot& slot = slots[signature.parameters.size()];
    signature.parameters.push_back({std::string(declared.name), std::string(ptx::name_of(declared.type)),
                                    declared.vector_width * declared.extent, declared.is_array, slot.offset,
                                    slot.size, declared.alignment, declared.is_pointer});
  }
  return signature;
}

Chosen Device::chosen(std::uint64_t address) const {
  if (address >= State::first_code && address < state_->code.next)
    return address % function_stride == 0 ? Chosen::function : Chosen::nothing;
  const bool variable = address >= State::first_data && address < state_->data.next;
  // Not all of the heap's window: a number is no address because it might be one.
  const bool may_be = variable || memory::heap_window.contains(address);
  return may_be && state_->memory.find(address) ? Chosen::memory : Chosen::nothing;
}

void Device::call_as(std::uint64_t address, std::uint64_t function) { state_->called_as[address] = function; }

namespace {

std::optional<FailurePlace> place_of(const exec::Fault& fault, const kernel::Kernel& kernel) {
  if (!fault.place()) return {};
  const kernel::Origin& origin = kernel.origins.at(fault.place()->id);
  return FailurePlace{kernel.name, kernel.functions.at(origin.function).ptx_file, origin.ptx_line,
                      fault.place()->cta, fault.place()->thread};
}

// The launch as tools want to see it: `launch_of` makes it, of the kernel or of a copy with probes.
template <class LaunchOf>
sched::Statistics watched(hooks::Hooks& hooks, const kernel::Kernel& kernel, const hooks::Lowered& lowered,
                          LaunchOf launch_of, compile::Tier* tier) {
  exec::Launch launch = launch_of(kernel);
  const auto native_code = [&](exec::Launch& of) {
    std::shared_ptr<exec::NativeKernel> code;
    if (tier != nullptr) code = tier->code_for(of);
    of.native = code.get();
    return code;
  };
  exec::Observer* observer = nullptr;
  auto threads = hooks::Threads::all;
  const kernel::Kernel* instrumented = hooks.begin(launch.kernel, launch, lowered, observer, threads);
  exec::Launch run = launch_of(instrumented ? *instrumented : launch.kernel);
  run.observer = observer;
  const auto code = native_code(run);
  const auto bond = threads == hooks::Threads::all ? sched::Bond::ordered : sched::Bond::none;
  const auto alike = [&] {
    std::shared_ptr<exec::NativeKernel> plain;
    if (launch.options.threads > 1) plain = native_code(launch);
    return sched::have_at_most(bond, launch);
  };
  if (observer != nullptr && (threads == hooks::Threads::one || !alike())) run.options.threads = 1;
  try {
    const sched::Statistics statistics = sched::run_grid(run);
    hooks.end(statistics.warp_instructions, statistics.thread_instructions);
    return statistics;
  } catch (const exec::Fault& fault) {
    hooks.end(0, 0, &fault);
    throw;
  }
}

}  // namespace

LaunchStatistics Device::launch(const Function& function, const LaunchConfig& asked,
                                std::span<const std::byte> parameters) {
  state_->check_usable();
  const LaunchConfig config = with_cluster(function.module->kernel(function.index), asked);
  hooks::Hooks* const hooks = state_->options.hooks;
  const auto lowered = [&](kernel::Registers registers) -> const kernel::Kernel& {
    return function.module->lowered(function.index, registers);
  };
  const kernel::Kernel& kernel = lowered(hooks ? kernel::Registers::named : kernel::Registers::shared);
  check_launch(function.module->kernel(function.index), kernel, config, parameters.size());
  const auto shape = [](const std::uint32_t(&s)[3]) { return exec::Dim3{s[0], s[1], s[2]}; };
  const std::uint64_t grid_id = ++state_->launches;
  const auto launch_of = [&](const kernel::Kernel& code) {
    return exec::Launch{.kernel = code,
                        .grid = shape(config.grid),
                        .block = shape(config.block),
                        .cluster = shape(config.cluster),
                        .dynamic_shared_bytes = config.shared_bytes,
                        .parameters = parameters,
                        .memory = state_->memory,
                        .constants = function.module->constants(),
                        .heap = &state_->heap,
                        .textures = &state_->textures,
                        .multicast = &state_->multicast,
                        .read_only = state_->read_only.empty() ? nullptr : &state_->read_only,
                        .called_as = &state_->called_as,
                        .print = state_->options.print,
                        .grid_id = grid_id,
                        .grid_workspace = config.cooperative ? state_->grid_workspace() : 0,
                        .graph = config.graph,
                        .options = {.threads = state_->options.threads,
                                    .step_limit = state_->options.launch_limits.step_limit,
                                    .launch_step_limit = state_->options.launch_limits.launch_step_limit,
                                    .local_limit = state_->options.launch_limits.stack_limit,
                                    .side_by_side = state_->options.side_by_side,
                                    .shuffle = state_->options.shuffle,
                                    .unwritten = state_->options.unwritten}};
  };
  try {
    sched::Statistics statistics;
    if (hooks != nullptr) {
      statistics = watched(*hooks, kernel, lowered, launch_of, state_->options.native.get());
    } else {
      exec::Launch launch = launch_of(kernel);
      std::shared_ptr<exec::NativeKernel> native;
      if (state_->options.native != nullptr) native = state_->options.native->code_for(launch);
      launch.native = native.get();
      statistics = sched::run_grid(launch);
    }
    return {statistics.seconds, statistics.thread_instructions, statistics.warp_instructions,
            statistics.steps, statistics.native_steps};
  } catch (const exec::Fault& fault) {
    state_->broken = fault.what();
    if (fault.kind() == exec::FaultKind::interrupted) throw Interrupted(fault.what());
    throw Failed(fault.what(), fault.kind(), place_of(fault, kernel));
  }
}

}  // namespace wedjat::device
