// What some calls look at before they tell that a kernel has failed (after_failures.yaml): whether a pointer
// is there, and whether a handle is one.
#pragma once

#include "interposer/live/state/driver.h"
#include "interposer/live/state/streams.h"

namespace wedjat::live {

inline void known(const void* pointer) { require(pointer != nullptr); }
template <class Result, class... Arguments>
void known(Result (*function)(Arguments...)) {
  require(function != nullptr);
}

inline void known(CUstream handle) { stream_of(handle); }
inline void known(CUgraph handle) { driver().graphs.at(handle, CUDA_ERROR_INVALID_VALUE); }

template <class T>
void known(const Handles<T>& of_kind, const T* handle) {
  of_kind.at(handle, CUDA_ERROR_INVALID_HANDLE);
}
inline void known(CUgraphExec handle) { driver().executables.at(handle, CUDA_ERROR_INVALID_VALUE); }
inline void known(CUevent handle) { known(driver().events, handle); }
inline void known(CUmodule handle) { known(driver().modules, handle); }
inline void known(CUkernel handle) { known(driver().kernels, handle); }
inline void known(CUarray handle) { known(driver().arrays, handle); }
inline void known(CUmipmappedArray handle) { known(driver().mipmapped_arrays, handle); }
inline void known(CUlinkState handle) { known(driver().links, handle); }
inline void known(CUtexref handle) { known(driver().texture_references, handle); }
inline void known(CUsurfref handle) { known(driver().surface_references, handle); }
inline void known(CUfunction handle) {
  if (driver().functions.find(handle) == nullptr) known(reinterpret_cast<CUkernel>(handle));
}

}  // namespace wedjat::live
