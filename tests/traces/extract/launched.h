// A launch of PTX on a device of the test, as a bundle.
#pragma once

#include <doctest/doctest.h>

#include <optional>
#include <vector>

#include "traces/extract/capture.h"

namespace test {

struct Placed {
  std::uint64_t address;
  std::vector<std::byte> contents;
};

// The parameters are the addresses of the buffers, in their order.
inline wedjat::traces::Bundle launched(const std::string& ptx, const wedjat::device::LaunchConfig& config,
                                       const std::vector<Placed>& buffers) {
  namespace device = wedjat::device;
  std::optional<wedjat::traces::Bundle> caught;
  wedjat::traces::Capture capture(
      [](std::uint64_t, const std::string&) { return true; }, false,
      [&](wedjat::traces::Bundle&& bundle) { caught.emplace(std::move(bundle)); });
  wedjat::hooks::Hooks hooks;
  capture.attach(hooks);
  device::Device gpu({.threads = 1, .hooks = &hooks});
  std::vector<std::uint64_t> parameters;
  for (const Placed& buffer : buffers) {
    gpu.allocate_at(buffer.address, buffer.contents.size(), "buffer " + std::to_string(parameters.size()));
    gpu.write(buffer.address, buffer.contents);
    parameters.push_back(buffer.address);
  }
  const std::vector<device::PtxSource> sources = {{"k.ptx", ptx}};
  device::Module* const module = gpu.load_module(sources, {});
  const std::string kernel = "k";
  const auto packed = std::as_bytes(std::span(parameters));
  capture.announce({0, kernel, gpu, module, sources, config, packed});
  gpu.launch(gpu.function(module, kernel), config, packed);
  REQUIRE(caught.has_value());
  return std::move(*caught);
}

template <class T>
std::vector<std::byte> contents_of(const T& values) {
  const auto bytes = std::as_bytes(std::span(values));
  return {bytes.begin(), bytes.end()};
}

}  // namespace test
