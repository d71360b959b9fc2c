#include "interposer/shim/calls/kernels.h"

#include <algorithm>
#include <atomic>
#include <cstring>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "interposer/shim/calls/effects.h"
#include "interposer/shim/driver/driver.h"
#include "interposer/shim/driver/of_this_thread.h"
#include "interposer/shim/events/meta_events.h"
#include "interposer/shim/events/payload.h"
#include "interposer/shim/memory/host_memory.h"
#include "interposer/shim/memory/launch_times.h"
#include "interposer/shim/memory/streams.h"

namespace wedjat::interposer {
namespace {

struct Kernel {
  std::string name;
  std::uint64_t parent = 0;
  bool is_kernel = false;  // the handle is a CUkernel, not a CUfunction
  bool told = false;
  bool known = false;  // the driver told the parameters
  std::vector<std::uint32_t> offsets;
  std::vector<std::uint32_t> sizes;
  std::size_t total = 0;  // of the packed parameters
};

struct Kernels {
  std::mutex mutex;
  std::unordered_map<std::uint64_t, std::shared_ptr<Kernel>> by_handle;  // not changed once told
  std::atomic<std::uint64_t> replaced{0};  // how often a handle came to name another kernel

  Kernel& of(std::uint64_t handle) {
    std::shared_ptr<Kernel>& kernel = by_handle[handle];
    if (!kernel) kernel = std::make_shared<Kernel>();
    return *kernel;
  }
};

Kernels& kernels() {
  static Kernels& all = *new Kernels;
  return all;
}

void found(const void* handle, std::uint64_t parent, bool is_kernel, const char* name) {
  Kernels& all = kernels();
  const std::lock_guard lock(all.mutex);
  // A handle may name another kernel than before, after its module was unloaded.
  if (const Kernel& before = all.of(as_field(handle)); before.name == name && before.parent == parent) return;
  auto kernel = std::make_shared<Kernel>();
  kernel->name = name;
  kernel->parent = parent;
  kernel->is_kernel = is_kernel;
  all.by_handle[as_field(handle)] = std::move(kernel);
  ++all.replaced;
}

std::string name_of(CUfunction function, bool is_kernel) {
  const char* name = nullptr;
  if (is_kernel) {
    const auto get = real<CUresult (*)(const char**, CUkernel)>(Entry::cuKernelGetName);
    if (get) get(&name, reinterpret_cast<CUkernel>(function));
  } else {
    const auto get = real<CUresult (*)(const char**, CUfunction)>(Entry::cuFuncGetName);
    if (get) get(&name, function);
  }
  return text_or_empty(name);
}

// The driver has no count: ask until it refuses the index.
void ask_parameters(CUfunction function, Kernel& kernel) {
  const auto of_function =
      real<CUresult (*)(CUfunction, size_t, size_t*, size_t*)>(Entry::cuFuncGetParamInfo);
  const auto of_kernel = real<CUresult (*)(CUkernel, size_t, size_t*, size_t*)>(Entry::cuKernelGetParamInfo);
  if (kernel.is_kernel ? of_kernel == nullptr : of_function == nullptr) return;
  for (size_t index = 0;; ++index) {
    size_t offset = 0;
    size_t size = 0;
    const CUresult result = kernel.is_kernel
                                ? of_kernel(reinterpret_cast<CUkernel>(function), index, &offset, &size)
                                : of_function(function, index, &offset, &size);
    if (result != CUDA_SUCCESS) {
      kernel.known = result == CUDA_ERROR_INVALID_VALUE;
      return;
    }
    kernel.offsets.push_back(static_cast<std::uint32_t>(offset));
    kernel.sizes.push_back(static_cast<std::uint32_t>(size));
    kernel.total = std::max(kernel.total, offset + size);
  }
}

// As ptxas chose them: what decides how many CTAs an SM runs at once.
std::uint32_t registers_of(CUfunction function, const Kernel& kernel) {
  int found = 0;
  CUresult result = CUDA_ERROR_NOT_SUPPORTED;
  if (kernel.is_kernel) {
    CUdevice device = 0;
    const auto where = real<CUresult (*)(CUdevice*)>(Entry::cuCtxGetDevice);
    const auto get =
        real<CUresult (*)(int*, CUfunction_attribute, CUkernel, CUdevice)>(Entry::cuKernelGetAttribute);
    if (where && get && where(&device) == CUDA_SUCCESS)
      result = get(&found, CU_FUNC_ATTRIBUTE_NUM_REGS, reinterpret_cast<CUkernel>(function), device);
  } else {
    const auto get = real<CUresult (*)(int*, CUfunction_attribute, CUfunction)>(Entry::cuFuncGetAttribute);
    if (get) result = get(&found, CU_FUNC_ATTRIBUTE_NUM_REGS, function);
  }
  return result == CUDA_SUCCESS ? static_cast<std::uint32_t>(found) : 0;
}

std::shared_ptr<const Kernel> look_up_told(CUfunction function) {
  Kernels& all = kernels();
  const std::lock_guard lock(all.mutex);
  Kernel& kernel = all.of(as_field(function));
  const auto shared = [&] { return all.by_handle[as_field(function)]; };
  if (kernel.told) return shared();
  ask_parameters(function, kernel);
  if (!kernel.known && kernel.name.empty()) {
    // A handle nobody was seen to get: it may be of the other sort.
    kernel.is_kernel = true;
    ask_parameters(function, kernel);
    kernel.is_kernel = kernel.known;
  }
  if (kernel.name.empty()) kernel.name = name_of(function, kernel.is_kernel);
  kernel.told = true;

  wj_kernel_info event{};
  event.seq = next_sequence();
  event.function = as_field(function);
  event.is_kernel = kernel.is_kernel ? 1 : 0;
  event.name = kernel.name.c_str();
  event.parent = kernel.parent;
  event.count = static_cast<std::uint32_t>(kernel.offsets.size());
  event.offsets = kernel.offsets.data();
  event.sizes = kernel.sizes.data();
  event.known = kernel.known ? 1 : 0;
  event.registers = registers_of(function, kernel);
  wj_emit_kernel_info(&event);
  return shared();
}

// Valid until the thread's next launch. Most launches are of the kernel the thread launched before.
const Kernel& told_kernel(CUfunction function) {
  struct Last {
    CUfunction function = nullptr;
    std::uint64_t replaced = 0;
    std::shared_ptr<const Kernel> kernel;
  };
  auto& last = of_this_thread<Last, Last>();
  const std::uint64_t replaced = kernels().replaced.load(std::memory_order_acquire);
  if (!last.kernel || last.function != function || last.replaced != replaced)
    last = {function, replaced, look_up_told(function)};
  return *last.kernel;
}

// Valid until the thread's next launch.
std::span<const std::byte> pack(const Kernel& kernel, void** parameters) {
  struct Packed;
  auto& packed = of_this_thread<std::vector<std::byte>, Packed>();
  packed.assign(kernel.total, std::byte{0});
  for (std::size_t i = 0; i < kernel.sizes.size(); ++i) {
    std::memcpy(packed.data() + kernel.offsets[i], parameters[i], kernel.sizes[i]);
  }
  return packed;
}

// {CU_LAUNCH_PARAM_BUFFER_POINTER, buffer, CU_LAUNCH_PARAM_BUFFER_SIZE, &size, CU_LAUNCH_PARAM_END}
std::span<const std::byte> extra_buffer(void** extra) {
  const void* buffer = nullptr;
  std::size_t size = 0;
  for (; *extra != nullptr; extra += 2) {
    const auto option = reinterpret_cast<std::uintptr_t>(extra[0]);
    if (option == 1) buffer = extra[1];
    if (option == 2) size = *static_cast<const std::size_t*>(extra[1]);
  }
  return buffer ? bytes_at(buffer, size) : std::span<const std::byte>();
}

}  // namespace

void function_found(CUfunction function, CUmodule module, const char* name) {
  found(function, as_field(module), false, text_or_empty(name));
}

void functions_found(const CUfunction* functions, unsigned count, CUmodule module) {
  for (unsigned i = 0; i < count; ++i)
    found(functions[i], as_field(module), false, name_of(functions[i], false).c_str());
}

void kernel_found(CUkernel kernel, CUlibrary library, const char* name) {
  found(kernel, as_field(library), true, text_or_empty(name));
}

void kernels_found(const CUkernel* list, unsigned count, CUlibrary library) {
  for (unsigned i = 0; i < count; ++i) {
    found(list[i], as_field(library), true, name_of(reinterpret_cast<CUfunction>(list[i]), true).c_str());
  }
}

void kernel_function_found(CUfunction function, CUkernel kernel) {
  std::uint64_t library = 0;
  {
    Kernels& all = kernels();
    const std::lock_guard lock(all.mutex);
    if (const auto known = all.by_handle.find(as_field(kernel)); known != all.by_handle.end())
      library = known->second->parent;
  }
  found(function, library, false, name_of(reinterpret_cast<CUfunction>(kernel), true).c_str());
}

std::span<const std::byte> packed_parameters(const Call& call, CUfunction function, void** parameters,
                                             void** extra) {
  const Kernel& kernel = told_kernel(function);
  if (extra != nullptr) return extra_buffer(extra);
  if (!kernel.known)
    uncaptured(call.sequence, "params", "the driver cannot tell the sizes of the kernel's parameters");
  else if (parameters != nullptr || kernel.sizes.empty())  // else the driver refuses this launch
    return pack(kernel, parameters);
  return {};
}

void node_parameters(const Call& call, const char* name, CUfunction function, void** parameters,
                     void** extra) {
  const auto bytes = packed_parameters(call, function, parameters, extra);
  payload(call.sequence, Phase::entry, name, parameters, bytes);
}

void launch(const Call& call, std::span<const std::byte> parameters) {
  work_given(call, Tell::context, parameters);
  device_works();
  effects_begin(call);
  launch_time_begins(call);
}

void launched(const Call& call) {
  launch_time_ends(call);
  effects_end(call);
}

void launch_on(Call& call, const CUlaunchConfig* config, std::span<const std::byte> parameters) {
  if (config == nullptr) return;  // the driver refuses this launch
  call.stream = config->hStream;
  launch(call, parameters);
}

void launch_many(const Call& call, const CUDA_LAUNCH_PARAMS* launches, unsigned count) {
  work_given(call);
  for (unsigned i = 0; i < count; ++i) {
    const std::string name = "params_" + std::to_string(i);
    node_parameters(call, name.c_str(), launches[i].function, launches[i].kernelParams, nullptr);
  }
  device_works();
  effects_begin(call);
}

void legacy_launch(const Call& call, CUfunction function) {
  told_kernel(function);
  launch(call, {});
}

}  // namespace wedjat::interposer
