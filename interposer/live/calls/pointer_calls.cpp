// What is known of an address.

#include <optional>

#include "interposer/live/state/driver.h"
#include "live_calls.h"

namespace wedjat::live::calls {
namespace {

template <class T>
void give_attribute(void* to, const T& value) {
  *static_cast<T*>(to) = value;
}

CUmemorytype type_of(const Allocation& memory) {
  const bool of_device = memory.kind == MemoryKind::device || memory.kind == MemoryKind::managed;
  return of_device ? CU_MEMORYTYPE_DEVICE : CU_MEMORYTYPE_HOST;
}

// `memory` is null for an address that the driver knows nothing of. False: no such attribute.
bool answer(void* to, CUpointer_attribute attribute, CUdeviceptr address, const Allocation* memory) {
  const bool host_too = memory != nullptr && memory->of_host();
  switch (attribute) {
    case CU_POINTER_ATTRIBUTE_CONTEXT:
      give_attribute(to, memory && memory->pool == nullptr ? memory->owner : CUcontext{});
      return true;
    case CU_POINTER_ATTRIBUTE_MEMORY_TYPE:
      give_attribute(to, memory ? type_of(*memory) : CUmemorytype{});
      return true;
    case CU_POINTER_ATTRIBUTE_DEVICE_POINTER:
      give_attribute(to, memory && !memory->hidden ? address : CUdeviceptr{0});
      return true;
    case CU_POINTER_ATTRIBUTE_HOST_POINTER:
      give_attribute(to, host_too ? address : CUdeviceptr{0});
      return true;
    case CU_POINTER_ATTRIBUTE_SYNC_MEMOPS:
    case CU_POINTER_ATTRIBUTE_IS_LEGACY_CUDA_IPC_CAPABLE:
      give_attribute(to, 0u);
      return true;
    case CU_POINTER_ATTRIBUTE_BUFFER_ID:
      give_attribute(to, memory ? memory->id : 0ull);
      return true;
    case CU_POINTER_ATTRIBUTE_IS_MANAGED:
      give_attribute(to, static_cast<unsigned>(memory != nullptr && memory->kind == MemoryKind::managed));
      return true;
    case CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL:
      give_attribute(to, memory ? 0 : -2);
      return true;
    case CU_POINTER_ATTRIBUTE_RANGE_START_ADDR:
      give_attribute(to, memory && !memory->hidden ? memory->address : 0ull);
      return true;
    case CU_POINTER_ATTRIBUTE_RANGE_SIZE:
      give_attribute(to, memory ? memory->size : 0ull);
      return true;
    case CU_POINTER_ATTRIBUTE_MAPPED:
      give_attribute(to, static_cast<unsigned>(memory != nullptr));
      return true;
    case CU_POINTER_ATTRIBUTE_ALLOWED_HANDLE_TYPES:
      give_attribute(to, 0ull);
      return true;
    case CU_POINTER_ATTRIBUTE_ACCESS_FLAGS:
      give_attribute(
          to, memory ? CU_POINTER_ATTRIBUTE_ACCESS_FLAG_READWRITE : CUDA_POINTER_ATTRIBUTE_ACCESS_FLAGS{});
      return true;
    case CU_POINTER_ATTRIBUTE_MEMPOOL_HANDLE:
      give_attribute(to, memory ? memory->pool : CUmemoryPool{});
      return true;
    default:
      return false;
  }
}

// The variable of a module that holds the byte.
std::optional<Allocation> variable_with(CUdeviceptr address) {
  std::optional<Allocation> found;
  driver().modules.each([&](const CUmod_st& module) {
    const device::Device& device = module.context->device;
    if (found || !device.holds(address, 1)) return;
    for (const device::DeclaredVariable& variable : device.variables(module.module))
      if (address - variable.place.address < variable.place.size)
        found = Allocation{
            .address = variable.place.address, .size = variable.place.size, .owner = module.context};
  });
  return found;
}

// What the driver knows of an address, or null; `variable` is the place for what no allocation is.
const Allocation* known(CUdeviceptr address, std::optional<Allocation>& variable) {
  if (const Allocation* const memory = driver().memory.find(address)) return memory;
  variable = variable_with(address);
  return variable ? &*variable : nullptr;
}

}  // namespace

void cuPointerGetAttribute(void* data, CUpointer_attribute attribute, CUdeviceptr address) {
  std::optional<Allocation> variable;
  const Allocation* const memory = known(address, variable);
  require(data != nullptr && memory != nullptr);
  const bool has_none = (attribute == CU_POINTER_ATTRIBUTE_HOST_POINTER && !memory->of_host()) ||
                        (attribute == CU_POINTER_ATTRIBUTE_DEVICE_POINTER && memory->hidden);
  if (has_none) give_attribute(data, CUdeviceptr{0});  // measured: and an error
  require(!has_none);
  require(answer(data, attribute, address, memory));
}

// Copies wait for their end as it is.
void cuPointerSetAttribute(const void* value, CUpointer_attribute attribute, CUdeviceptr address) {
  require(value != nullptr && attribute == CU_POINTER_ATTRIBUTE_SYNC_MEMOPS);
  require(driver().memory.find(address) != nullptr);
}

// Of an address that nobody knows this one tells nothing, and does not fail.
void cuPointerGetAttributes(unsigned count, CUpointer_attribute* attributes, void** data,
                            CUdeviceptr address) {
  require(count != 0 && attributes != nullptr && data != nullptr);
  std::optional<Allocation> variable;
  const Allocation* const memory = known(address, variable);
  for (unsigned i = 0; i < count; ++i)
    require(data[i] != nullptr && answer(data[i], attributes[i], address, memory));
}

}  // namespace wedjat::live::calls
