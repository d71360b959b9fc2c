// One launch of a kernel: what every CTA of its grid shares.
#pragma once
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string_view>
#include <unordered_map>

#include "device_limits.h"
#include "emulator/kernel/lowered/kernel.h"
#include "emulator/memory/device_memory.h"
#include "emulator/memory/heap.h"
#include "emulator/memory/multicast.h"
#include "emulator/memory/read_only.h"
#include "emulator/memory/textures.h"
#include "emulator/memory/windows.h"

namespace wedjat::exec {

struct Dim3 {
  std::uint32_t x = 1, y = 1, z = 1;
  std::uint64_t count() const { return std::uint64_t{x} * y * z; }
};

/// Lanes of a warp that is not the last of several, in a CTA of so many threads.
constexpr std::uint32_t lanes_of_warp(std::uint64_t threads) {
  return threads < 32 ? (1u << threads) - 1 : ~std::uint32_t{0};
}

/// Lanes of the last of several warps if it has fewer than the others, else 0.
constexpr std::uint32_t lanes_of_rest(std::uint64_t threads) {
  return threads < 32 ? 0 : (1u << threads % 32) - 1;
}

struct LaunchOptions {
  unsigned threads = 1;  ///< host threads; results do not depend on it
  std::uint64_t step_limit =
      0;  ///< steps the warps of one CTA may run before it counts as a run-away; 0: any number
  std::uint64_t launch_step_limit = 0;  ///< the same of all CTAs together
  std::uint64_t local_limit =
      limits::local_bytes_per_thread;  ///< local memory of a thread whose need is not known before it runs
  bool side_by_side = false;  ///< warps and CTAs advance together, block by block of instructions, as on
                              ///< hardware, on one host thread; else each goes far before the next one
  std::uint32_t shuffle = 0;  ///< not 0: warps and CTAs take turns in another order, which this number says,
                              ///< on one host thread (sched/shuffle.h)
  std::byte unwritten{0};     ///< each byte of shared and local memory before anything is written there
};

struct CtaState;
struct Probes;
class KeptWrites;
class LaunchWatch;
class NativeKernel;

/// Sees CTAs come and go, on the thread that runs them. What happens inside them it sees through steps of its
/// own (Warp::discount).
class Observer {
 public:
  virtual void begins(CtaState& cta) = 0;
  virtual void ends(CtaState& cta) = 0;
  virtual void warp_ends(CtaState& cta, std::uint32_t warp) = 0;
  /// malloc() gave a block of the device heap.
  virtual void allocates(std::uint64_t address, std::uint64_t bytes) = 0;
  virtual void frees(std::uint64_t address) = 0;
  /// The probes of the launch's kernel; null: it has none.
  virtual std::shared_ptr<const Probes> probes() const { return nullptr; }
  /// Whether it has to see the end of each warp before another one runs.
  virtual bool watches_warps() const { return true; }

 protected:
  ~Observer() = default;
};

struct Launch {
  const kernel::Kernel& kernel;
  Dim3 grid, block, cluster;
  std::uint32_t dynamic_shared_bytes = 0;
  std::span<const std::byte> parameters;  ///< kernel.parameter_bytes
  memory::DeviceMemory& memory;
  memory::Window constants{};                      ///< the constant variables of its module
  memory::Heap* heap = nullptr;                    ///< null: malloc() in the kernel gives null
  const memory::TextureTable* textures = nullptr;  ///< null: there are none
  const memory::MulticastTable* multicast = nullptr;
  const memory::ReadOnly* read_only = nullptr;  ///< null: there is none
  const std::unordered_map<std::uint64_t, std::uint64_t>* called_as =
      nullptr;  ///< other addresses by which functions may be called; null: there are none
  std::function<void(std::string_view)>
      print;  ///< what printf prints, in an order that does not depend on `threads`; may be empty
  std::uint64_t grid_id = 1;
  std::uint64_t grid_workspace =
      0;                    ///< of a cooperative launch: where its grid barrier lies; %envreg1, %envreg2
  std::uint64_t graph = 0;  ///< a node of which it is; %current_graph_exec
  LaunchOptions options;
  Observer* observer = nullptr;
  NativeKernel* native = nullptr;  ///< null: everything is interpreted
  LaunchWatch* watch = nullptr;    ///< null: nobody wants to know what its CTAs touch
  KeptWrites* kept = nullptr;      ///< null: what it writes need not be kept

  std::uint32_t shared_bytes() const { return kernel.static_shared_bytes + dynamic_shared_bytes; }
};

}  // namespace wedjat::exec
