#include "cli/expect/bundle.h"

#include <algorithm>

#include "cli/expect/device.h"
#include "cli/options/launch_capture.h"
#include "emulator/device/error.h"

namespace wedjat::expect {
namespace {

std::vector<cli::Argument> arguments_of(const Launch& launch) {
  std::vector<cli::Argument> all;
  for (const std::string& name : launch.arguments) {
    cli::Argument& argument = all.emplace_back();
    argument.text = name;
    if (const Buffer* const buffer = launch.buffer(name)) {
      argument.kind = cli::Argument::Kind::buffer;
      argument.bytes = first_contents(*buffer);
      argument.size = argument.bytes.size();
      if (buffer->use == Buffer::Use::out) argument.text = "out:" + name;
      continue;
    }
    const auto scalar = std::ranges::find(launch.scalars, name, &Scalar::name);
    if (scalar != launch.scalars.end()) argument.bytes = scalar->bytes;
  }
  return all;
}

device::LaunchConfig config_of(const Launch& launch) {
  device::LaunchConfig config;
  std::ranges::copy(launch.grid, config.grid);
  std::ranges::copy(launch.block, config.block);
  for (int i = 0; i < 3; ++i) config.cluster[i] = std::max(launch.cluster[i], 1u);
  config.shared_bytes = launch.shared;
  config.cooperative = launch.cooperative;
  return config;
}

}  // namespace

traces::Bundle bundle_of(const std::string& name, const std::string& ptx, const Launch& launch,
                         kernel::Contract contract, const device::LaunchLimits& limits) {
  if (std::ranges::any_of(launch.buffers,
                          [](const Buffer& buffer) { return buffer.use == Buffer::Use::variable; }))
    throw device::Refused("it would give no values to variables of the module");
  return cli::capture_launch({name, ptx, contract}, launch.kernel, config_of(launch), arguments_of(launch),
                             limits);
}

}  // namespace wedjat::expect
