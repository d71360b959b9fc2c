// Memory of several devices at one address, which a single device does not have: as its attribute says.
#include "interposer/live/state/driver.h"
#include "live_calls.h"

namespace wedjat::live::calls {

void cuMulticastGetGranularity(std::size_t*, const CUmulticastObjectProp*, CUmulticastGranularity_flags) {
  fail(CUDA_ERROR_NOT_SUPPORTED);
}
void cuMulticastCreate(CUmemGenericAllocationHandle*, const CUmulticastObjectProp*) {
  fail(CUDA_ERROR_NOT_SUPPORTED);
}
void cuMulticastAddDevice(CUmemGenericAllocationHandle, CUdevice) { fail(CUDA_ERROR_NOT_SUPPORTED); }
void cuMulticastBindMem(CUmemGenericAllocationHandle, std::size_t, CUmemGenericAllocationHandle, std::size_t,
                        std::size_t, unsigned long long) {
  fail(CUDA_ERROR_NOT_SUPPORTED);
}
void cuMulticastBindAddr(CUmemGenericAllocationHandle, std::size_t, CUdeviceptr, std::size_t,
                         unsigned long long) {
  fail(CUDA_ERROR_NOT_SUPPORTED);
}
void cuMulticastUnbind(CUmemGenericAllocationHandle, CUdevice, std::size_t, std::size_t) {
  fail(CUDA_ERROR_NOT_SUPPORTED);
}

}  // namespace wedjat::live::calls
