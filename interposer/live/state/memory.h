// Memory that a program got from the driver.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "emulator/device/device.h"
#include "interposer/live/state/address_space.h"
#include "interposer/live/state/failure.h"
#include "interposer/live/state/shared_pages.h"

namespace wedjat::live {

enum class MemoryKind : std::uint8_t {
  device,      // cuMemAlloc and its kin: the host cannot reach it
  pinned,      // cuMemHostAlloc
  managed,     // cuMemAllocManaged
  registered,  // cuMemHostRegister: the program's own
};

struct AdvisedPlace {
  int type = 0, id = 0;  // CUmemLocationType
  bool operator==(const AdvisedPlace&) const = default;
};

// What a program advised of a page of managed memory.
struct Advice {
  bool read_mostly = false, by_device = false, by_host = false;
  AdvisedPlace preferred, prefetched;
};

struct Allocation {
  std::uint64_t address = 0, size = 0;
  MemoryKind kind = MemoryKind::device;
  CUcontext owner = nullptr;
  unsigned flags = 0;
  CUmemoryPool pool = nullptr;
  std::uint64_t room = 0;                    // bytes of addresses that it takes
  std::uint64_t id = 0;                      // no other allocation of the process has it
  std::shared_ptr<SharedPages> shared = {};  // its bytes, where other processes reach them too
  unsigned openings = 0;                     // of memory that another process gave: calls that opened it
  bool of_graph = false;                     // its addresses stay a node's, however often it is freed
  bool hidden = false;                       // the host's own: the device may not access it
  device::Told told = device::Told::as_allocated;

  std::vector<Advice> advice = {};  // by page, once there was any

  bool of_host() const { return kind != MemoryKind::device; }
  std::byte* host() const { return reinterpret_cast<std::byte*>(address); }
};

class Memory {
 public:
  // Zeroed, for `owner`; all that the host reaches too is in the memory of every context. Fails with
  // CUDA_ERROR_OUT_OF_MEMORY.
  Allocation& allocate(CUctx_st& owner, std::uint64_t size, MemoryKind kind, const std::string& label,
                       device::Told told = device::Told::as_allocated);
  Allocation& add_registered(CUctx_st& owner, void* address, std::uint64_t size);
  // Memory of another process, for `owner`.
  Allocation& add_imported(CUctx_st& owner, std::shared_ptr<SharedPages> pages, const std::string& label);
  void free(Allocation& allocation);
  // Memory of the host that pools gave, where the device may access it from now on, or may not.
  void hide(CUmemoryPool pool, bool hidden);

  // Lets other processes reach memory of the device. Fails with CUDA_ERROR_OUT_OF_MEMORY.
  SharedPages& share(Allocation& allocation);
  // What add_imported made of them, or null.
  Allocation* imported(const SharedPages& pages);
  void free_all_of(const CUctx_st& owner);

  // The allocation that holds the byte, or null.
  Allocation* find(std::uint64_t address);
  // The one that begins there, or null.
  Allocation* starting(std::uint64_t address);

  // A new context sees what host and device share.
  void share_with(CUctx_st& context);

  // What the device could give a program: that of the profile, or what the host has if that is less.
  static std::uint64_t most();
  std::uint64_t in_use() const { return in_use_; }  // bytes of the device
  AddressSpace& device_addresses() { return device_; }

 private:
  Allocation& add(Allocation allocation, const std::string& label);
  void tell(const Allocation& allocation, const std::string& label);
  void give_back(const Allocation& of_device);
  // Whether a GPU would keep the pages of this one mapped, for other memory lies there too.
  bool shares_pages(const Allocation& gone) const;
  // What nobody has any more but is still mapped, in these addresses; with --lenient alone.
  void unmap(std::uint64_t address, std::uint64_t end);

  // Above what recorded programs and the emulator use, and a page for what lies beside the first allocation;
  // below where the host's libraries and stacks lie.
  AddressSpace device_{0x400000200000u, std::uint64_t{1} << 40},
      host_{0x420000000000u, std::uint64_t{1} << 40};
  std::map<std::uint64_t, Allocation> allocations_;
  std::map<std::uint64_t, Allocation> given_back_;  // and still mapped
  std::uint64_t in_use_ = 0, next_id_ = 1;
};

}  // namespace wedjat::live
