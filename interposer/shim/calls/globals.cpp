#include "interposer/shim/calls/globals.h"

#include "interposer/shim/driver/driver.h"
#include "interposer/shim/events/sequence.h"
#include "interposer/shim/memory/copies.h"
#include "interposer/shim/memory/device_memory.h"
#include "interposer/shim/memory/host_memory.h"
#include "interposer/shim/memory/streams.h"

namespace wedjat::interposer {
namespace {

template <typename Owner>
std::size_t size_of(Entry entry, Owner owner, const char* name) {
  const auto get = real<CUresult (*)(CUdeviceptr*, size_t*, Owner, const char*)>(entry);
  CUdeviceptr address = 0;
  size_t size = 0;
  return get && get(&address, &size, owner, name) == CUDA_SUCCESS ? size : 0;
}

void found(const Call& call, std::uint64_t address, std::size_t size, std::uint64_t owner) {
  tell_context(call);
  if (address == 0 || size == 0) return;
  if (!is_managed(address)) return device_memory_begins(address, size, MemoryOrigin::variable, owner);
  if (!in_host_range(Box::line(reinterpret_cast<const void*>(address), size)))
    managed_begins(call, address, size);
}

}  // namespace

void global_found(const Call& call, std::uint64_t address, std::size_t size, CUmodule module,
                  const char* name) {
  found(call, address, size ? size : size_of(Entry::cuModuleGetGlobal_v2, module, name), as_field(module));
}

void global_found(const Call& call, std::uint64_t address, std::size_t size, CUlibrary library,
                  const char* name) {
  found(call, address, size ? size : size_of(Entry::cuLibraryGetGlobal, library, name), as_field(library));
}

void managed_found(const Call& call, std::uint64_t address, std::size_t size, CUlibrary library,
                   const char* name) {
  found(call, address, size ? size : size_of(Entry::cuLibraryGetManaged, library, name), as_field(library));
}

}  // namespace wedjat::interposer
