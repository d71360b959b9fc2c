#include "emulator/device/launch_check.h"

#include <fmt/format.h>

#include <algorithm>

#include "device_limits.h"
#include "emulator/device/error.h"

namespace wedjat::device {
namespace {

using Shape = std::uint32_t[3];

// Of ours: a device takes any product of its limits, but years would not be enough for more.
constexpr std::uint64_t most_ctas = std::uint64_t{1} << 40;

std::uint64_t product(const Shape& shape) { return std::uint64_t{shape[0]} * shape[1] * shape[2]; }

class Check {
 public:
  Check(const ptx::Function& function, const LaunchConfig& config) : function_(function), config_(config) {}

  void shape(const char* what, const Shape& shape, const std::array<std::uint32_t, 3>& most) const {
    for (int i = 0; i < 3; ++i) {
      if (shape[i] == 0) fail(fmt::format("the {} has no extent in {}", what, "xyz"[i]));
      if (shape[i] > most[i])
        fail(fmt::format("{} dimension {} is {}, the device takes {}", what, "xyz"[i], shape[i], most[i]));
    }
  }

  void ctas() const {
    if (const std::uint64_t ctas = product(config_.grid); ctas > most_ctas)
      fail(fmt::format("a grid of {} CTAs would not end in years", ctas));
  }

  void threads() const {
    const std::uint64_t threads = product(config_.block);
    if (threads > limits::threads_per_block) {
      fail(fmt::format("a block of {} threads, the device takes {}", threads, limits::threads_per_block));
    }
    const ptx::Directives& directives = function_.directives;
    if (directives.reqntid) {
      const auto& required = *directives.reqntid;
      for (int i = 0; i < 3; ++i) {
        if (required[i] != config_.block[i]) {
          fail(fmt::format("a block of {}x{}x{}, the kernel says .reqntid {}, {}, {}", config_.block[0],
                           config_.block[1], config_.block[2], required[0], required[1], required[2]));
        }
      }
    }
    if (directives.maxntid) {
      const auto& most = *directives.maxntid;
      const std::uint64_t all = std::uint64_t{most[0]} * most[1] * most[2];
      if (threads > all)
        fail(fmt::format("a block of {} threads, the kernel says .maxntid with {}", threads, all));
    }
  }

  void cluster() const {
    const std::uint64_t ctas = product(config_.cluster);
    if (ctas > limits::cluster_ctas)
      fail(fmt::format("a cluster of {} CTAs, the device takes {}", ctas, limits::cluster_ctas));
    const ptx::Directives& directives = function_.directives;
    if (directives.maxclusterrank != 0 && ctas > directives.maxclusterrank)
      fail(fmt::format("a cluster of {} CTAs, the kernel says .maxclusterrank {}", ctas,
                       directives.maxclusterrank));
    for (int i = 0; i < 3; ++i) {
      if (directives.reqnctapercluster && (*directives.reqnctapercluster)[i] != config_.cluster[i])
        fail(fmt::format("cluster dimension {} is {}, the kernel says .reqnctapercluster with {}", "xyz"[i],
                         config_.cluster[i], (*directives.reqnctapercluster)[i]));
      if (config_.grid[i] % config_.cluster[i] != 0) {
        fail(fmt::format("grid dimension {} is {}, no multiple of the cluster's {}", "xyz"[i],
                         config_.grid[i], config_.cluster[i]));
      }
    }
  }

  void shared(std::uint32_t fixed) const {
    const std::uint64_t all = std::uint64_t{fixed} + config_.shared_bytes;
    if (all > limits::shared_bytes_per_block) {
      fail(fmt::format("{} bytes of shared memory ({} static, {} dynamic), the device has {} for a block",
                       all, fixed, config_.shared_bytes, limits::shared_bytes_per_block));
    }
  }

  void local(const kernel::Kernel& kernel) const {
    const std::uint64_t bytes =
        std::max(kernel.local_bytes.value_or(0), kernel.functions.front().local_bytes);
    if (bytes > limits::local_bytes_per_thread)
      fail(fmt::format("{} bytes of local memory for a thread, the device has {}", bytes,
                       limits::local_bytes_per_thread));
  }

  void parameters(std::uint32_t declared, std::size_t given) const {
    if (declared > limits::parameter_bytes) {
      fail(fmt::format("{} bytes of parameters, the device takes {}", declared, limits::parameter_bytes));
    }
    if (given != declared)
      fail(fmt::format("{} bytes of parameters are given, the kernel declares {}", given, declared));
  }

 private:
  [[noreturn]] void fail(const std::string& what) const {
    throw Refused(fmt::format("launch of {}: {}", function_.name, what));
  }

  const ptx::Function& function_;
  const LaunchConfig& config_;
};

}  // namespace

LaunchConfig with_cluster(const ptx::Function& function, LaunchConfig config) {
  const auto& required = function.directives.reqnctapercluster;
  if (required && product(config.cluster) == 1) std::copy(required->begin(), required->end(), config.cluster);
  return config;
}

void check_launch(const ptx::Function& function, const kernel::Kernel& kernel, const LaunchConfig& config,
                  std::size_t parameter_bytes) {
  const Check check(function, config);
  check.shape("grid", config.grid, limits::grid);
  check.shape("block", config.block, limits::block);
  check.shape("cluster", config.cluster, limits::grid);
  check.ctas();
  check.threads();
  check.cluster();
  check.local(kernel);
  check.shared(kernel.static_shared_bytes);
  check.parameters(kernel.parameter_bytes, parameter_bytes);
}

}  // namespace wedjat::device
