// Texels as the runtime describes them and as the driver does.
#pragma once

#include "interposer/runtime/state.h"

namespace wedjat::runtime {

struct Texel {
  CUarray_format format;
  unsigned channels;
};

// Fails with cudaErrorInvalidChannelDescriptor where no array has such texels.
Texel texel_of(const cudaChannelFormatDesc& description);
cudaChannelFormatDesc description_of(const Texel& texel);
// Of one texel of the array, in bytes. Fails as the driver does if there is no such array.
size_t texel_bytes(cudaArray_const_t array);

inline CUarray as_driver(cudaArray_const_t array) {
  return reinterpret_cast<CUarray>(const_cast<cudaArray*>(array));
}

}  // namespace wedjat::runtime
