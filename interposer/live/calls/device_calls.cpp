// The driver itself and its one device.
#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <cstring>

#include "emulator/memory/capacity.h"
#include "interposer/live/state/driver.h"
#include "interposer/live/state/ending.h"
#include "interposer/live/state/perform.h"
#include "interposer/meaning/textures.h"
#include "interposer/shim/driver/entry_table.h"
#include "live_calls.h"

namespace wedjat::live::calls {
namespace {

constexpr const char* pci_bus_id = "0000:00:06.0";

void give_text(char* to, int room, const char* text) {
  require(to != nullptr && room != 0);
  std::snprintf(to, static_cast<unsigned>(room), "%s", text);  // a negative room counts as a large one
}

const ErrorText& text_of(CUresult error) {
  const auto found = error_texts().find(static_cast<int>(error));
  if (found == error_texts().end()) fail(CUDA_ERROR_INVALID_VALUE);
  return found->second;
}

}  // namespace

void cuInit(unsigned flags) {
  require(flags == 0);
  require(!is_forked(), CUDA_ERROR_NOT_INITIALIZED);
  start_tools();
  driver().initialized = true;
}

void cuDriverGetVersion(int* version) { *version = profile().driver_version; }

void cuGetErrorName(CUresult error, const char** text) {
  *text = nullptr;
  *text = text_of(error).name;
}

void cuGetErrorString(CUresult error, const char** text) {
  *text = nullptr;
  *text = text_of(error).text;
}

void cuGetProcAddress(const char* symbol, void** found, int version, cuuint64_t flags,
                      CUdriverProcAddressQueryResult* status) {
  require(found != nullptr && (flags & ~cuuint64_t{CU_GET_PROC_ADDRESS_LEGACY_STREAM |
                                                   CU_GET_PROC_ADDRESS_PER_THREAD_DEFAULT_STREAM}) == 0);
  const bool per_thread = (flags & CU_GET_PROC_ADDRESS_PER_THREAD_DEFAULT_STREAM) != 0;
  const interposer::EntryInfo* entry = interposer::entry_for(symbol, version, per_thread);
  *found = entry ? entry->wrapper : nullptr;
  const bool newer = !entry && interposer::entry_for(symbol, interposer::kCudaVersion, per_thread);
  if (status != nullptr)
    *status = entry   ? CU_GET_PROC_ADDRESS_SUCCESS
              : newer ? CU_GET_PROC_ADDRESS_VERSION_NOT_SUFFICIENT
                      : CU_GET_PROC_ADDRESS_SYMBOL_NOT_FOUND;
}

void cuGetProcAddress(const char* symbol, void** found, int version, cuuint64_t flags) {
  cuGetProcAddress(symbol, found, version, flags, nullptr);
}

void cuGetExportTable(const void** table, const CUuuid*) {
  *table = nullptr;
  fail(CUDA_ERROR_INVALID_VALUE,
       "the program asks for tables of the driver that are not documented, as the static CUDA runtime and "
       "NVIDIA's "
       "libraries do; link a program of yours with the shared runtime (nvcc -cudart shared)");
}

void cuDeviceGet(CUdevice* device, int ordinal) {
  check_device(ordinal);
  *device = ordinal;
}

void cuDeviceGetCount(int* count) { *count = 1; }

void cuDeviceGetName(char* name, int room, CUdevice device) {
  check_device(device);
  give_text(name, room, profile().name);
}

void cuDeviceGetUuid(CUuuid* uuid, CUdevice device) {
  check_device(device);
  std::memcpy(uuid->bytes, "wedjat-live-h200", sizeof uuid->bytes);
}

void cuDeviceGetAttribute(int* value, CUdevice_attribute attribute, CUdevice device) {
  const auto found = profile().attributes.find(static_cast<int>(attribute));
  require(found != profile().attributes.end());
  check_device(device);
  *value = found->second;
}

void cuDeviceTotalMem(std::size_t* bytes, CUdevice device) {
  check_device(device);
  *bytes = memory::capacity;
}

void cuDeviceComputeCapability(int* major, int* minor, CUdevice device) {
  cuDeviceGetAttribute(major, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR, device);
  cuDeviceGetAttribute(minor, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR, device);
}

void cuDeviceGetPCIBusId(char* text, int room, CUdevice device) {
  check_device(device);
  require(room > static_cast<int>(std::strlen(pci_bus_id)));
  give_text(text, room, pci_bus_id);
}

void cuDeviceGetByPCIBusId(CUdevice* device, const char* text) {
  unsigned domain = 0, bus = 0, place = 0, function = 0;
  require(std::sscanf(text, "%x:%x:%x.%x", &domain, &bus, &place, &function) >= 3 ||
          std::sscanf(text, "%x:%x.%x", &bus, &place, &function) >= 2);
  require(std::strcmp(text, pci_bus_id) == 0 || std::strcmp(text, pci_bus_id + 5) == 0,
          CUDA_ERROR_INVALID_DEVICE);
  *device = 0;
}

void cuDeviceCanAccessPeer(int* can, CUdevice device, CUdevice peer) {
  check_device(device);
  check_device(peer);
  *can = 0;  // a device is no peer of its own
}

// Two devices have one; there is one device.
void cuDeviceGetP2PAttribute(int*, CUdevice_P2PAttribute, CUdevice, CUdevice) {
  fail(CUDA_ERROR_INVALID_DEVICE);
}

// Of an interface of another operating system.
void cuDeviceGetLuid(char*, unsigned*, CUdevice device) {
  check_device(device);
  fail(CUDA_ERROR_NOT_SUPPORTED);
}

void cuDeviceGetProperties(CUdevprop* told, CUdevice device) {
  check_device(device);
  const auto is = [](CUdevice_attribute attribute) {
    return profile().attributes.at(static_cast<int>(attribute));
  };
  told->maxThreadsPerBlock = is(CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_BLOCK);
  for (int axis = 0; axis < 3; ++axis) {
    told->maxThreadsDim[axis] =
        is(static_cast<CUdevice_attribute>(CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_X + axis));
    told->maxGridSize[axis] = is(static_cast<CUdevice_attribute>(CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_X + axis));
  }
  told->sharedMemPerBlock = is(CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK);
  told->totalConstantMemory = is(CU_DEVICE_ATTRIBUTE_TOTAL_CONSTANT_MEMORY);
  told->SIMDWidth = is(CU_DEVICE_ATTRIBUTE_WARP_SIZE);
  told->memPitch = is(CU_DEVICE_ATTRIBUTE_MAX_PITCH);
  told->regsPerBlock = is(CU_DEVICE_ATTRIBUTE_MAX_REGISTERS_PER_BLOCK);
  told->clockRate = is(CU_DEVICE_ATTRIBUTE_CLOCK_RATE);
  told->textureAlign = is(CU_DEVICE_ATTRIBUTE_TEXTURE_ALIGNMENT);
}

void cuDeviceGetTexture1DLinearMaxWidth(std::size_t* width, CUarray_format format, unsigned channels,
                                        CUdevice device) {
  constexpr std::size_t most_texels = std::size_t{1} << 30, most_bytes = std::size_t{1} << 32;  // measured
  check_device(device);
  require(channels == 1 || channels == 2 || channels == 4);
  const memory::ArrayShape texel{1, 0, 0, interposer::format_of(format), channels};
  *width = std::min(most_texels, most_bytes / texel.texel_bytes());
}

// A device that several processes share has some of its multiprocessors for each; this one has one process.
void cuDeviceGetExecAffinitySupport(int* supported, CUexecAffinityType, CUdevice device) {
  check_device(device);
  *supported = 0;
}
void cuCtxGetExecAffinity(CUexecAffinityParam* affinity, CUexecAffinityType type) {
  require(type == CU_EXEC_AFFINITY_TYPE_SM_COUNT, CUDA_ERROR_UNSUPPORTED_EXEC_AFFINITY);
  require(green_of(current_context()) == nullptr, CUDA_ERROR_INVALID_CONTEXT);
  affinity->type = type;
  affinity->param.smCount.val = multiprocessors();
}

void cuDeviceGetHostAtomicCapabilities(unsigned* capabilities, const CUatomicOperation* operations,
                                       unsigned count, CUdevice device) {
  check_device(device);
  require(count != 0 && capabilities != nullptr && operations != nullptr);
  for (unsigned i = 0; i < count; ++i) {
    require(operations[i] >= CU_ATOMIC_OPERATION_INTEGER_ADD && operations[i] < CU_ATOMIC_OPERATION_MAX);
    capabilities[i] = 0;  // over its bus none
  }
}

// Two devices have one; there is one device.
void cuDeviceGetP2PAtomicCapabilities(unsigned*, const CUatomicOperation*, unsigned, CUdevice, CUdevice) {
  fail(CUDA_ERROR_INVALID_DEVICE);
}

void cuDeviceRegisterAsyncNotification(CUdevice device, CUasyncCallback callback, void*,
                                       CUasyncCallbackHandle* handle) {
  check_device(device);
  require(callback != nullptr);
  *handle = driver().notifications.add(
      std::make_unique<CUasyncCallbackEntry_st>(CUasyncCallbackEntry_st{callback}));
}
void cuDeviceUnregisterAsyncNotification(CUdevice device, CUasyncCallbackHandle handle) {
  check_device(device);
  driver().notifications.drop(&driver().notifications.at(handle, CUDA_ERROR_INVALID_VALUE));
}

// Nothing but the host and kernels writes to memory.
void cuFlushGPUDirectRDMAWrites(CUflushGPUDirectRDMAWritesTarget target,
                                CUflushGPUDirectRDMAWritesScope scope) {
  require(target == CU_FLUSH_GPU_DIRECT_RDMA_WRITES_TARGET_CURRENT_CTX);
  require(scope == CU_FLUSH_GPU_DIRECT_RDMA_WRITES_TO_OWNER ||
          scope == CU_FLUSH_GPU_DIRECT_RDMA_WRITES_TO_ALL_DEVICES);
}

void cuProfilerStart() {}
void cuProfilerStop() {}

}  // namespace wedjat::live::calls
