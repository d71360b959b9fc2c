// An instruction that does not exist: as many instructions a warp, and the same bits, as its README says.
#include <fstream>
#include <sstream>

#include "tests/utilities/watched.h"

using namespace wedjat::test;

namespace {

std::string text(const char* file) {
  std::ifstream in(std::string(WEDJAT_SOURCE_DIR "/utilities/warp_fft/") + file);
  std::ostringstream all;
  all << in.rdbuf();
  return all.str();
}

struct Transformed {
  std::vector<std::uint32_t> bits;
  std::uint64_t warp_instructions = 0;
  std::uint64_t errors = 0;
};

/// Of two warps.
Transformed transform(const char* file, bool replaced, std::uint32_t threads = 64) {
  constexpr std::uint64_t in = 0x7f0000000000, out = 0x7f0000100000;
  wedjat::hooks::Hooks hooks;
  if (replaced) hooks.add("warp_fft");
  wedjat::device::DeviceOptions options;
  options.hooks = &hooks;
  wedjat::device::Device device(options);
  wedjat::device::Module* module = device.load_module({{file, text(file)}}, {});
  std::vector<float> x(128);
  for (std::size_t i = 0; i < x.size(); ++i) x[i] = static_cast<float>((37 * i + 11) % 101) / 50 - 1;
  device.allocate_at(in, 512, "in");
  device.allocate_at(out, 512, "out");
  device.write(in, std::as_bytes(std::span(x)));
  device.write(out, std::vector<std::byte>(512));
  const std::uint64_t parameters[] = {in, out};
  wedjat::device::LaunchConfig config;
  config.block[0] = threads;
  Transformed result;
  result.warp_instructions =
      device.launch(device.function(module, "fft32"), config, std::as_bytes(std::span(parameters)))
          .warp_instructions;
  result.bits.resize(128);
  device.read(out, std::as_writable_bytes(std::span(result.bits)));
  for (const auto& report : hooks.finish()) result.errors += report.errors;
  return result;
}

}  // namespace

TEST_CASE("WFFT32: 21 instructions a warp instead of 150, the same bits") {
  const Transformed shuffled = transform("fft32.ptx", false), proxy = transform("fft32_proxy.ptx", true),
                    untouched = transform("fft32_proxy.ptx", false);
  CHECK(shuffled.warp_instructions == 2 * 150);
  CHECK(proxy.warp_instructions == 2 * 21);
  CHECK(proxy.bits == shuffled.bits);
  CHECK(proxy.bits != untouched.bits);
  CHECK(proxy.errors == 0);
}

TEST_CASE("WFFT32 of a part of a warp is an error") {
  CHECK(transform("fft32_proxy.ptx", true, 40).errors == 1);
}
