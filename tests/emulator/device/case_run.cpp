#include "tests/emulator/device/case_run.h"

#include <algorithm>
#include <cstring>
#include <map>
#include <stdexcept>

#include "emulator/device/device.h"
#include "emulator/device/error.h"
#include "emulator/ptx/text/error.h"

namespace wedjat::test {
namespace {

constexpr std::uint64_t first_buffer = 0x7f0000000000, apart = 0x1000000;

using Kind = CaseArgument::Kind;

memory::ChannelFormat channel_format(const std::string& type) {
  static const std::map<std::string, memory::ChannelFormat> formats{
      {"u8", memory::ChannelFormat::u8},   {"u16", memory::ChannelFormat::u16},
      {"u32", memory::ChannelFormat::u32}, {"s8", memory::ChannelFormat::s8},
      {"s16", memory::ChannelFormat::s16}, {"s32", memory::ChannelFormat::s32},
      {"f32", memory::ChannelFormat::f32}};
  return formats.at(type);
}

// The arguments on a device: what a kernel is given for each, and what they hold afterwards.
class Arguments {
 public:
  Arguments(device::Device& device, const CaseFile& file) : device_(device), file_(file) {
    for (const CaseArgument& argument : file.arguments) {
      placed_.push_back({first_buffer + placed_.size() * apart, {}, nullptr});
      place(argument, placed_.back());
    }
  }

  std::vector<std::byte> parameters(const device::Function& function) const {
    const auto slots = device_.parameters(function);
    std::vector<std::byte> bytes(slots.empty() ? 0 : slots.back().offset + slots.back().size);
    for (std::size_t i = 0; i < slots.size() && i < placed_.size(); ++i) {
      const CaseArgument& argument = file_.arguments[i];
      const bool value = argument.kind == Kind::value;
      const void* from = value ? static_cast<const void*>(argument.bytes.data()) : &placed_[i].given;
      std::memcpy(bytes.data() + slots[i].offset, from,
                  std::min<std::size_t>(slots[i].size, value ? argument.bytes.size() : 8));
    }
    return bytes;
  }

  std::vector<std::byte> contents(std::size_t i) const {
    const Placed& placed = placed_[i];
    std::vector<std::byte> all;
    for (const std::uint64_t buffer : placed.buffers) {
      std::vector<std::byte> bytes(file_.arguments[i].bytes.size());
      device_.read(buffer, bytes);
      all.insert(all.end(), bytes.begin(), bytes.end());
    }
    if (placed.array)
      all.assign(placed.array->data(), placed.array->data() + file_.arguments[i].bytes.size());
    return all;
  }

 private:
  struct Placed {
    std::uint64_t given;                 // an address or a handle
    std::vector<std::uint64_t> buffers;  // where its contents lie
    std::shared_ptr<memory::Array> array;
  };

  void place(const CaseArgument& argument, Placed& placed) {
    switch (argument.kind) {
      case Kind::value:
        return;
      case Kind::buffer:
        return allocate(argument, placed, placed.given);
      case Kind::surface:
        make_array(argument, placed);
        device_.textures().surfaces[placed.given] = {placed.array};
        return;
      case Kind::texture: {
        make_array(argument, placed);
        memory::Texture texture;
        texture.texels.shape = placed.array->shape();
        texture.texels.levels = {placed.array};
        texture.sampler.filter = memory::Filter::linear;
        device_.textures().textures[placed.given] = texture;
        return;
      }
      case Kind::multicast:
        for (unsigned i = 1; i <= argument.places; ++i)
          allocate(argument, placed, placed.given + i * (apart / 16));
        device_.multicast().bind(placed.given, {argument.bytes.size(), placed.buffers});
    }
  }

  void allocate(const CaseArgument& argument, Placed& placed, std::uint64_t address) {
    device_.allocate_at(address, argument.bytes.size(), "argument " + std::to_string(placed_.size() - 1));
    device_.write(address, argument.bytes);
    placed.buffers.push_back(address);
  }

  void make_array(const CaseArgument& argument, Placed& placed) {
    placed.array = device_.make_array({argument.width, argument.height, 0, channel_format(argument.type), 1});
    std::memcpy(placed.array->data(), argument.bytes.data(), argument.bytes.size());
  }

  device::Device& device_;
  const CaseFile& file_;
  std::vector<Placed> placed_;
};

void run_launches(device::Device& device, const CaseFile& file, Outcome& outcome) {
  const Arguments arguments(device, file);
  device::Module* module = device.load_module({{file.name, file.text}}, {});
  for (const CaseLaunch& launch : file.launches) {
    const device::Function function =
        device.function(module, launch.kernel.empty() ? first_kernel(file.text) : launch.kernel);
    const device::LaunchStatistics statistics =
        device.launch(function, launch.config, arguments.parameters(function));
    outcome.warp_instructions += statistics.warp_instructions;
    outcome.thread_instructions += statistics.thread_instructions;
    outcome.steps += statistics.steps;
    outcome.native_steps += statistics.native_steps;
  }
  for (std::size_t i = 0; i < file.arguments.size(); ++i) outcome.buffers.push_back(arguments.contents(i));
}

}  // namespace

Outcome run_case(const CaseFile& file, unsigned threads, std::shared_ptr<compile::Tier> native,
                 hooks::Hooks* hooks) {
  Outcome outcome;
  device::DeviceOptions options;
  options.threads = threads;
  options.native = std::move(native);
  options.hooks = hooks;
  options.launch_limits.step_limit = 1u << 22;
  options.print = [&](std::string_view text) { outcome.printed += text; };
  device::Device device(options);
  try {
    run_launches(device, file, outcome);
  } catch (const device::Failed& failed) {
    outcome.ending = Ending::fault;
    outcome.message = failed.what();
  } catch (const device::Refused& refused) {
    outcome.ending = Ending::refused;
    outcome.message = refused.what();
  } catch (const ptx::Error& error) {
    outcome.ending = Ending::refused;
    outcome.message = error.what();
  }
  return outcome;
}

}  // namespace wedjat::test
