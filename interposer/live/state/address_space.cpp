#include "interposer/live/state/address_space.h"

#include <sys/mman.h>

namespace wedjat::live {
namespace {

constexpr int reserved = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE;

// Where `size` addresses are that the host gets nothing in. Where the process may not have so many, only
// chance keeps the host from them.
std::uint64_t reserve(std::uint64_t wanted, std::uint64_t size) {
  void* got = ::mmap(reinterpret_cast<void*>(wanted), size, PROT_NONE, reserved | MAP_FIXED_NOREPLACE, -1, 0);
  if (got == MAP_FAILED) got = ::mmap(nullptr, size, PROT_NONE, reserved, -1, 0);
  return got == MAP_FAILED ? wanted : reinterpret_cast<std::uint64_t>(got);
}

}  // namespace

AddressSpace::AddressSpace(std::uint64_t wanted, std::uint64_t size)
    : base_(reserve(wanted, size)), size_(size), free_(base_, size) {}

bool AddressSpace::keep(std::uint64_t address, std::uint64_t bytes) {
  void* const wanted = reinterpret_cast<void*>(address);
  void* const got = ::mmap(wanted, bytes, PROT_NONE, reserved | MAP_FIXED_NOREPLACE, -1, 0);
  if (got == MAP_FAILED) return false;
  if (got == wanted) return true;
  ::munmap(got, bytes);  // a kernel that does not know the flag
  return false;
}

void AddressSpace::drop(std::uint64_t address, std::uint64_t bytes) {
  ::munmap(reinterpret_cast<void*>(address), bytes);
}

bool AddressSpace::open(std::uint64_t address, std::uint64_t bytes) {
  return ::mmap(reinterpret_cast<void*>(address), bytes, PROT_READ | PROT_WRITE, reserved | MAP_FIXED, -1,
                0) != MAP_FAILED;
}

void AddressSpace::close(std::uint64_t address, std::uint64_t bytes) {
  ::mmap(reinterpret_cast<void*>(address), bytes, PROT_NONE, reserved | MAP_FIXED, -1, 0);
}

}  // namespace wedjat::live
