#include "interposer/live/state/memory.h"

#include <fmt/format.h>
#include <sys/sysinfo.h>
#include <unistd.h>

#include <algorithm>

#include "emulator/hooks/hooks.h"
#include "emulator/memory/capacity.h"
#include "interposer/live/state/driver.h"
#include "interposer/live/state/ending.h"

namespace wedjat::live {
namespace {

// As cuMemAlloc aligns; larger requests get pages of their own.
constexpr std::uint64_t granule = 512, page = 4096, large = std::uint64_t{1} << 20,
                        large_page = std::uint64_t{2} << 20;

std::uint64_t rounded(std::uint64_t size, std::uint64_t to) { return (size + to - 1) / to * to; }

// Memory of the device lies in that of the host, which may have less. Asked once: what other programs take
// and give back is not to change what a program sees.
std::uint64_t host_bytes() {
  static const std::uint64_t bytes = [] {
    struct sysinfo all {};
    return sysinfo(&all) == 0 ? (all.totalram + all.totalswap) * all.mem_unit : ~std::uint64_t{0};
  }();
  return bytes;
}

}  // namespace

std::uint64_t Memory::most() { return std::min(profile().free_memory, host_bytes()); }

void Memory::tell(const Allocation& allocation, const std::string& label) {
  if (allocation.shared)
    return allocation.owner->device.adopt_at(allocation.address, allocation.shared->data(), allocation.size,
                                             label);
  if (!allocation.of_host()) unmap(allocation.address, allocation.address + allocation.room);
  if (!allocation.of_host())
    return allocation.owner->device.allocate_at(allocation.address, allocation.size, label);
  if (allocation.hidden) return;
  driver().contexts.each([&](CUctx_st& context) {
    if (driver().failed == CUDA_SUCCESS)
      context.device.adopt_at(allocation.address, allocation.host(), allocation.size, label, allocation.told);
  });
}

Allocation& Memory::add(Allocation allocation, const std::string& label) {
  allocation.id = next_id_++;
  tell(allocation, label);
  if (allocation.kind == MemoryKind::device && allocation.openings == 0) in_use_ += allocation.room;
  return allocations_[allocation.address] = allocation;
}

Allocation& Memory::allocate(CUctx_st& owner, std::uint64_t size, MemoryKind kind, const std::string& label,
                             device::Told told) {
  const bool of_host = kind != MemoryKind::device;
  if (size > memory::capacity || (!of_host && in_use_ + size > profile().free_memory))
    fail(CUDA_ERROR_OUT_OF_MEMORY);
  if (in_use_ + size > host_bytes())
    fail(CUDA_ERROR_OUT_OF_MEMORY,
         fmt::format("{} GiB of memory are asked for, and this machine has {} for all that the device holds",
                     (in_use_ + size) >> 30, host_bytes() >> 30));
  AddressSpace& addresses = of_host ? host_ : device_;
  const std::uint64_t unit = of_host ? page : granule;
  const std::uint64_t room = rounded(size, unit);
  const auto address = addresses.free().take(room, size >= large ? large_page : unit);
  if (!address) fail(CUDA_ERROR_OUT_OF_MEMORY);
  if (of_host && !AddressSpace::open(*address, room)) {
    addresses.free().give_back(*address, room);
    fail(CUDA_ERROR_OUT_OF_MEMORY);
  }
  Allocation made{*address, size, kind, &owner, 0, nullptr, room};
  made.told = told;
  return add(std::move(made), label);
}

Allocation& Memory::add_registered(CUctx_st& owner, void* address, std::uint64_t size) {
  return add({reinterpret_cast<std::uint64_t>(address), size, MemoryKind::registered, &owner},
             "cuMemHostRegister");
}

Allocation& Memory::add_imported(CUctx_st& owner, std::shared_ptr<SharedPages> pages,
                                 const std::string& label) {
  const std::uint64_t size = pages->size(), room = rounded(size, granule);
  const auto address = device_.free().take(room, size >= large ? large_page : granule);
  if (!address) fail(CUDA_ERROR_OUT_OF_MEMORY);
  return add({*address, size, MemoryKind::device, &owner, 0, nullptr, room, 0, std::move(pages), 1}, label);
}

SharedPages& Memory::share(Allocation& allocation) {
  if (!allocation.shared) {
    auto pages = SharedPages::make(allocation.size);
    if (!pages) fail(CUDA_ERROR_OUT_OF_MEMORY, "this machine has no room for memory that processes share");
    device::Device& device = allocation.owner->device;
    device.read(allocation.address, {pages->data(), allocation.size});
    device.free(allocation.address);
    allocation.shared = std::move(pages);
    tell(allocation, "memory shared with other processes");
  }
  return *allocation.shared;
}

Allocation* Memory::imported(const SharedPages& pages) {
  for (auto& [address, allocation] : allocations_)
    if (allocation.openings != 0 && allocation.shared->file() == pages.file()) return &allocation;
  return nullptr;
}

void Memory::give_back(const Allocation& of_device) {
  device_.free().give_back(of_device.address, of_device.room);
  if (of_device.openings == 0) in_use_ -= of_device.room;
}

bool Memory::shares_pages(const Allocation& gone) const {
  const std::uint64_t begin = gone.address / large_page * large_page,
                      end = rounded(gone.address + gone.size, large_page);
  for (auto other = allocations_.lower_bound(begin); other != allocations_.end() && other->first < end;
       ++other)
    if (other->first != gone.address && other->second.owner == gone.owner) return true;
  return false;
}

void Memory::unmap(std::uint64_t address, std::uint64_t end) {
  for (auto next = given_back_.lower_bound(address - std::min(address, large));
       next != given_back_.end() && next->first < end;) {
    const Allocation& old = next->second;
    if (old.address + old.size <= address) {
      ++next;
      continue;
    }
    old.owner->device.free(old.address);
    next = given_back_.erase(next);
  }
}

void Memory::free(Allocation& allocation) {
  const Allocation gone = allocation;
  if (gone.of_host()) {
    driver().contexts.each([&](CUctx_st& context) {
      if (driver().failed == CUDA_SUCCESS && !gone.hidden) context.device.free(gone.address);
    });
    if (gone.kind != MemoryKind::registered) {
      AddressSpace::close(gone.address, gone.room);
      host_.free().give_back(gone.address, gone.room);
    }
  } else {
    const bool stays = driver().options.lenient && gone.size < large && !gone.shared && shares_pages(gone);
    if (stays && tools() != nullptr) tools()->memory(WEDJAT_FREED, gone.address, gone.size);
    if (stays)
      given_back_[gone.address] = gone;
    else
      gone.owner->device.free(gone.address);
    give_back(gone);
  }
  allocations_.erase(gone.address);
}

void Memory::hide(CUmemoryPool pool, bool hidden) {
  for (auto& [address, allocation] : allocations_) {
    if (allocation.pool != pool || allocation.hidden == hidden) continue;
    allocation.hidden = hidden;
    tell(allocation, "memory of a pool");
    if (hidden && driver().failed == CUDA_SUCCESS)
      driver().contexts.each([at = address](CUctx_st& context) { context.device.free(at); });
  }
}

void Memory::free_all_of(const CUctx_st& owner) {
  std::erase_if(given_back_, [&](const auto& old) { return old.second.owner == &owner; });
  for (auto next = allocations_.begin(); next != allocations_.end();) {
    Allocation& allocation = (next++)->second;
    if (allocation.owner != &owner) continue;
    if (allocation.of_host()) {
      free(allocation);
    } else {  // the device goes with all that is in it
      give_back(allocation);
      allocations_.erase(allocation.address);
    }
  }
}

Allocation* Memory::find(std::uint64_t address) {
  const auto above = allocations_.upper_bound(address);
  if (above == allocations_.begin()) return nullptr;
  Allocation& before = std::prev(above)->second;
  return address - before.address < before.size ? &before : nullptr;
}

Allocation* Memory::starting(std::uint64_t address) {
  const auto found = allocations_.find(address);
  return found == allocations_.end() ? nullptr : &found->second;
}

void Memory::share_with(CUctx_st& context) {
  for (auto& [address, allocation] : allocations_)
    if (allocation.of_host() && !allocation.hidden)
      context.device.adopt_at(address, allocation.host(), allocation.size, "memory of the host",
                              allocation.told);
}

}  // namespace wedjat::live
