#include "cli/expect/device.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <nlohmann/json.hpp>

#include "cli/options/library_error.h"

namespace wedjat::expect {
namespace {

using cli::must;

// What an `out` buffer holds before a kernel wrote to it.
constexpr unsigned char untouched[] = {0xa5, 0x5a, 0xc3, 0x3c};

}  // namespace

std::vector<std::byte> initial_contents(const Buffer& buffer) {
  std::vector<std::byte> contents(buffer.count * buffer.type.bytes);
  for (std::uint64_t i = 0; i < buffer.count; ++i) {
    const Bits bits = buffer.initial->at(i).bits;
    std::memcpy(contents.data() + i * buffer.type.bytes, bits.data(), buffer.type.bytes);
  }
  return contents;
}

std::vector<std::byte> first_contents(const Buffer& buffer) {
  if (buffer.initial) return initial_contents(buffer);
  std::vector<std::byte> mark(buffer.count * buffer.type.bytes);
  for (std::size_t i = 0; i < mark.size(); ++i) mark[i] = std::byte{untouched[i % sizeof untouched]};
  return mark;
}

Device::Device(WedjatRunOptions options) {
  options.print = [](void* to, const char* text, std::size_t bytes) {
    static_cast<std::string*>(to)->append(text, bytes);
  };
  options.print_user = &printed;
  must(wedjat_device_create(&options, &device_));
}

Device::~Device() { wedjat_device_free(device_); }

void Device::load(const std::string& name, const std::string& ptx) {
  const WedjatSource source{name.c_str(), ptx.c_str(), ptx.size()};
  must(wedjat_module_load(device_, &source, 1, &module_));
}

void Device::give(const std::string& file, const Launch& launch, bool mark_outputs) {
  for (const Buffer& buffer : launch.buffers) {
    Held held{0, buffer.count * buffer.type.bytes, buffer};
    if (buffer.use == Buffer::Use::variable) {
      WedjatVariable variable{};
      variable.size = sizeof variable;
      if (wedjat_module_variable(module_, buffer.name.c_str(), &variable) != WEDJAT_OK)
        wrong(file, buffer.line, wedjat_last_error()->message);
      if (variable.bytes < held.bytes)
        wrong(file, buffer.line,
              fmt::format("{} has {} bytes, not {}", buffer.name, variable.bytes, held.bytes));
      held.address = variable.address;
    } else {
      must(wedjat_memory_allocate(device_, held.bytes, buffer.name.c_str(), &held.address));
    }
    if (buffer.initial || mark_outputs) {
      const std::vector<std::byte> contents = first_contents(buffer);
      must(wedjat_memory_write(device_, held.address, contents.data(), contents.size()));
    }
    held_[buffer.name] = std::move(held);
    scalars_.erase(buffer.name);
  }
  for (const Scalar& scalar : launch.scalars) {
    scalars_[scalar.name] = scalar;
    held_.erase(scalar.name);
  }
}

std::vector<std::byte> Device::argument(const std::string& file, const Launch& launch,
                                        const std::string& name) {
  if (const auto scalar = scalars_.find(name); scalar != scalars_.end()) return scalar->second.bytes;
  const auto held = held_.find(name);
  if (held == held_.end())
    wrong(file, launch.line, fmt::format("args: nothing was given by the name {}", name));
  std::vector<std::byte> bytes(sizeof held->second.address);
  std::memcpy(bytes.data(), &held->second.address, bytes.size());
  return bytes;
}

void Device::launch(const std::string& file, const Launch& launch) {
  WedjatKernel* kernel = nullptr;
  must(wedjat_module_kernel(module_, launch.kernel.c_str(), &kernel));
  WedjatKernelInfo info{};
  info.size = sizeof info;
  must(wedjat_kernel_info(kernel, &info));
  if (info.parameter_count != launch.arguments.size())
    wrong(file, launch.line,
          fmt::format("kernel {} takes {} arguments, {} are given", launch.kernel, info.parameter_count,
                      launch.arguments.size()));
  std::vector<std::vector<std::byte>> values;
  std::vector<WedjatArgument> arguments;
  for (std::size_t i = 0; i < launch.arguments.size(); ++i) {
    values.push_back(argument(file, launch, launch.arguments[i]));
    WedjatParameter parameter{};
    parameter.size = sizeof parameter;
    must(wedjat_kernel_parameter(kernel, i, &parameter));
    if (parameter.bytes != values.back().size())
      wrong(file, launch.line,
            fmt::format("parameter {} of kernel {} has {} bytes, {} has {}", i, launch.kernel,
                        parameter.bytes, launch.arguments[i], values.back().size()));
    arguments.push_back({values.back().data(), values.back().size()});
  }
  WedjatLaunch shape{};
  shape.size = sizeof shape;
  std::copy(launch.grid, launch.grid + 3, shape.grid);
  std::copy(launch.block, launch.block + 3, shape.block);
  std::copy(launch.cluster, launch.cluster + 3, shape.cluster);
  shape.shared_bytes = launch.shared;
  shape.cooperative = launch.cooperative;
  must(wedjat_kernel_launch(kernel, &shape, arguments.data(), arguments.size(), nullptr));
}

const Device::Held& Device::find(const std::string& file, unsigned line, const std::string& name) {
  if (const auto held = held_.find(name); held != held_.end()) return held->second;
  WedjatVariable variable{};
  variable.size = sizeof variable;
  if (wedjat_module_variable(module_, name.c_str(), &variable) != WEDJAT_OK)
    wrong(file, line, fmt::format("{} is no buffer of the launch and no variable of the module", name));
  return held_[name] = Held{variable.address, variable.bytes, {}};
}

std::vector<std::byte> Device::read(const std::string& file, const Expectation& expectation) {
  const Held& held = find(file, expectation.line, expectation.buffer);
  std::vector<std::byte> bytes(held.bytes);
  must(wedjat_memory_read(device_, held.address, bytes.data(), bytes.size()));
  return bytes;
}

std::vector<std::string> Device::findings() {
  // What a program does at its end, for tools to see: its buffers are results, and none of them leaks. A
  // device that failed does not give them.
  for (const auto& [name, held] : held_) {
    if (held.buffer.name.empty() || held.buffer.use == Buffer::Use::variable) continue;
    std::vector<std::byte> bytes(held.bytes);
    if (wedjat_memory_read(device_, held.address, bytes.data(), bytes.size()) == WEDJAT_OK)
      wedjat_memory_free(device_, held.address);
  }
  char* text = nullptr;
  must(wedjat_device_report(device_, &text));
  const std::unique_ptr<char, void (*)(char*)> owned(text, wedjat_text_free);
  std::vector<std::string> all;
  const nlohmann::json report = nlohmann::json::parse(text);
  for (const nlohmann::json& tool : report.at("tools"))
    for (const nlohmann::json& finding : tool.at("findings"))
      all.push_back(fmt::format("{} [{}]: {} (PTX line {})", tool.at("tool").get<std::string>(),
                                finding.at("kind").get<std::string>(),
                                finding.at("message").get<std::string>(),
                                finding.at("ptx_line").get<std::int64_t>()));
  return all;
}

}  // namespace wedjat::expect
