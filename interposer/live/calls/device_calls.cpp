// The driver itself and its one device.
#include <fmt/format.h>

#include <cstdio>
#include <cstring>

#include "emulator/memory/capacity.h"
#include "interposer/live/state/driver.h"
#include "interposer/live/state/ending.h"
#include "interposer/live/state/perform.h"
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

void cuProfilerStart() {}
void cuProfilerStop() {}

}  // namespace wedjat::live::calls
