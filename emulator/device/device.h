// The emulator's front door: one device with its memory, modules and launches. Everything happens at once and
// in order.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "device_limits.h"
#include "emulator/kernel/ptxas/contract.h"
#include "emulator/memory/multicast.h"
#include "emulator/memory/textures.h"

namespace wedjat::compile {
class Tier;
}
namespace wedjat::hooks {
class Hooks;
}

namespace wedjat::device {

// What a launch may take before it fails.
struct LaunchLimits {
  std::uint64_t step_limit = 0;         // warp instructions of one CTA; 0: any number
  std::uint64_t launch_step_limit = 0;  // and of all its CTAs
  // Bytes of local memory of a thread whose need is not known before it runs: one that recurses, calls
  // through pointers or uses alloca. As much as a device has; what cudaLimitStackSize is there.
  std::uint64_t stack_limit = limits::local_bytes_per_thread;
};

struct DeviceOptions {
  unsigned threads = 0;  // host threads for CTAs; 0: all cores. Results never depend on it
  LaunchLimits launch_limits;
  kernel::Contract contract = kernel::Contract::ptxas;  // as the hardware's tool chain does
  bool side_by_side = false;  // warps and CTAs advance together: exec::LaunchOptions::side_by_side
  std::uint32_t shuffle = 0;  // exec::LaunchOptions::shuffle
  std::byte unwritten{0};     // each byte of shared, local and heap memory that nobody wrote
  bool surroundings = false;  // memory beside allocations is mapped, as on hardware: memory/surroundings.h
  std::function<void(std::string_view)> print;  // what kernels printf, in order; absent: dropped
  std::shared_ptr<compile::Tier> native;        // makes native code of kernels; null: they are interpreted
  hooks::Hooks* hooks = nullptr;                // tools that watch launches; must outlive the device
};

struct PtxSource {
  std::string name;  // what errors call it
  std::string text;
  // How it was compiled, as by ptxas -O0; what DeviceOptions::contract says holds if it is less.
  kernel::Contract contract = kernel::Contract::ptxas;
};

// What has an address that the device chose itself: no call, no placement named it.
enum class Chosen : std::uint8_t { nothing, function, memory };

struct LaunchConfig {
  std::uint32_t grid[3] = {1, 1, 1};     // CTAs, x y z
  std::uint32_t block[3] = {1, 1, 1};    // threads of a CTA
  std::uint32_t cluster[3] = {1, 1, 1};  // CTAs of a cluster
  std::uint32_t shared_bytes = 0;        // dynamic shared memory
  bool cooperative = false;              // cuLaunchCooperativeKernel: the grid can synchronise
  std::uint64_t graph = 0;               // a node of which it is; %current_graph_exec
};

struct LaunchStatistics {
  double seconds = 0;  // in the kernel
  std::uint64_t thread_instructions = 0, warp_instructions = 0;
  std::uint64_t steps = 0, native_steps = 0;  // of warps, ends of blocks too; the part that native code ran
};

// Of new memory: zeros, or what memory held that lay there as `left` too and was freed.
enum class Contents : std::uint8_t { zeros, left };

struct ParameterSlot {
  std::uint64_t offset = 0, size = 0;  // bytes, in the packed parameter buffer
};

class Module;

struct Variable {  // of the device's memory
  std::uint64_t address = 0, size = 0;
};

/// What a text says that it needs.
struct Target {
  unsigned version_major = 0, version_minor = 0;  ///< `.version`
  unsigned architecture = 0;                      ///< 90 of `.target sm_90a`
  bool exactly = false;                           ///< sm_90a, sm_100f: no newer one
};

struct DeclaredVariable {
  std::string name, type;  // type: of an element, "u32", "texref"
  Variable place;
};

// What a kernel needs whatever it is launched with, and what its directives say: cuFuncGetAttribute.
struct Needs {
  std::uint32_t static_shared_bytes = 0, constant_bytes = 0, ptx_version = 0;  // 78: .version 7.8
  std::uint32_t declared_shared_bytes = 0;              // of the static ones, those that nothing uses too
  std::optional<std::uint32_t> local_bytes;             // absent: known only when it runs
  std::uint32_t most_threads = 0;                       // of a CTA: .maxntid, .reqntid, or the device's limit
  std::optional<std::array<std::uint32_t, 3>> cluster;  // .reqnctapercluster
};

// What the declaration of a kernel says.
struct Signature {
  struct Parameter {
    std::string name, type;              // type: of an element, "u64"
    std::uint64_t elements = 1;          // of an array
    bool is_array = false;               // as a struct by value is: `.b8 s[24]`
    std::uint64_t offset = 0, size = 0;  // bytes, in the packed parameter buffer
    std::uint32_t alignment = 1;
    bool is_pointer = false;  // .ptr
  };
  std::string kernel, file;  // file: of the PTX, as its source is called
  std::uint32_t line = 0;    // where the kernel is defined there, from 1
  std::vector<Parameter> parameters;
  std::optional<std::array<std::uint32_t, 3>> block;  // .reqntid
};

struct Function {  // an entry of a module; valid as long as the module is loaded
  Module* module = nullptr;
  std::uint32_t index = 0;
};

// Running launches, of all devices, end with Interrupted as soon as they can. A signal handler may ask for
// it.
void interrupt(int signal);
// The signal that asked; 0: none did.
int interrupted();

// Whether tools hear of memory. That of a module's variables comes and goes with the module: nobody frees it.
enum class Told : std::uint8_t { as_allocated, of_module };

class Device {
 public:
  explicit Device(DeviceOptions options);
  ~Device();

  // --- memory: cuMemAlloc, cuMemFree, cuMemcpy. Throw Refused (overlap, absurd size) or Failed (address not
  // allocated).
  void allocate_at(std::uint64_t address, std::uint64_t size, const std::string& label,
                   Contents contents = Contents::zeros);
  // Memory of the host at an address of the device, until it is freed: cuMemHostAlloc, cuMemAllocManaged.
  void adopt_at(std::uint64_t address, std::byte* host, std::uint64_t size, const std::string& label,
                Told told = Told::as_allocated);
  void free(std::uint64_t address);
  // Kernels may only read the memory that begins there, or write it again: cuMemSetAccess.
  void set_read_only(std::uint64_t address, bool read_only);
  bool is_read_only(std::uint64_t address) const;
  bool is_allocated(std::uint64_t address) const;
  bool holds(std::uint64_t address, std::uint64_t size) const;  // all of it is allocated
  void read(std::uint64_t address, std::span<std::byte> bytes) const;
  void write(std::uint64_t address, std::span<const std::byte> bytes);
  // [address, address + size) becomes what `other` has from `there` on. Of what that was made of, tools are
  // told nothing.
  void mirror(std::uint64_t address, const Device& other, std::uint64_t there, std::uint64_t size);

  // --- arrays, textures, surfaces: cuArrayCreate, cuTexObjectCreate, cuSurfObjectCreate. By the handles the
  // caller chooses; kernels find them there.
  memory::TextureTable& textures();
  // Throws memory::Error.
  std::shared_ptr<memory::Array> make_array(const memory::ArrayShape& shape);

  // --- multicast memory: cuMulticastBindMem, cuMemMap of a multicast object. The places lie in memory of
  // this device, whichever device of the team they are on.
  memory::MulticastTable& multicast();

  // --- modules: cuModuleLoadData, cuLibraryLoadData. The sources are linked together; `placements` gives the
  // addresses of globals that are known already. Bodies are parsed when first launched. Throws ptx::Error,
  // Refused.
  Module* load_module(std::vector<PtxSource> sources, const std::map<std::string, std::uint64_t>& placements);
  void unload_module(Module* module);

  // Throws Refused naming what the module has.
  Function function(Module* module, std::string_view name);
  std::vector<std::string> kernels(const Module* module) const;
  /// `.version` and the architecture of `.target` of each of its texts.
  std::vector<Target> targets(const Module* module) const;
  // A global or constant variable of that name, in whichever of the module's texts.
  std::optional<Variable> variable(const Module* module, std::string_view name) const;
  // All of them, each once, in the order of the texts; those inside of functions are not among them.
  std::vector<DeclaredVariable> variables(const Module* module) const;
  // Throws Refused if the kernel cannot be run at all.
  Needs needs(const Function& function) const;
  std::string name(const Function& function) const;
  std::vector<ParameterSlot> parameters(const Function& function) const;
  Signature signature(const Function& function) const;

  Chosen chosen(std::uint64_t address) const;
  // Kernels may call `function`, an address that chosen() knows, by another address from now on: the one that
  // a recorded program copied to the host on the hardware.
  void call_as(std::uint64_t address, std::uint64_t function);

  // --- launches: cuLaunchKernel. `parameters` is the packed buffer. Throws Refused before anything ran,
  // Failed when the kernel did wrong.
  LaunchStatistics launch(const Function& function, const LaunchConfig& config,
                          std::span<const std::byte> parameters);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace wedjat::device
