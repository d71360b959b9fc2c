#include <dlfcn.h>

#include <cstdlib>
#include <cstring>
#include <string>

#include "interposer/shim/driver/entry_table.h"
#include "tests/interposer/fake_driver/fake.h"

namespace {
thread_local CUcontext current = nullptr;
char context_object;
CUcontext primary() { return reinterpret_cast<CUcontext>(&context_object); }
}  // namespace

FAKE CUresult cuInit(unsigned) { return CUDA_SUCCESS; }
FAKE CUresult cuDriverGetVersion(int* version) { return *version = 13000, CUDA_SUCCESS; }
FAKE CUresult cuDeviceGetCount(int* count) { return *count = 1, CUDA_SUCCESS; }
FAKE CUresult cuDeviceGet(CUdevice* device, int ordinal) {
  *device = ordinal;
  return ordinal == 0 ? CUDA_SUCCESS : CUDA_ERROR_INVALID_DEVICE;
}
FAKE CUresult cuDeviceGetName(char* name, int size, CUdevice) {
  std::strncpy(name, "Fake device of the tests", static_cast<size_t>(size));
  return CUDA_SUCCESS;
}
FAKE CUresult cuDeviceTotalMem_v2(size_t* bytes, CUdevice) { return *bytes = size_t{1} << 30, CUDA_SUCCESS; }
FAKE CUresult cuDeviceGetUuid(CUuuid* uuid, CUdevice) {
  return std::memset(uuid, 7, sizeof *uuid), CUDA_SUCCESS;
}
FAKE CUresult cuDeviceGetUuid_v2(CUuuid* uuid, CUdevice device) { return cuDeviceGetUuid(uuid, device); }
FAKE CUresult cuDeviceGetAttribute(int* value, CUdevice_attribute attribute, CUdevice) {
  switch (attribute) {
    case CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR:
      *value = 9;
      break;
    case CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR:
      *value = 0;
      break;
    case CU_DEVICE_ATTRIBUTE_WARP_SIZE:
      *value = 32;
      break;
    case CU_DEVICE_ATTRIBUTE_CONCURRENT_MANAGED_ACCESS:
      *value = std::getenv("FAKE_MANAGED_ALONE") == nullptr;
      break;
    default:
      *value = 1;
  }
  return CUDA_SUCCESS;
}
FAKE CUresult cuModuleGetLoadingMode(CUmoduleLoadingMode* mode) {
  return *mode = CU_MODULE_LAZY_LOADING, CUDA_SUCCESS;
}

FAKE CUresult cuDevicePrimaryCtxRetain(CUcontext* context, CUdevice) {
  return *context = primary(), CUDA_SUCCESS;
}
FAKE CUresult cuDevicePrimaryCtxRelease_v2(CUdevice) { return CUDA_SUCCESS; }
FAKE CUresult cuCtxSetCurrent(CUcontext context) { return current = context, CUDA_SUCCESS; }
FAKE CUresult cuCtxGetCurrent(CUcontext* context) { return *context = current, CUDA_SUCCESS; }
FAKE CUresult cuCtxGetDevice(CUdevice* device) { return *device = 0, CUDA_SUCCESS; }
FAKE CUresult cuCtxSynchronize() {
  if (fake::endless_work) std::abort();  // it would hang
  return fake::run_everything(), CUDA_SUCCESS;
}

// The driver's own resolution, by the same table but an independent search.
FAKE CUresult cuGetProcAddress_v2(const char* symbol, void** found, int version, cuuint64_t flags,
                                  CUdriverProcAddressQueryResult* status) {
  using wedjat::interposer::EntryInfo;
  const EntryInfo* best = nullptr;
  for (const EntryInfo& entry : wedjat::interposer::kEntryTable) {
    const bool fits =
        std::string(symbol) == entry.base && entry.version <= version && (!entry.per_thread || flags == 2);
    const auto rank = [](const EntryInfo& e) { return e.version + (e.per_thread ? 1'000'000 : 0); };
    if (fits && (best == nullptr || rank(entry) > rank(*best))) best = &entry;
  }
  *found = best ? best->wrapper : nullptr;
  if (best == nullptr && std::string(symbol) == "cuFromTheFuture") *found = reinterpret_cast<void*>(&cuInit);
  if (status) *status = *found ? CU_GET_PROC_ADDRESS_SUCCESS : CU_GET_PROC_ADDRESS_SYMBOL_NOT_FOUND;
  return *found ? CUDA_SUCCESS : CUDA_ERROR_NOT_FOUND;
}
