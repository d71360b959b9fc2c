// The emulated GPU: modules, memory and launches, as a CUDA context of a device of compute capability 9.0 shows them. Everything is
// done when the call returns: what the driver would queue in streams is carried out in the order of the calls.
//
// Errors are exceptions; what() is the whole message:
//   ptx::Error            text that is no PTX, and instructions without semantics (when the kernel that holds them is launched)
//   LaunchError           a configuration the device cannot run, wrong parameters, an unknown kernel
//   memory::Error         an address that is taken, a range that is not allocated
//   exec::Fault           a kernel did what it may not; after it every use of the device throws Broken, as in CUDA
#pragma once
#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "emulator/device/limits.h"
#include "emulator/exec/fault.h"
#include "emulator/exec/launch.h"
#include "emulator/memory/device_memory.h"
#include "emulator/ptx/error.h"

namespace wedjat::device {

class Module;
class Function;

class LaunchError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// A kernel failed before (CUDA_ERROR_ILLEGAL_ADDRESS and its kin are sticky); the message repeats why.
class Broken : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

struct PtxSource {
  std::string name;  ///< what errors call it
  std::string text;
};

struct DeviceOptions {
  unsigned threads = 0;  ///< host threads of a launch; 0: all the machine has. Results do not depend on it.
  std::uint64_t step_limit = 0;  ///< warp instructions one CTA may run; 0: any number
  std::function<void(std::string_view)> print;  ///< takes what kernels printf; empty: standard output
};

/// CUlaunchConfig; all three in x, y, z.
struct LaunchConfig {
  using Shape = std::array<std::uint32_t, 3>;
  Shape grid{1, 1, 1}, block{1, 1, 1}, cluster{1, 1, 1};  ///< CTAs; threads; CTAs
  std::uint32_t shared_bytes = 0;                         ///< dynamic
};

struct LaunchStatistics {
  double seconds = 0;  ///< inside the kernel
  std::uint64_t thread_instructions = 0, warp_instructions = 0;
};

struct GlobalVariable {
  std::uint64_t address = 0, size = 0;
};

class Device {
 public:
  explicit Device(DeviceOptions options = {});
  ~Device();
  Device(const Device&) = delete;
  Device& operator=(const Device&) = delete;

  /// cuModuleLoadData of one text, or the program that several make when linked. Variables lie where `placements` says, by name; the
  /// others where there is room. Throws ptx::Error, memory::Error.
  Module* load_module(std::vector<PtxSource> sources, const std::map<std::string, std::uint64_t>& placements = {});
  void unload_module(Module* module);
  /// cuModuleGetFunction. Throws LaunchError naming the kernels there are.
  Function* function(Module* module, std::string_view name);
  std::vector<std::string> kernels(const Module* module) const;
  /// cuModuleGetGlobal. Throws LaunchError.
  GlobalVariable global(const Module* module, std::string_view name) const;

  /// cuMemAlloc: zeroed memory, where there is room or at a given address. `label` names it in reports.
  std::uint64_t allocate(std::uint64_t bytes, std::string label = "cuMemAlloc");
  void allocate_at(std::uint64_t address, std::uint64_t bytes, std::string label);
  void free(std::uint64_t address);

  void write(std::uint64_t address, std::span<const std::byte> bytes);  ///< cuMemcpyHtoD
  void read(std::uint64_t address, std::span<std::byte> bytes);         ///< cuMemcpyDtoH

  /// cuLaunchKernelEx. `parameters`: the packed buffer (CU_LAUNCH_PARAM_BUFFER_POINTER), laid out as the kernel's .param are.
  LaunchStatistics launch(Function* function, const LaunchConfig& config, std::span<const std::byte> parameters);

 private:
  class State;
  std::unique_ptr<State> state_;
};

/// The parameters of a kernel, for who packs them: byte offset and size each, in order.
struct ParameterSlot {
  std::string name;
  std::uint64_t offset = 0, size = 0;
};
std::vector<ParameterSlot> parameters_of(const Function& function);

}  // namespace wedjat::device
