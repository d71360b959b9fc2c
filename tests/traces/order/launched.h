// A launch of a kernel that works on one buffer, watched or not.
#pragma once

#include <cstring>
#include <span>
#include <string>
#include <vector>

#include "emulator/device/device.h"
#include "emulator/hooks/hooks.h"

namespace wedjat::test {

/// What the buffer's first `count` words hold after one CTA of `threads` threads of kernel k ran, whose only
/// parameter is the buffer. `hooks`: null, nobody watches.
template <class Word>
std::vector<Word> launched(const std::string& text, unsigned threads, hooks::Hooks* hooks,
                           std::size_t count) {
  constexpr std::uint64_t address = 0x7f0000000000;
  device::DeviceOptions options;
  options.threads = 1;
  options.hooks = hooks;
  device::Device device(options);
  device::Module* const module = device.load_module({{"k.ptx", text}}, {});
  device.allocate_at(address, 4096, "buffer");
  device::LaunchConfig config;
  config.block[0] = threads;
  std::vector<std::byte> parameters(sizeof address);
  std::memcpy(parameters.data(), &address, sizeof address);
  device.launch(device.function(module, "k"), config, parameters);
  std::vector<Word> words(count);
  device.read(address, std::as_writable_bytes(std::span(words)));
  return words;
}

}  // namespace wedjat::test
