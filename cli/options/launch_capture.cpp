#include "cli/options/launch_capture.h"

#include <fmt/format.h>

#include <cstring>
#include <optional>
#include <stdexcept>

#include "cli/options/arguments.h"
#include "emulator/device/error.h"
#include "traces/extract/capture.h"
#include "traces/extract/extract.h"
#include "traces/format/file.h"

namespace wedjat::cli {
namespace {

// Buffers lie where a process on a machine with a GPU has its addresses free, each in pages of its own.
constexpr std::uint64_t first_buffer = 0x0000060000000000u, page = std::uint64_t{2} << 20;

std::vector<std::byte> place(device::Device& device, const device::Signature& signature,
                             const std::vector<Argument>& arguments) {
  const auto& parameters = signature.parameters;
  if (arguments.size() != parameters.size())
    throw std::invalid_argument(fmt::format("kernel {} takes {} arguments, {} are given", signature.kernel,
                                            parameters.size(), arguments.size()));
  std::vector<std::byte> packed(parameters.empty() ? 0 : parameters.back().offset + parameters.back().size);
  std::uint64_t next = first_buffer;
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    const Argument& argument = arguments[i];
    std::vector<std::byte> value = argument.bytes;
    if (argument.kind == Argument::Kind::texels)
      throw std::invalid_argument(fmt::format(
          "--arg {}: textures and surfaces are judged of launches that wedjat extract made", argument.text));
    if (argument.kind == Argument::Kind::buffer) {
      device.allocate_at(next, argument.size, "--arg " + argument.text);
      std::vector<std::byte> contents = argument.bytes;
      contents.resize(argument.size);
      if (!argument.text.starts_with("out:")) device.write(next, contents);
      value.resize(sizeof next);
      std::memcpy(value.data(), &next, sizeof next);
      next += (argument.size + page - 1) / page * page;
    }
    if (value.size() != parameters[i].size)
      throw std::invalid_argument(
          fmt::format("--arg {}: parameter {} of kernel {} has {} bytes, this argument {}", argument.text, i,
                      signature.kernel, parameters[i].size, value.size()));
    std::ranges::copy(value, packed.begin() + static_cast<std::ptrdiff_t>(parameters[i].offset));
  }
  return packed;
}

}  // namespace

traces::Bundle capture_launch(const PtxLaunch& launch, kernel::Contract contract,
                              const device::LaunchLimits& limits) {
  device::LaunchConfig config;
  parse_shape(launch.grid, config.grid);
  parse_shape(launch.block, config.block);
  parse_shape(launch.cluster, config.cluster);
  config.shared_bytes = launch.shared;
  std::vector<Argument> arguments;
  for (const std::string& text : launch.arguments) arguments.push_back(parse_argument(text));
  return capture_launch({launch.file, traces::read_file(launch.file), contract}, launch.entry, config,
                        arguments, limits);
}

traces::Bundle capture_launch(const device::PtxSource& source, const std::string& entry_name,
                              const device::LaunchConfig& config, const std::vector<Argument>& arguments,
                              const device::LaunchLimits& limits) {
  const kernel::Contract contract = source.contract;
  std::optional<traces::Bundle> caught;
  traces::Capture capture([](std::uint64_t, const std::string&) { return true; }, false,
                          [&](traces::Bundle&& bundle) { caught.emplace(std::move(bundle)); });
  hooks::Hooks hooks;
  capture.attach(hooks);
  device::Device device({.threads = 1, .launch_limits = limits, .contract = contract, .hooks = &hooks});
  const std::vector<device::PtxSource> sources = {source};
  device::Module* const module = device.load_module(sources, {});
  const device::Function entry = device.function(module, entry_name);
  const std::vector<std::byte> parameters = place(device, device.signature(entry), arguments);
  capture.announce({0, entry_name, device, module, sources, config, parameters});
  device.launch(entry, config, parameters);
  if (!caught) throw device::Refused("the launch could not be watched");
  traces::ReplayOptions elsewhere;
  elsewhere.threads = 1;
  elsewhere.contract = contract;
  elsewhere.launch_limits = limits;
  make_movable(*caught, elsewhere);
  return std::move(*caught);
}

}  // namespace wedjat::cli
