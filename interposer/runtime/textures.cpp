// Texture and surface objects: the driver's, but for how texels and flags are told.
#include <algorithm>

#include "interposer/runtime/arrays.h"
#include "runtime_calls.h"

namespace wedjat::runtime {
namespace {

CUDA_RESOURCE_DESC driver_resource(const cudaResourceDesc* given) {
  require(given != nullptr);
  CUDA_RESOURCE_DESC same{};
  same.resType = static_cast<CUresourcetype>(given->resType);
  same.flags = given->flags;
  if (given->resType == cudaResourceTypeArray) {
    same.res.array.hArray = as_driver(given->res.array.array);
  } else if (given->resType == cudaResourceTypeMipmappedArray) {
    same.res.mipmap.hMipmappedArray = reinterpret_cast<CUmipmappedArray>(given->res.mipmap.mipmap);
  } else if (given->resType == cudaResourceTypeLinear) {
    const auto& linear = given->res.linear;
    const Texel texel = texel_of(linear.desc);
    same.res.linear = {reinterpret_cast<CUdeviceptr>(linear.devPtr), texel.format, texel.channels,
                       linear.sizeInBytes};
  } else {
    require(given->resType == cudaResourceTypePitch2D);
    const auto& rows = given->res.pitch2D;
    const Texel texel = texel_of(rows.desc);
    same.res.pitch2D = {reinterpret_cast<CUdeviceptr>(rows.devPtr),
                        texel.format,
                        texel.channels,
                        rows.width,
                        rows.height,
                        rows.pitchInBytes};
  }
  return same;
}

cudaResourceDesc runtime_resource(const CUDA_RESOURCE_DESC& given) {
  cudaResourceDesc same{};
  same.resType = static_cast<cudaResourceType>(given.resType);
  same.flags = given.flags;
  if (given.resType == CU_RESOURCE_TYPE_ARRAY) {
    same.res.array.array = reinterpret_cast<cudaArray_t>(given.res.array.hArray);
  } else if (given.resType == CU_RESOURCE_TYPE_MIPMAPPED_ARRAY) {
    same.res.mipmap.mipmap = reinterpret_cast<cudaMipmappedArray_t>(given.res.mipmap.hMipmappedArray);
  } else if (given.resType == CU_RESOURCE_TYPE_LINEAR) {
    const auto& linear = given.res.linear;
    same.res.linear = {reinterpret_cast<void*>(linear.devPtr),
                       description_of({linear.format, linear.numChannels}), linear.sizeInBytes};
  } else {
    const auto& rows = given.res.pitch2D;
    same.res.pitch2D = {reinterpret_cast<void*>(rows.devPtr), description_of({rows.format, rows.numChannels}),
                        rows.width, rows.height, rows.pitchInBytes};
  }
  return same;
}

CUarray_format format_of(const CUDA_RESOURCE_DESC& resource) {
  if (resource.resType == CU_RESOURCE_TYPE_LINEAR) return resource.res.linear.format;
  if (resource.resType == CU_RESOURCE_TYPE_PITCH2D) return resource.res.pitch2D.format;
  CUarray array = resource.res.array.hArray;
  if (resource.resType == CU_RESOURCE_TYPE_MIPMAPPED_ARRAY)
    must(cuMipmappedArrayGetLevel(&array, resource.res.mipmap.hMipmappedArray, 0));
  CUDA_ARRAY3D_DESCRIPTOR description{};
  must(cuArray3DGetDescriptor_v2(&description, array));
  return description.Format;
}

// The driver takes any; measured on an H100.
void check_sampling(CUarray_format format, const cudaTextureDesc& wanted) {
  const bool is_short = format == CU_AD_FORMAT_UNSIGNED_INT8 || format == CU_AD_FORMAT_SIGNED_INT8 ||
                        format == CU_AD_FORMAT_UNSIGNED_INT16 || format == CU_AD_FORMAT_SIGNED_INT16;
  const bool is_long = format == CU_AD_FORMAT_UNSIGNED_INT32 || format == CU_AD_FORMAT_SIGNED_INT32;
  const bool is_real = format == CU_AD_FORMAT_FLOAT || format == CU_AD_FORMAT_HALF;
  const bool becomes_real = wanted.readMode == cudaReadModeNormalizedFloat;
  require(wanted.filterMode != cudaFilterModeLinear || !(is_long || (is_short && !becomes_real)),
          cudaErrorInvalidFilterSetting);
  require(!becomes_real || !(is_long || is_real), cudaErrorInvalidNormSetting);
}

// cuda.h's CU_TRSF_* are macros.
constexpr unsigned as_integer = 1, normalized = 2, srgb = 16, no_trilinear_optimization = 32, seamless = 64;

CUDA_TEXTURE_DESC driver_texture(const cudaTextureDesc* given) {
  require(given != nullptr);
  CUDA_TEXTURE_DESC same{};
  for (int i = 0; i < 3; ++i) same.addressMode[i] = static_cast<CUaddress_mode>(given->addressMode[i]);
  same.filterMode = static_cast<CUfilter_mode>(given->filterMode);
  same.flags = (given->readMode == cudaReadModeElementType ? as_integer : 0) |
               (given->normalizedCoords != 0 ? normalized : 0) | (given->sRGB != 0 ? srgb : 0) |
               (given->disableTrilinearOptimization != 0 ? no_trilinear_optimization : 0) |
               (given->seamlessCubemap != 0 ? seamless : 0);
  same.maxAnisotropy = given->maxAnisotropy;
  same.mipmapFilterMode = static_cast<CUfilter_mode>(given->mipmapFilterMode);
  same.mipmapLevelBias = given->mipmapLevelBias;
  same.minMipmapLevelClamp = given->minMipmapLevelClamp;
  same.maxMipmapLevelClamp = given->maxMipmapLevelClamp;
  std::copy_n(given->borderColor, 4, same.borderColor);
  return same;
}

cudaTextureDesc runtime_texture(const CUDA_TEXTURE_DESC& given) {
  cudaTextureDesc same{};
  for (int i = 0; i < 3; ++i) same.addressMode[i] = static_cast<cudaTextureAddressMode>(given.addressMode[i]);
  same.filterMode = static_cast<cudaTextureFilterMode>(given.filterMode);
  const auto flag = [&](unsigned which) { return (given.flags & which) != 0 ? 1 : 0; };
  same.readMode = flag(as_integer) != 0 ? cudaReadModeElementType : cudaReadModeNormalizedFloat;
  same.normalizedCoords = flag(normalized);
  same.sRGB = flag(srgb);
  same.disableTrilinearOptimization = flag(no_trilinear_optimization);
  same.seamlessCubemap = flag(seamless);
  same.maxAnisotropy = given.maxAnisotropy;
  same.mipmapFilterMode = static_cast<cudaTextureFilterMode>(given.mipmapFilterMode);
  same.mipmapLevelBias = given.mipmapLevelBias;
  same.minMipmapLevelClamp = given.minMipmapLevelClamp;
  same.maxMipmapLevelClamp = given.maxMipmapLevelClamp;
  std::copy_n(given.borderColor, 4, same.borderColor);
  return same;
}

}  // namespace

namespace calls {

cudaError_t cudaCreateTextureObject(cudaTextureObject_t* texture, const cudaResourceDesc* resource,
                                    const cudaTextureDesc* description, const cudaResourceViewDesc* view) {
  static_assert(sizeof *view == sizeof(CUDA_RESOURCE_VIEW_DESC));
  require(texture != nullptr);
  const CUDA_RESOURCE_DESC of = driver_resource(resource);
  const CUDA_TEXTURE_DESC how = driver_texture(description);
  check_sampling(format_of(of), *description);
  return as_runtime(
      cuTexObjectCreate(texture, &of, &how, reinterpret_cast<const CUDA_RESOURCE_VIEW_DESC*>(view)));
}

cudaError_t cudaCreateSurfaceObject(cudaSurfaceObject_t* surface, const cudaResourceDesc* resource) {
  require(surface != nullptr);
  const CUDA_RESOURCE_DESC of = driver_resource(resource);
  return as_runtime(cuSurfObjectCreate(surface, &of));
}

cudaError_t cudaGetTextureObjectResourceDesc(cudaResourceDesc* resource, cudaTextureObject_t texture) {
  require(resource != nullptr);
  CUDA_RESOURCE_DESC of{};
  must(cuTexObjectGetResourceDesc(&of, texture));
  *resource = runtime_resource(of);
  return cudaSuccess;
}

cudaError_t cudaGetSurfaceObjectResourceDesc(cudaResourceDesc* resource, cudaSurfaceObject_t surface) {
  require(resource != nullptr);
  CUDA_RESOURCE_DESC of{};
  must(cuSurfObjectGetResourceDesc(&of, surface));
  *resource = runtime_resource(of);
  return cudaSuccess;
}

cudaError_t cudaGetTextureObjectTextureDesc(cudaTextureDesc* description, cudaTextureObject_t texture) {
  require(description != nullptr);
  CUDA_TEXTURE_DESC how{};
  must(cuTexObjectGetTextureDesc(&how, texture));
  *description = runtime_texture(how);
  return cudaSuccess;
}

}  // namespace calls
}  // namespace wedjat::runtime
