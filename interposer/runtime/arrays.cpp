// Arrays: what their texels are, and where they come from.
#include "interposer/runtime/arrays.h"

#include "runtime_calls.h"

namespace wedjat::runtime {
namespace {

// One format of three sizes.
CUarray_format of_size(int bits, CUarray_format eight, CUarray_format sixteen, CUarray_format thirty_two) {
  require((bits == 8 && eight != 0) || bits == 16 || bits == 32, cudaErrorInvalidChannelDescriptor);
  return bits == 8 ? eight : bits == 16 ? sixteen : thirty_two;
}

// Kinds that tell the channels once more are in the driver's order.
struct Series {
  cudaChannelFormatKind first, last;
  CUarray_format same;
};
constexpr Series series[] = {{cudaChannelFormatKindNV12, cudaChannelFormatKindNV12, CU_AD_FORMAT_NV12},
                             {cudaChannelFormatKindUnsignedNormalized8X1,
                              cudaChannelFormatKindSignedNormalized16X4, CU_AD_FORMAT_UNORM_INT8X1},
                             {cudaChannelFormatKindUnsignedBlockCompressed1,
                              cudaChannelFormatKindUnsignedBlockCompressed7SRGB, CU_AD_FORMAT_BC1_UNORM}};

CUarray_format format_of(int bits, cudaChannelFormatKind kind) {
  constexpr auto none = static_cast<CUarray_format>(0);
  if (kind == cudaChannelFormatKindSigned)
    return of_size(bits, CU_AD_FORMAT_SIGNED_INT8, CU_AD_FORMAT_SIGNED_INT16, CU_AD_FORMAT_SIGNED_INT32);
  if (kind == cudaChannelFormatKindUnsigned)
    return of_size(bits, CU_AD_FORMAT_UNSIGNED_INT8, CU_AD_FORMAT_UNSIGNED_INT16,
                   CU_AD_FORMAT_UNSIGNED_INT32);
  if (kind == cudaChannelFormatKindFloat) return of_size(bits, none, CU_AD_FORMAT_HALF, CU_AD_FORMAT_FLOAT);
  for (const Series& some : series)
    if (kind >= some.first && kind <= some.last)
      return static_cast<CUarray_format>(some.same + (kind - some.first));
  throw Failure{cudaErrorInvalidChannelDescriptor};
}

struct Kind {
  int bits;
  cudaChannelFormatKind kind;
};

Kind kind_of(CUarray_format format) {
  for (const Kind& kind : {Kind{8, cudaChannelFormatKindSigned},
                           {16, cudaChannelFormatKindSigned},
                           {32, cudaChannelFormatKindSigned},
                           {8, cudaChannelFormatKindUnsigned},
                           {16, cudaChannelFormatKindUnsigned},
                           {32, cudaChannelFormatKindUnsigned},
                           {16, cudaChannelFormatKindFloat},
                           {32, cudaChannelFormatKindFloat}})
    if (format_of(kind.bits, kind.kind) == format) return kind;
  for (const Series& some : series)
    if (format >= some.same && format - some.same <= some.last - some.first) {
      const auto kind = static_cast<cudaChannelFormatKind>(some.first + (format - some.same));
      const bool sixteen = (kind >= cudaChannelFormatKindUnsignedNormalized16X1 &&
                            kind <= cudaChannelFormatKindUnsignedNormalized16X4) ||
                           (kind >= cudaChannelFormatKindSignedNormalized16X1 &&
                            kind <= cudaChannelFormatKindSignedNormalized16X4);
      return {sixteen ? 16 : 8, kind};
    }
  throw Failure{cudaErrorInvalidChannelDescriptor};
}

CUDA_ARRAY3D_DESCRIPTOR asked(cudaArray_const_t array) {
  CUDA_ARRAY3D_DESCRIPTOR description{};
  must(cuArray3DGetDescriptor_v2(&description, as_driver(array)));
  return description;
}

CUDA_ARRAY3D_DESCRIPTOR described(const cudaChannelFormatDesc* desc, cudaExtent extent, unsigned flags) {
  require(desc != nullptr);
  const Texel texel = texel_of(*desc);
  return {extent.width, extent.height, extent.depth, texel.format, texel.channels, flags};
}

}  // namespace

Texel texel_of(const cudaChannelFormatDesc& description) {
  const int bits[] = {description.x, description.y, description.z, description.w};
  unsigned channels = 0;
  while (channels < 4 && bits[channels] != 0) ++channels;
  for (unsigned i = 1; i < 4; ++i)
    require(bits[i] == (i < channels ? bits[0] : 0), cudaErrorInvalidChannelDescriptor);
  require(channels != 0 && (channels != 3 || description.f == cudaChannelFormatKindNV12),
          cudaErrorInvalidChannelDescriptor);
  return {format_of(bits[0], description.f), channels};
}

cudaChannelFormatDesc description_of(const Texel& texel) {
  const Kind known = kind_of(texel.format);
  const auto channel = [&](unsigned number) { return number < texel.channels ? known.bits : 0; };
  return {channel(0), channel(1), channel(2), channel(3), known.kind};
}

size_t texel_bytes(cudaArray_const_t array) {
  const CUDA_ARRAY3D_DESCRIPTOR description = asked(array);
  return static_cast<size_t>(kind_of(description.Format).bits) / 8 * description.NumChannels;
}

namespace calls {

cudaChannelFormatDesc cudaCreateChannelDesc(int x, int y, int z, int w, cudaChannelFormatKind f) {
  return {x, y, z, w, f};
}

cudaError_t cudaMalloc3DArray(cudaArray_t* array, const cudaChannelFormatDesc* desc, cudaExtent extent,
                              unsigned flags) {
  require(array != nullptr);
  const CUDA_ARRAY3D_DESCRIPTOR description = described(desc, extent, flags);
  return as_runtime(cuArray3DCreate_v2(reinterpret_cast<CUarray*>(array), &description));
}

cudaError_t cudaDeviceGetTexture1DLinearMaxWidth(size_t* width, const cudaChannelFormatDesc* desc,
                                                 int device) {
  require(desc != nullptr);
  const Texel texel = texel_of(*desc);
  return as_runtime(cuDeviceGetTexture1DLinearMaxWidth(width, texel.format, texel.channels, device));
}

cudaError_t cudaMallocArray(cudaArray_t* array, const cudaChannelFormatDesc* desc, size_t width,
                            size_t height, unsigned flags) {
  return cudaMalloc3DArray(array, desc, {width, height, 0}, flags);
}

cudaError_t cudaMallocMipmappedArray(cudaMipmappedArray_t* array, const cudaChannelFormatDesc* desc,
                                     cudaExtent extent, unsigned levels, unsigned flags) {
  require(array != nullptr);
  const CUDA_ARRAY3D_DESCRIPTOR description = described(desc, extent, flags);
  return as_runtime(cuMipmappedArrayCreate(reinterpret_cast<CUmipmappedArray*>(array), &description, levels));
}

// NULL is well.
cudaError_t cudaFreeArray(cudaArray_t array) {
  return array == nullptr ? cudaSuccess : as_runtime(cuArrayDestroy(as_driver(array)));
}

cudaError_t cudaFreeMipmappedArray(cudaMipmappedArray_t array) {
  if (array == nullptr) return cudaSuccess;
  return as_runtime(cuMipmappedArrayDestroy(reinterpret_cast<CUmipmappedArray>(array)));
}

cudaError_t cudaArrayGetInfo(cudaChannelFormatDesc* desc, cudaExtent* extent, unsigned* flags,
                             cudaArray_t array) {
  const CUDA_ARRAY3D_DESCRIPTOR description = asked(array);
  if (desc != nullptr) *desc = description_of({description.Format, description.NumChannels});
  if (extent != nullptr) *extent = {description.Width, description.Height, description.Depth};
  if (flags != nullptr) *flags = description.Flags;
  return cudaSuccess;
}

cudaError_t cudaGetChannelDesc(cudaChannelFormatDesc* desc, cudaArray_const_t array) {
  require(desc != nullptr);
  const CUDA_ARRAY3D_DESCRIPTOR description = asked(array);
  *desc = description_of({description.Format, description.NumChannels});
  return cudaSuccess;
}

}  // namespace calls
}  // namespace wedjat::runtime
