#include "interposer/ptx_run/ptx_run.h"

#include <fmt/format.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <mutex>
#include <stdexcept>
#include <string>
#include <unordered_map>
#include <vector>

#include "interposer/ptx_run/host_maps.h"

namespace wedjat::ptx_run {
namespace {

class Runner {
 public:
  void run(const std::string& source, const std::vector<std::uint64_t>& arguments,
           const device::LaunchConfig& config) {
    const device::Function kernel = kernel_of(source);
    const auto slots = device_->parameters(kernel);
    if (slots.size() != arguments.size())
      throw std::runtime_error(fmt::format("kernel {} has {} parameters, {} arguments are given",
                                           device_->name(kernel), slots.size(), arguments.size()));
    std::vector<std::byte> packed(slots.empty() ? 0 : slots.back().offset + slots.back().size);
    for (std::size_t i = 0; i < slots.size(); ++i) {
      if (slots[i].size > sizeof arguments[i])
        throw std::runtime_error(fmt::format("parameter {} of kernel {} has {} bytes, an argument has {}", i,
                                             device_->name(kernel), slots[i].size, sizeof arguments[i]));
      std::memcpy(packed.data() + slots[i].offset, &arguments[i], slots[i].size);
    }
    maps_.update(*device_);
    device_->launch(kernel, config, packed);
    std::fflush(stdout);
  }

 private:
  static std::unique_ptr<device::Device> make_device() {
    device::DeviceOptions options;
    // Where CTAs turn out to disturb each other, several threads put memory back in pieces that may hold
    // bytes of others, the allocator of this process above all.
    options.threads = 1;
    options.print = [](std::string_view text) { std::fwrite(text.data(), 1, text.size(), stdout); };
    return std::make_unique<device::Device>(std::move(options));
  }

  device::Function kernel_of(const std::string& source) {
    constexpr std::size_t most = 4096;  // texts: a suite of tests has many that come once
    if (kernels_.size() == most) {
      kernels_.clear();
      maps_ = {};
      device_ = make_device();
    }
    if (const auto known = kernels_.find(source); known != kernels_.end()) return known->second;
    device::Module* const module = device_->load_module({{"ptx_run", source}}, {});
    const std::vector<std::string> names = device_->kernels(module);
    if (names.empty()) throw std::runtime_error("the PTX text has no kernel");
    return kernels_[source] = device_->function(module, names.front());
  }

  std::unique_ptr<device::Device> device_ = make_device();
  HostMaps maps_;
  std::unordered_map<std::string, device::Function> kernels_;  // by text
};

std::uint32_t extent(int value, const char* what) {
  if (value < 0) throw std::runtime_error(fmt::format("{} is {}", what, value));
  return static_cast<std::uint32_t>(value);
}

}  // namespace
}  // namespace wedjat::ptx_run

extern "C" __attribute__((visibility("default"))) void ptx_run(const char* source, int n_args, void** args,
                                                               int block_x, int block_y, int block_z,
                                                               int grid_x, int grid_y, int grid_z,
                                                               int shared_bytes) {
  using namespace wedjat::ptx_run;
  static std::mutex& mutex = *new std::mutex;
  static Runner& runner = *new Runner;
  const std::lock_guard lock(mutex);
  try {
    if (source == nullptr || (n_args > 0 && args == nullptr)) throw std::runtime_error("a pointer is null");
    std::vector<std::uint64_t> arguments;
    for (int i = 0; i < n_args; ++i) arguments.push_back(reinterpret_cast<std::uint64_t>(args[i]));
    runner.run(source, arguments,
               {{extent(grid_x, "grid_x"), extent(grid_y, "grid_y"), extent(grid_z, "grid_z")},
                {extent(block_x, "block_x"), extent(block_y, "block_y"), extent(block_z, "block_z")},
                {1, 1, 1},
                extent(shared_bytes, "shared_bytes")});
  } catch (const std::exception& error) {
    std::fflush(stdout);
    std::fprintf(stderr, "ptx_run: %s\n", error.what());
    std::abort();
  }
}
