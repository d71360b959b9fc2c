#include "interposer/live/state/bearers.h"

#include "interposer/live/state/driver.h"
#include "interposer/live/state/streams.h"

namespace wedjat::live {
namespace {

template <class T>
CUcontext context_in(const Handles<T>& known, const T* handle) {
  const T* const object = known.find(handle);
  return object == nullptr ? nullptr : object->context;
}

}  // namespace

CUcontext context_of(CUstream handle) {
  if (is_default(handle)) return context(), current_context();
  return context_in(driver().streams, handle);
}

CUcontext context_of(CUevent handle) { return context_in(driver().events, handle); }
CUcontext context_of(CUmodule handle) { return context_in(driver().modules, handle); }
CUcontext context_of(CUarray handle) { return context_in(driver().arrays, handle); }
CUcontext context_of(CUmipmappedArray handle) { return context_in(driver().mipmapped_arrays, handle); }

CUcontext context_of(CUfunction handle) {
  const CUfunc_st* const function = driver().functions.find(handle);
  return function == nullptr ? nullptr : context_of(function->module);
}

CUcontext context_of(CUkernel handle) {
  CUcontext oldest = nullptr;
  if (driver().kernels.find(handle) != nullptr)
    driver().contexts.each([&](CUctx_st& each) {
      if (oldest == nullptr || each.id < oldest->id) oldest = &each;
    });
  return oldest;
}

CUcontext context_of(CUdeviceptr address) {
  const Allocation* const found = driver().memory.find(address);
  return found == nullptr ? nullptr : found->owner;
}

CUcontext context_of(const void* address) { return context_of(static_cast<CUdeviceptr>(number(address))); }

}  // namespace wedjat::live
