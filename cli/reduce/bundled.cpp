#include "cli/reduce/bundled.h"

#include <fmt/format.h>

#include <algorithm>

#include "cli/expect/device.h"
#include "cli/options/launch_capture.h"
#include "emulator/device/error.h"
#include "emulator/ptx/text/error.h"
#include "traces/bundle/bundle.h"

namespace wedjat::reduce {
namespace {

std::vector<cli::Argument> arguments_of(const expect::Launch& launch) {
  std::vector<cli::Argument> all;
  for (const std::string& name : launch.arguments) {
    cli::Argument& argument = all.emplace_back();
    argument.text = name;
    if (const expect::Buffer* const buffer = launch.buffer(name)) {
      argument.kind = cli::Argument::Kind::buffer;
      argument.bytes = expect::first_contents(*buffer);
      argument.size = argument.bytes.size();
      if (buffer->use == expect::Buffer::Use::out) argument.text = "out:" + name;
      continue;
    }
    const auto scalar = std::ranges::find(launch.scalars, name, &expect::Scalar::name);
    if (scalar != launch.scalars.end()) argument.bytes = scalar->bytes;
  }
  return all;
}

device::LaunchConfig config_of(const expect::Launch& launch) {
  device::LaunchConfig config;
  std::ranges::copy(launch.grid, config.grid);
  std::ranges::copy(launch.block, config.block);
  for (int i = 0; i < 3; ++i) config.cluster[i] = std::max(launch.cluster[i], 1u);
  config.shared_bytes = launch.shared;
  config.cooperative = launch.cooperative;
  return config;
}

std::string none(const std::string& why) { return "There is no program in C: " + why + ".\n"; }

}  // namespace

std::string write_bundle(const std::filesystem::path& folder, const Case& of, kernel::Contract contract,
                         const device::LaunchLimits& limits) {
  if (traces::is_bundle(folder)) std::filesystem::remove_all(folder);
  if (of.launches.size() != 1) return none("it would launch once, and this takes several launches");
  const expect::Launch& launch = of.launches[0];
  if (std::ranges::any_of(launch.buffers, [](const expect::Buffer& buffer) {
        return buffer.use == expect::Buffer::Use::variable;
      }))
    return none("it would give no values to variables of the module");
  try {
    const traces::Bundle bundle = cli::capture_launch({"reduced.ptx", of.ptx(), contract}, launch.kernel,
                                                      config_of(launch), arguments_of(launch), limits);
    traces::write_bundle(folder, bundle);
  } catch (const device::Failed& error) {
    return none(fmt::format("the launch ends here with an error, \"{}\"", error.what()));
  } catch (const device::Refused& error) {
    return none(error.what());
  } catch (const ptx::Error& error) {
    return none(error.what());
  }
  return "`make -C bundle run` launches it with a program in C (`bundle/main.c`), of the driver API alone, "
         "and says which bytes differ from what the emulator leaves. `make -C bundle answers` compiles it at "
         "every level of ptxas and through the driver, for `wedjat judge --answer bundle`.\n";
}

}  // namespace wedjat::reduce
