// Memory of a device.
#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <span>

#include "cli/library/objects.h"
#include "emulator/memory/host_pages.h"

using namespace wedjat;
using namespace wedjat::library;

namespace {

constexpr std::uint64_t piece = 1 << 20;  // of a copy or fill

std::string label_or(const char* label) { return label == nullptr ? "memory" : label; }

// At a free address, which `place` is given.
template <class Place>
void allocate(Device& state, const std::string& label, std::uint64_t bytes, std::uint64_t offset,
              std::uint64_t* address, const Place& place) {
  need(address, "address");
  if (bytes == 0) throw WrongArgument("memory of 0 bytes");
  if (bytes > ~std::uint64_t{0} - offset) throw WrongArgument(fmt::format("memory of {} bytes", bytes));
  const std::uint64_t begin = state.addresses.take(offset + bytes, label);
  try {
    place(begin + offset, label);
    state.allocations.emplace(begin + offset, bytes);
  } catch (...) {
    state.addresses.give_back(begin, offset + bytes);
    throw;
  }
  *address = begin + offset;
}

void check_reachable(const device::Device& device, std::uint64_t address, std::uint64_t bytes) {
  if (!device.holds(address, bytes))
    throw WrongArgument(fmt::format("not all of the {} bytes at {:#x} are allocated", bytes, address));
}

}  // namespace

extern "C" {

WedjatStatus wedjat_memory_allocate(WedjatDevice* device, uint64_t bytes, const char* label,
                                    uint64_t* address) {
  return guarded(__func__, [&] {
    const Turn turn(devices().at(device));
    allocate(turn.state(), label_or(label), bytes, 0, address,
             [&](std::uint64_t at, const std::string& name) { turn.device().allocate_at(at, bytes, name); });
  });
}

WedjatStatus wedjat_memory_with(WedjatDevice* device, const void* from, uint64_t bytes, const char* label,
                                uint64_t* address) {
  return guarded(__func__, [&] {
    const Turn turn(devices().at(device));
    need(from, "from");
    allocate(turn.state(), label_or(label), bytes, 0, address,
             [&](std::uint64_t at, const std::string& name) { turn.device().allocate_at(at, bytes, name); });
    turn.device().write(*address, {static_cast<const std::byte*>(from), bytes});
  });
}

WedjatStatus wedjat_memory_adopt(WedjatDevice* device, void* host, uint64_t bytes, const char* label,
                                 uint64_t* address) {
  return guarded(__func__, [&] {
    const Turn turn(devices().at(device));
    need(host, "host");
    const auto from = reinterpret_cast<std::uint64_t>(host);
    if (bytes > ~std::uint64_t{0} - from)
      throw WrongArgument(
          fmt::format("{} bytes from {:#x} on are more than addresses there are", bytes, from));
    // As aligned as it is for the host.
    const std::uint64_t offset = from % memory::HostPages::alignment;
    allocate(turn.state(), label_or(label), bytes, offset, address,
             [&](std::uint64_t at, const std::string& name) {
               turn.device().adopt_at(at, static_cast<std::byte*>(host), bytes, name);
             });
  });
}

WedjatStatus wedjat_memory_free(WedjatDevice* device, uint64_t address) {
  return guarded(__func__, [&] {
    const Turn turn(devices().at(device));
    Device& state = turn.state();
    const auto found = state.allocations.find(address);
    if (found == state.allocations.end())
      throw WrongArgument(fmt::format("{:#x} is no memory that was allocated and not freed", address));
    turn.device().free(address);
    const std::uint64_t offset = address % memory::HostPages::alignment;
    state.addresses.give_back(address - offset, found->second + offset);
    state.allocations.erase(found);
  });
}

WedjatStatus wedjat_memory_write(WedjatDevice* device, uint64_t to, const void* from, uint64_t bytes) {
  return guarded(__func__, [&] {
    const Turn turn(devices().at(device));
    if (bytes == 0) return;
    need(from, "from");
    check_reachable(turn.device(), to, bytes);
    turn.device().write(to, {static_cast<const std::byte*>(from), bytes});
  });
}

WedjatStatus wedjat_memory_read(WedjatDevice* device, uint64_t from, void* to, uint64_t bytes) {
  return guarded(__func__, [&] {
    const Turn turn(devices().at(device));
    if (bytes == 0) return;
    need(to, "to");
    check_reachable(turn.device(), from, bytes);
    turn.device().read(from, {static_cast<std::byte*>(to), bytes});
  });
}

WedjatStatus wedjat_memory_copy(WedjatDevice* device, uint64_t to, uint64_t from, uint64_t bytes) {
  return guarded(__func__, [&] {
    const Turn turn(devices().at(device));
    check_reachable(turn.device(), from, bytes);
    check_reachable(turn.device(), to, bytes);
    std::vector<std::byte> part;
    for (std::uint64_t done = 0; done < bytes; done += part.size()) {
      part.resize(std::min(piece, bytes - done));
      // What is still to be copied must not be overwritten.
      const std::uint64_t at = to > from ? bytes - done - part.size() : done;
      turn.device().read(from + at, part);
      turn.device().write(to + at, part);
    }
  });
}

WedjatStatus wedjat_memory_fill(WedjatDevice* device, uint64_t to, const void* pattern,
                                uint32_t pattern_bytes, uint64_t count) {
  return guarded(__func__, [&] {
    const Turn turn(devices().at(device));
    need(pattern, "pattern");
    if (pattern_bytes == 0 || pattern_bytes > 16)
      throw WrongArgument(fmt::format("a pattern of {} bytes, it has 1 to 16", pattern_bytes));
    if (count > ~std::uint64_t{0} / pattern_bytes) throw WrongArgument(fmt::format("count is {}", count));
    check_reachable(turn.device(), to, count * pattern_bytes);
    std::vector<std::byte> part(std::min(count, piece / pattern_bytes) * pattern_bytes);
    for (std::size_t i = 0; i < part.size(); i += pattern_bytes)
      std::memcpy(&part[i], pattern, pattern_bytes);
    for (std::uint64_t done = 0, all = count * pattern_bytes; done < all; done += part.size()) {
      part.resize(std::min<std::uint64_t>(part.size(), all - done));
      turn.device().write(to + done, part);
    }
  });
}
}
