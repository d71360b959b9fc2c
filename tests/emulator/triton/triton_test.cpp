#include <doctest/doctest.h>

#include "emulator/device/device.h"
#include "tests/emulator/triton/launch_file.h"

using namespace wedjat;

namespace {

constexpr std::uint64_t scratch = 0x7e0000000000, scratch_bytes = 4096;

// The first byte that is not the hardware's; empty if all are.
std::string difference(const triton::Launch& launch) {
  device::Device device({});
  device.allocate_at(scratch, scratch_bytes, "scratch");
  for (const triton::Buffer& buffer : launch.buffers) {
    if (buffer.before.empty()) continue;
    device.allocate_at(buffer.address, buffer.before.size(), "buffer");
    device.write(buffer.address, std::as_bytes(std::span(buffer.before)));
  }
  device::LaunchConfig config;
  std::copy_n(launch.grid, 3, config.grid);
  config.block[0] = launch.block;
  config.cluster[0] = launch.cluster;
  config.shared_bytes = launch.shared;
  device::Module* const module = device.load_module({{launch.name + ".ptx", launch.ptx}}, {});
  device.launch(device.function(module, launch.entry), config, std::as_bytes(std::span(launch.parameters)));
  for (std::size_t b = 0; b < launch.buffers.size(); ++b) {
    const triton::Buffer& buffer = launch.buffers[b];
    std::string got(buffer.after.size(), '\0');
    if (!got.empty()) device.read(buffer.address, std::as_writable_bytes(std::span(got)));
    for (std::size_t i = 0; i < got.size(); ++i)
      if (got[i] != buffer.after[i]) return "buffer " + std::to_string(b) + ", byte " + std::to_string(i);
  }
  return {};
}

}  // namespace

TEST_CASE("kernels of Triton and torch.compile give the hardware's bits") {
  const std::vector<triton::Launch> launches =
      triton::read_launches(WEDJAT_SOURCE_DIR "/tests/emulator/triton/launches.zst");
  CHECK(launches.size() >= 300);
  for (const triton::Launch& launch : launches) {
    CAPTURE(launch.name);
    std::string found;
    REQUIRE_NOTHROW(found = difference(launch));
    CHECK(found == "");
  }
}
