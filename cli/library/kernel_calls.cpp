// Kernels: what they take, and their launches.
#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "cli/library/objects.h"
#include "emulator/device/error.h"

using namespace wedjat;
using namespace wedjat::library;

namespace {

[[noreturn]] void wrong(const device::Signature& kernel, const std::string& message) {
  throw WrongArgument(fmt::format("kernel {} ({}:{}): {}", kernel.kernel, kernel.file, kernel.line, message),
                      kernel.file, kernel.line);
}

std::uint64_t packed_bytes(const device::Signature& kernel) {
  return kernel.parameters.empty() ? 0 : kernel.parameters.back().offset + kernel.parameters.back().size;
}

std::vector<std::byte> packed(const device::Signature& kernel, const WedjatArgument* arguments,
                              std::size_t count) {
  if (count != kernel.parameters.size())
    wrong(kernel, fmt::format("it takes {} arguments, {} are given", kernel.parameters.size(), count));
  if (count != 0) need(arguments, "arguments");
  std::vector<std::byte> bytes(packed_bytes(kernel));
  for (std::size_t i = 0; i < count; ++i) {
    const device::Signature::Parameter& parameter = kernel.parameters[i];
    if (arguments[i].bytes != parameter.size)
      wrong(kernel, fmt::format("parameter {} ({}, .{}) has {} bytes, argument {} has {}", i, parameter.name,
                                parameter.type, parameter.size, i, arguments[i].bytes));
    if (parameter.size == 0) continue;
    if (arguments[i].data == nullptr)
      wrong(kernel, fmt::format("argument {} ({}) is NULL", i, parameter.name));
    std::memcpy(&bytes[parameter.offset], arguments[i].data, parameter.size);
  }
  return bytes;
}

device::LaunchConfig config_of(const WedjatLaunch* given) {
  need(given, "launch");
  const WedjatLaunch launch = taken(given, "launch");
  device::LaunchConfig config;
  for (int i = 0; i < 3; ++i) {
    config.grid[i] = i > 0 && launch.grid[i] == 0 ? 1 : launch.grid[i];
    config.block[i] = i > 0 && launch.block[i] == 0 ? 1 : launch.block[i];
    config.cluster[i] = launch.cluster[i] == 0 ? 1 : launch.cluster[i];
  }
  config.shared_bytes = launch.shared_bytes;
  config.cooperative = launch.cooperative != 0;
  return config;
}

}  // namespace

extern "C" {

WedjatStatus wedjat_kernel_info(WedjatKernel* kernel, WedjatKernelInfo* info) {
  return guarded(__func__, [&] {
    const OnKernel found = on(kernel);
    const device::Signature& signature = found.kernel->signature;
    WedjatKernelInfo told{};
    told.name = signature.kernel.c_str();
    told.file = signature.file.c_str();
    told.line = signature.line;
    told.parameter_count = static_cast<std::uint32_t>(signature.parameters.size());
    told.parameter_bytes = packed_bytes(signature);
    if (signature.block) std::ranges::copy(*signature.block, told.required_block);
    give(told, info, "info");
  });
}

WedjatStatus wedjat_kernel_needs(WedjatKernel* kernel, WedjatKernelNeeds* needs) {
  return guarded(__func__, [&] {
    const OnKernel found = on(kernel);
    need(needs, "needs");
    const device::Needs known = found.module.turn.device().needs(found.kernel->function);
    WedjatKernelNeeds told{};
    told.static_shared_bytes = known.static_shared_bytes;
    told.constant_bytes = known.constant_bytes;
    told.local_bytes = known.local_bytes ? std::uint64_t{*known.local_bytes} : UINT64_MAX;
    told.most_threads = known.most_threads;
    told.ptx_version = known.ptx_version;
    if (known.cluster) std::ranges::copy(*known.cluster, told.required_cluster);
    give(told, needs, "needs");
  });
}

WedjatStatus wedjat_kernel_parameter(WedjatKernel* kernel, size_t index, WedjatParameter* parameter) {
  return guarded(__func__, [&] {
    const OnKernel found = on(kernel);
    const device::Signature& signature = found.kernel->signature;
    if (index >= signature.parameters.size())
      wrong(signature, fmt::format("parameter {} of {}", index, signature.parameters.size()));
    const device::Signature::Parameter& known = signature.parameters[index];
    WedjatParameter told{};
    told.name = known.name.c_str();
    told.type = known.type.c_str();
    told.elements = known.elements;
    told.offset = known.offset;
    told.bytes = known.size;
    told.alignment = known.alignment;
    told.is_array = known.is_array;
    told.is_pointer = known.is_pointer;
    give(told, parameter, "parameter");
  });
}

WedjatStatus wedjat_kernel_launch(WedjatKernel* kernel, const WedjatLaunch* launch,
                                  const WedjatArgument* arguments, size_t argument_count,
                                  WedjatStatistics* statistics) {
  return guarded(__func__, [&] {
    const OnKernel found = on(kernel);
    const Turn& turn = found.module.turn;
    const device::Signature& signature = found.kernel->signature;
    const device::LaunchConfig config = config_of(launch);
    const std::vector<std::byte> parameters = packed(signature, arguments, argument_count);
    if (statistics != nullptr) give(WedjatStatistics{}, statistics, "statistics");
    const Interruptible interruptible;
    try {
      const device::LaunchStatistics ran = turn.device().launch(found.kernel->function, config, parameters);
      if (statistics != nullptr)
        give(WedjatStatistics{sizeof(WedjatStatistics), ran.seconds, ran.thread_instructions,
                              ran.warp_instructions, ran.steps, ran.native_steps},
             statistics, "statistics");
    } catch (const device::Refused& refusal) {
      if (!refusal.file.empty()) throw;
      throw device::Refused(refusal.what(), signature.file, signature.line, 0);
    }
  });
}
}
