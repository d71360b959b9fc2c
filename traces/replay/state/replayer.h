// The state of a replay, shared by the handlers of driver calls.
#pragma once

#include <cstring>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <unordered_map>

#include "emulator/device/device.h"
#include "emulator/device/error.h"
#include "traces/read/image.h"
#include "traces/replay/state/accounts.h"
#include "traces/replay/state/chosen_addresses.h"
#include "traces/replay/state/contexts.h"
#include "traces/replay/state/graphs.h"
#include "traces/replay/state/host_memory.h"
#include "traces/replay/state/links.h"
#include "traces/replay/state/multicast_objects.h"
#include "traces/replay/state/options.h"
#include "traces/replay/state/parameter_layout.h"
#include "traces/replay/state/shared_handles.h"
#include "traces/replay/state/virtual_memory.h"

namespace wedjat::traces {

class Replayer {
 public:
  Replayer(const Trace& trace, const Calls& calls, const ReplayOptions& options,
           SharedHandles& shared_handles, Accounts& accounts);
  // One call after the other, by sequence number; then what is left to compare.
  bool done() const { return current_ == calls_.calls.size(); }
  std::uint64_t next() const;
  void step();
  ReplayReport finish();

  device::Device& device() { return *device_; }
  const Trace& trace() const { return trace_; }
  Graphs& graphs() { return graphs_; }
  Links& links() { return links_; }
  VirtualMemory& virtual_memory() { return virtual_memory_; }
  MulticastObjects& multicast_objects() { return multicast_objects_; }
  HostMemory& host_memory() { return host_memory_; }
  SharedHandles& shared_handles() { return shared_handles_; }
  Accounts& accounts() { return accounts_; }

  // Tells tools of a graph's node before it is carried out; `node`: the call that made it.
  void tell_node(const Call& launch, const Call& node, std::uint32_t index) const;

  // Warp instructions of all launches so far, and the end of a loop that took too many since.
  std::uint64_t steps() const { return steps_; }
  void check_steps(const Call& call, std::uint64_t before) const;

  // Does what the call does; refuses one that no handler knows.
  void carry_out(const Call& call);

  [[noreturn]] void refuse(const Call& call, const std::string& cause) const;

  // The first element of a handle or address the call gave out.
  std::uint64_t given_out(const Call& call, const char* field) const;

  // What parameter `name` points to when the call begins: structs, or 64-bit numbers. From the event, or the
  // payload recorded instead of a long one.
  Bytes input(const Call& call, const std::string& name) const;
  std::vector<std::uint64_t> inputs(const Call& call, const std::string& name) const;

  // The `index`-th struct in there. Refuses the call if it is not whole.
  template <class T>
  T structure(const Call& call, const Bytes& bytes, std::size_t index = 0) const {
    static_assert(std::is_trivially_copyable_v<T>);
    if (bytes.size() < (index + 1) * sizeof(T)) refuse(call, "its description was not recorded whole");
    T value;
    std::memcpy(&value, bytes.data() + index * sizeof value, sizeof value);
    return value;
  }
  template <class T>
  T structure(const Call& call, const std::string& name) const {
    return structure<T>(call, input(call, name));
  }

  // A device address, or a host address that the device sees too.
  std::optional<std::uint64_t> resolve(std::uint64_t address);

  // Runs `action` when the replay has come to that sequence number.
  void later(std::uint64_t sequence, std::function<void()> action) {
    later_.emplace(sequence, std::move(action));
  }
  // Refuses what would need more of this machine's memory at once than it may (ReplayOptions::memory_limit).
  void check_size(const Call& call, std::uint64_t bytes) const;
  // For what a copy moves, and what it should have moved: memory that is used again.
  std::pair<Bytes, Bytes>& copy_buffers() { return copy_buffers_; }
  // Writes what the event tells to memory of the device, part by part.
  void write_recorded(const Event& event, std::uint64_t at) const;
  // Compares what the event tells with memory of the device, part by part; only what differs is held whole.
  void check_recorded(const Call& call, const std::string& what, std::uint64_t address, std::uint64_t at,
                      const Event& event);
  // The same for bytes that `read` gives, from an offset on.
  using Read = std::function<void(std::uint64_t, std::span<std::byte>)>;
  void check_recorded(const Call& call, const std::string& what, std::uint64_t address, const Event& event,
                      const Read& read);
  bool as_recorded(const Event& event, const Read& read);
  void report_as_recorded(const Call& call, const std::string& what, std::uint64_t address,
                          const Event& event);
  // Contents that the trace should have and has not.
  void not_compared(const Call& call, const std::string& cause);
  // A host function of `call` runs once more: what it wrote.
  void run_host_function(const Call& call);

  // Compares `expected`, which the hardware brought from `address`, with what we have there (packed as
  // `got`). `of`: the event that recorded it, if it is one.
  void check(const Call& call, const std::string& what, std::uint64_t address, const Bytes& expected,
             const Bytes& got, const Event* of = nullptr);

  // Handlers, by file.
  void allocate(const Call& call, std::uint64_t address, std::uint64_t size,
                device::Contents contents = device::Contents::left);
  void release(const Call& call, std::uint64_t address);
  // Address and size of the allocation that holds this one.
  std::pair<std::uint64_t, std::uint64_t> allocation_of(const Call& call, std::uint64_t address) const;
  // A context is gone, perhaps with everything in it: what the driver gives out from now on may lie where
  // memory or variables of it lay.
  void drop_context();
  void load_images(const Call& call, std::uint64_t handle);
  void unload(std::uint64_t handle);
  void alias_module(std::uint64_t handle, std::uint64_t same_as) { aliases_[handle] = same_as; }
  // The packed parameters of a kernel that the call launches or makes a node of.
  Bytes parameters_of(const Call& call) const;
  // False if the kernel was stepped over. `context`: where, if the call itself names one.
  bool launch(const Call& call, std::uint64_t function, const device::LaunchConfig& config,
              std::uint64_t context = 0);
  // Does what a launch did on the hardware, if the trace holds that; false if it does not.
  bool step_over(const Call& call, const std::string& kernel);
  void check_effects(const Call& call);
  // What was compared goes to the report.
  void report(Checked checked);
  // What brought the event about: the call, or the end of the program behind it.
  static std::string_view cause(const Call& call, const Event& event);
  // Compares what the hardware's memory held when `call` gave it back, or, after the last one, at the end.
  void check_held(const Call& call, const Event& event);
  // Why there is no PTX for that function; empty if there is.
  std::string no_ptx(std::uint64_t function) const;

 private:
  struct Kernel {
    std::string name;
    std::uint64_t parent = 0;
    DriverLayout parameters;
    std::uint32_t registers = 0;  // of a thread; 0: not recorded
  };

  using Placements = std::map<std::string, std::uint64_t>;  // name -> address
  struct Globals {
    std::map<std::uint64_t, Placements> by_context;
    Placements managed;  // the same in all contexts
  };
  struct Loaded {
    std::vector<device::PtxSource> sources;
    Globals globals;
    std::map<std::uint64_t, device::Module*> instances;  // by context
  };

  void tell(const Call& call, bool is_exit) const;
  [[noreturn]] void add_hardware(const device::Failed& failure) const;
  std::uint64_t captured_node(const Call& call) const;
  void schedule(const Call& call);
  void schedule_delta(const Call& call, const Event& event);
  void schedule_at_end(const Event& event);
  void run_until(std::uint64_t sequence);
  void learn(const Event& event);  // kernel_info
  void host_range(const Call& call, const Event& event);
  void host_delta_before(const Call& call, const Event& event);
  void host_delta(const Call& call, const Event& event);
  // Whether the event's bytes all lie in one range; says why not otherwise.
  bool is_recorded_whole(const Event& event);
  void host_idle(const Call& call, const Event& event);
  void host_rest(const Call& call, const Event& event);
  void check_hash(const Event& event, std::uint64_t address, std::uint64_t size);
  bool others_work(const Call& call, std::uint64_t sequence);
  void settle(HostRange& range);
  void compare_freed(const Call& call, std::uint64_t address);
  void compare_recorded(const Call& call, HostRange& range);
  Globals recorded_globals(std::size_t load, std::uint64_t handle) const;
  void load_parts(const Call& call, std::uint64_t handle, const std::vector<Links::Part>& parts,
                  std::vector<Bytes> contents);
  void load(std::uint64_t handle, std::vector<device::PtxSource> sources);
  device::Module* instantiate(Loaded& loaded, std::uint64_t context);
  device::Module* module_in(std::uint64_t handle, std::uint64_t context);
  const std::vector<device::PtxSource>& sources_of(std::uint64_t handle) const;
  void drop_stale_modules();
  kernel::Contract compiled(const Call& call, const ImageEntry& ptx, const ImageEntry* code,
                            const Event* made) const;

  const Trace& trace_;
  const Calls& calls_;
  const ReplayOptions& options_;
  Accounts& accounts_;
  std::unique_ptr<device::Device> device_;
  std::size_t current_ = 0, loose_ = 0;                        // index of the call being replayed
  std::multimap<std::uint64_t, std::function<void()>> later_;  // by sequence number
  HostMemory host_memory_;
  bool rests_ = false;                                 // the hardware had nothing to do
  std::vector<const Call*> open_;                      // with an effect, perhaps not over where the replay is
  std::unordered_map<const Call*, std::size_t> runs_;  // of host functions
  Contexts contexts_;
  std::unordered_map<std::uint64_t, Loaded> modules_;  // CUmodule, CUlibrary
  std::unordered_map<std::uint64_t, std::string>
      no_ptx_;  // handles of images without PTX: what they hold instead
  std::unordered_map<std::uint64_t, std::uint64_t> aliases_;  // CUmodule or CUkernel of a CUlibrary
  std::unordered_map<std::uint64_t, Kernel> kernels_;         // CUfunction, CUkernel
  std::map<std::uint64_t, std::uint64_t> allocations_,
      stale_;  // address -> size; stale: of a context that is gone
  std::vector<std::pair<std::uint64_t, device::Module*>> stale_modules_;  // by handle
  Graphs graphs_;
  Links links_;
  VirtualMemory virtual_memory_;
  MulticastObjects multicast_objects_;
  SharedHandles& shared_handles_;
  ChosenAddresses chosen_addresses_;
  std::vector<std::string> kernels_since_check_;
  std::optional<Checked> unchanged_;  // by kernels, though they might have, at the last rest
  std::uint64_t steps_ = 0;
  std::pair<Bytes, Bytes> copy_buffers_;
  ReplayReport report_;
};

// What to do for a driver call, by its base name. Null: refuse it. Calls without effect on memory, code or
// results have one that does nothing.
using Handler = void (*)(Replayer&, const Call&);
Handler handler_of(const std::string& base);
bool has_effect(const std::string& base);  // false for those that do nothing
std::string_view why_refused(const std::string& base);

}  // namespace wedjat::traces
