#include "emulator/memory/device_memory.h"

#include <fmt/format.h>
#include <sys/mman.h>

#include <array>
#include <mutex>

namespace wedjat::memory {

namespace {

constexpr std::size_t remembered_frees = 4096;

// Of all memories: no two have had the same one.
std::atomic<std::uint64_t> generations{0};

// What a host thread found lately, by address: CTAs that take turns may have an allocation each for one
// instruction.
struct Found {
  static constexpr std::uint64_t granule = 512;  // no two allocations of the driver share one
  std::uint64_t generation = 0;
  std::array<Extent, 128> extents{};

  Extent& at(std::uint64_t address) { return extents[address / granule % extents.size()]; }
};

bool overlap(std::uint64_t a, std::uint64_t a_size, std::uint64_t b, std::uint64_t b_size) {
  return a < b + b_size && b < a + a_size;
}

std::string bytes_of(std::uint64_t address, std::uint64_t size, const std::string& label) {
  return fmt::format("'{}' ({} bytes at {:#x})", label, size, address);
}

// Programs write most of an array, and pages of 4 KiB come one by one. Not in what is very large: of that
// some programs touch little, and a host has less memory than a device.
void prefer_large_pages(std::byte* pages, std::uint64_t size) {
  constexpr std::uint64_t smallest = std::uint64_t{4} << 20, largest = std::uint64_t{1} << 30;
  if (size >= smallest && size <= largest) ::madvise(pages, size, MADV_HUGEPAGE);
}

// The window that the range overlaps, or null: no allocation can lie there.
const Window* reserved(std::uint64_t address, std::uint64_t size) {
  for (const Window* const window :
       {&shared_window, &local_window, &param_window, &heap_window, &array_window})
    if (overlap(address, size, window->base, window->size)) return window;
  return nullptr;
}

}  // namespace

void DeviceMemory::check_place(std::uint64_t address, std::uint64_t size, const std::string& label) const {
  if (size == 0) throw Error(fmt::format("cannot allocate '{}' at {:#x}: size 0", label, address));
  if (address + size < address)
    throw Error(fmt::format("cannot allocate '{}': {} bytes at {:#x} pass the end of the address space",
                            label, size, address));
  if (const Window* const window = reserved(address, size))
    throw Error(fmt::format("cannot allocate '{}': {} bytes at {:#x} overlap the window at {:#x}", label,
                            size, address, window->base));
}

void DeviceMemory::allocate_at(std::uint64_t address, std::uint64_t size, std::string label) {
  check_place(address, size, label);
  insert(address, size, std::move(label));
}

void DeviceMemory::allocate_again_at(std::uint64_t address, std::uint64_t size, std::string label) {
  check_place(address, size, label);
  insert(address, size, std::move(label), true);
}

void DeviceMemory::adopt_at(std::uint64_t address, std::byte* host, std::uint64_t size, std::string label) {
  check_place(address, size, label);
  if ((address - reinterpret_cast<std::uintptr_t>(host)) % HostPages::alignment != 0)
    throw Error(fmt::format("cannot take '{}' over at {:#x}: it is aligned otherwise", label, address));
  insert(address, size, std::move(label), false, host);
}

std::uint64_t DeviceMemory::allocate_array(std::uint64_t size) {
  constexpr std::uint64_t apart = 4096;
  const std::uint64_t room = (size + apart - 1) / apart * apart,
                      address = next_array_.fetch_add(room + apart);
  if (room < size || !array_window.contains(address + room)) throw Error("too many or too large arrays");
  insert(address, size, "array");
  return address;
}

void DeviceMemory::insert(std::uint64_t address, std::uint64_t size, std::string label, bool is_left,
                          std::byte* adopted) {
  std::unique_lock lock(mutex_);
  auto after = live_.lower_bound(address);
  auto refuse = [&](Live::const_iterator other) {
    throw Error(fmt::format("cannot allocate '{}': {} bytes at {:#x} overlap {}", label, size, address,
                            bytes_of(other->first, other->second.size, other->second.label)));
  };
  if (after != live_.end() && after->first < address + size) refuse(after);
  if (after != live_.begin()) {
    auto before = std::prev(after);
    if (before->first + before->second.size > address) refuse(before);
  }
  try {
    const std::uint64_t skew = address % HostPages::alignment;
    HostPages pages(adopted ? 0 : size + skew);
    if (!adopted) prefer_large_pages(pages.data(), size + skew);
    std::byte* const host = adopted ? adopted : pages.data() + skew;
    if (is_left) leftovers_.move_to(host, address, size);
    live_.emplace_hint(after, address, Allocation{std::move(pages), host, size, std::move(label), is_left});
    if (generation() == 0) generation_.store(++generations, std::memory_order_release);
  } catch (const std::bad_alloc&) {
    throw Error(
        fmt::format("cannot allocate {} bytes at {:#x}: this machine has no memory for it", size, address));
  }
}

void DeviceMemory::free(std::uint64_t address) {
  std::unique_lock lock(mutex_);
  auto it = live_.find(address);
  if (it == live_.end()) {
    lock.unlock();
    throw Error(fmt::format("cannot free {:#x}: no allocation begins there; {}", address, describe(address)));
  }
  freed_.push_back({address, it->second.size, std::move(it->second.label)});
  if (freed_.size() > remembered_frees) freed_.pop_front();
  if (it->second.is_left)
    leftovers_.keep(address, it->second.size, std::move(it->second.pages), it->second.host);
  live_.erase(it);
  generation_.store(++generations, std::memory_order_release);
}

DeviceMemory::Live::const_iterator DeviceMemory::holder(std::uint64_t address) const {
  auto it = live_.upper_bound(address);
  if (it == live_.begin()) return live_.end();
  --it;
  return address - it->first < it->second.size ? it : live_.end();
}

std::vector<Extent> DeviceMemory::within(std::uint64_t first, std::uint64_t end, std::size_t limit) const {
  const std::shared_lock lock(mutex_);
  std::vector<Extent> found;
  auto it = holder(first);
  if (it == live_.end()) it = live_.lower_bound(first);
  for (; it != live_.end() && it->first < end && found.size() < limit; ++it)
    found.push_back({it->first, it->second.size, it->second.host});
  return found;
}

const DeviceMemory::Freed* DeviceMemory::freed_holder(std::uint64_t address) const {
  for (auto it = freed_.rbegin(); it != freed_.rend(); ++it)
    if (address - it->address < it->size) return &*it;
  return nullptr;
}

std::optional<Extent> DeviceMemory::find(std::uint64_t address) const {
  thread_local Found found;
  if (const std::uint64_t now = generation(); found.generation != now) found = {now, {}};
  Extent& extent = found.at(address);
  if (extent.contains(address, 1)) return extent;
  std::shared_lock lock(mutex_);
  auto it = holder(address);
  if (it == live_.end()) return std::nullopt;
  return extent = {it->first, it->second.size, it->second.host};
}

std::byte* DeviceMemory::host(std::uint64_t address, std::uint64_t size, std::string_view what) const {
  if (const auto extent = find(address); extent && extent->contains(address, size))
    return extent->host + (address - extent->address);
  throw Error(
      fmt::format("{}: {} bytes at {:#x} are not allocated; {}", what, size, address, describe(address)));
}

bool DeviceMemory::was_freed(std::uint64_t address) const {
  std::shared_lock lock(mutex_);
  return holder(address) == live_.end() && freed_holder(address) != nullptr;
}

std::string DeviceMemory::describe(std::uint64_t address) const {
  std::shared_lock lock(mutex_);
  if (auto it = holder(address); it != live_.end())
    return fmt::format("byte {} of {}", address - it->first,
                       bytes_of(it->first, it->second.size, it->second.label));
  if (const Freed* freed = freed_holder(address))
    return fmt::format("byte {} of {}, which was freed", address - freed->address,
                       bytes_of(freed->address, freed->size, freed->label));
  if (live_.empty()) return "nothing is allocated";
  auto after = live_.upper_bound(address);
  auto before = after == live_.begin() ? live_.end() : std::prev(after);
  const std::uint64_t behind =
      before == live_.end() ? ~0ull : address - (before->first + before->second.size);
  const std::uint64_t ahead = after == live_.end() ? ~0ull : after->first - address;
  if (behind <= ahead)
    return fmt::format("{} bytes after the end of {}", behind,
                       bytes_of(before->first, before->second.size, before->second.label));
  return fmt::format("{} bytes before {}", ahead,
                     bytes_of(after->first, after->second.size, after->second.label));
}

}  // namespace wedjat::memory
