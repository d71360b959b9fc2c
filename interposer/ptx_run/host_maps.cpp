#include "interposer/ptx_run/host_maps.h"

#include <cinttypes>
#include <cstdio>
#include <memory>
#include <stdexcept>

#include "emulator/device/error.h"

namespace wedjat::ptx_run {

std::map<std::uint64_t, std::uint64_t> writable_memory() {
  const std::unique_ptr<std::FILE, int (*)(std::FILE*)> maps(std::fopen("/proc/self/maps", "r"), std::fclose);
  if (!maps) throw std::runtime_error("/proc/self/maps cannot be read");
  std::map<std::uint64_t, std::uint64_t> found;
  char line[4352];
  std::uint64_t last_begin = 0, last_end = 0;
  while (std::fgets(line, sizeof line, maps.get()) != nullptr) {
    std::uint64_t begin = 0, end = 0;
    char may[5] = "";
    if (std::sscanf(line, "%" SCNx64 "-%" SCNx64 " %4s", &begin, &end, may) != 3) continue;
    if (may[0] != 'r' || may[1] != 'w') continue;
    if (begin != last_end) last_begin = begin;
    found[last_begin] = last_end = end;
  }
  return found;
}

void HostMaps::update(device::Device& device) {
  const auto now = writable_memory();
  const auto stays = [&](const auto& mapping) {
    const auto found = now.find(mapping.first);
    return found != now.end() && found->second == mapping.second;
  };
  std::erase_if(skipped_, [&](const auto& mapping) { return !stays(mapping); });
  std::erase_if(seen_, [&](const auto& mapping) {
    if (stays(mapping)) return false;
    device.free(mapping.first);
    return true;
  });
  for (const auto& [begin, end] : now) {
    if (seen_.contains(begin) || skipped_.contains(begin)) continue;
    try {
      device.adopt_at(begin, reinterpret_cast<std::byte*>(begin), end - begin, "memory of the host");
      seen_[begin] = end;
    } catch (const device::Refused&) {
      skipped_[begin] = end;
    }
  }
}

}  // namespace wedjat::ptx_run
