// Which device a program gets and how; what else of the driver it asks for.
#include "interposer/runtime/state.h"
#include "runtime_calls.h"

namespace wedjat::runtime::calls {
namespace {

// cuda_runtime_api.h's cudaDevice* flags are macros, with the driver's numbers.
constexpr unsigned map_host = 8, all_flags = 0xff;

// A device is no peer of itself, and there is no other.
cudaError_t as_peer(int device, cudaError_t otherwise) {
  int count = 0;
  must(cuDeviceGetCount(&count));
  require(device >= 0 && device < count, cudaErrorInvalidDevice);
  return otherwise;
}

}  // namespace

cudaError_t cudaSetDeviceFlags(unsigned flags) {
  require((flags & ~all_flags) == 0);
  return as_runtime(cuDevicePrimaryCtxSetFlags_v2(0, flags));
}

cudaError_t cudaGetDeviceFlags(unsigned* flags) {
  require(flags != nullptr);
  must(cuCtxGetFlags(flags));
  *flags |= map_host;
  return cudaSuccess;
}

cudaError_t cudaInitDevice(int device, unsigned device_flags, unsigned flags) {
  constexpr unsigned flags_are_valid = 1;  // cudaInitDeviceFlagsAreValid
  require(flags <= flags_are_valid);
  if (flags == flags_are_valid) {
    const cudaError_t set = cudaSetDeviceFlags(device_flags);
    if (set != cudaSuccess) return set;
  }
  return cudaSetDevice(device);
}

// There is one to choose from.
cudaError_t cudaChooseDevice(int* device, const cudaDeviceProp* wanted) {
  require(device != nullptr && wanted != nullptr);
  *device = 0;
  return cudaSuccess;
}

cudaError_t cudaSetValidDevices(int* devices, int count) {
  require(count == 0 || devices != nullptr);
  for (int i = 0; i < count; ++i) require(devices[i] == 0, cudaErrorInvalidDevice);
  return cudaSuccess;
}

cudaError_t cudaDeviceEnablePeerAccess(int device, unsigned flags) {
  require(flags == 0);
  return as_peer(device, cudaErrorPeerAccessUnsupported);
}

cudaError_t cudaDeviceDisablePeerAccess(int device) { return as_peer(device, cudaErrorPeerAccessNotEnabled); }

// Shared memory has banks of four bytes, whatever a program wants.
cudaError_t cudaDeviceGetSharedMemConfig(cudaSharedMemConfig* config) {
  require(config != nullptr);
  *config = cudaSharedMemBankSizeFourByte;
  return cudaSuccess;
}

cudaError_t cudaDeviceSetSharedMemConfig(cudaSharedMemConfig config) {
  require(config >= cudaSharedMemBankSizeDefault && config <= cudaSharedMemBankSizeEightByte);
  return cudaSuccess;
}

// A function that is not there is no error: the status says it.
cudaError_t cudaGetDriverEntryPointByVersion(const char* symbol, void** function, unsigned version,
                                             unsigned long long flags,
                                             cudaDriverEntryPointQueryResult* status) {
  require(symbol != nullptr && function != nullptr);
  CUdriverProcAddressQueryResult found{};
  const CUresult result = cuGetProcAddress_v2(symbol, function, static_cast<int>(version), flags, &found);
  if (status != nullptr) *status = static_cast<cudaDriverEntryPointQueryResult>(found);
  return result == CUDA_ERROR_NOT_FOUND ? cudaSuccess : as_runtime(result);
}

cudaError_t cudaGetDriverEntryPoint(const char* symbol, void** function, unsigned long long flags,
                                    cudaDriverEntryPointQueryResult* status) {
  return cudaGetDriverEntryPointByVersion(symbol, function, static_cast<unsigned>(version), flags, status);
}

}  // namespace wedjat::runtime::calls
