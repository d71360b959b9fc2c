// The state of a replay, shared by the handlers of driver calls.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <unordered_map>

#include "emulator/device/device.h"
#include "traces/replay/graphs.h"
#include "traces/replay/replay.h"

namespace wedjat::traces {

// Memory the program sees at `host` and the device at `device`: pinned, registered or managed.
struct HostRange {
  std::uint64_t host = 0, device = 0, size = 0;
  bool allocated = false;  // by us; false where it lies in memory that existed already (a managed variable)
};

class Replayer {
 public:
  Replayer(const Trace& trace, const Calls& calls, const ReplayOptions& options);
  ReplayReport run();

  device::Device& device() { return *device_; }
  const Trace& trace() const { return trace_; }
  Graphs& graphs() { return graphs_; }

  // Does what the call does; refuses one that no handler knows.
  void carry_out(const Call& call);

  [[noreturn]] void refuse(const Call& call, const std::string& cause) const;

  // Where the device finds host memory at `address`, if the program shares it with the device.
  std::optional<std::uint64_t> shared_with_device(std::uint64_t address) const;
  // A device address, or a host address that the device sees too.
  std::optional<std::uint64_t> resolve(std::uint64_t address) const;

  // Compares `expected`, which the hardware brought from `address`, with what we have there (packed as
  // `got`).
  void check(const Call& call, const std::string& what, std::uint64_t address, const Bytes& expected,
             const Bytes& got);

  // Handlers, by file.
  void allocate(const Call& call, std::uint64_t address, std::uint64_t size);
  void release(const Call& call, std::uint64_t address);
  void load_images(const Call& call, std::uint64_t handle);
  void unload(std::uint64_t handle);
  void alias_module(std::uint64_t handle, std::uint64_t same_as) { aliases_[handle] = same_as; }
  void launch(const Call& call, std::uint64_t function, const std::uint32_t (&grid)[3],
              const std::uint32_t (&block)[3], const std::uint32_t (&cluster)[3], std::uint32_t shared_bytes,
              bool cooperative);

 private:
  struct Kernel {
    std::string name;
    std::uint64_t parent = 0;
  };

  void before(const Call& call);
  void after(const Call& call);
  void learn(const Event& event);  // kernel_info
  void host_range(const Call& call, const Event& event);
  void apply_delta(const Event& event);
  void check_delta(const Call& call, const Event& event);
  std::map<std::string, std::uint64_t> recorded_globals(std::size_t load, std::uint64_t handle) const;

  const Trace& trace_;
  const Calls& calls_;
  const ReplayOptions& options_;
  std::unique_ptr<device::Device> device_;
  std::size_t current_ = 0;                                     // index of the call being replayed
  std::map<std::uint64_t, HostRange> host_ranges_;              // by host address
  std::unordered_map<std::uint64_t, device::Module*> modules_;  // CUmodule, CUlibrary
  std::unordered_map<std::uint64_t, std::string>
      no_ptx_;  // handles of images without PTX: what they hold instead
  std::unordered_map<std::uint64_t, std::uint64_t> aliases_;  // CUmodule of a CUlibrary
  std::unordered_map<std::uint64_t, Kernel> kernels_;         // CUfunction, CUkernel
  Graphs graphs_;
  std::vector<std::string> kernels_since_check_;
  ReplayReport report_;
};

// What to do for a driver call, by its base name. Null: refuse it. Calls without effect on memory, code or
// results have one that does nothing.
using Handler = void (*)(Replayer&, const Call&);
Handler handler_of(const std::string& base);

}  // namespace wedjat::traces
