#include "interposer/live/work/array_limits.h"

namespace wedjat::live {
namespace {

// cuda.h's CUDA_ARRAY3D_* are macros.
constexpr unsigned layered = 1, cubemap = 4, all_flags = 0x1ff;

std::size_t most(CUdevice_attribute attribute) {
  return static_cast<std::size_t>(profile().attributes.at(static_cast<int>(attribute)));
}

bool fits_cube(const CUDA_ARRAY3D_DESCRIPTOR& array) {
  constexpr std::size_t faces = 6;
  if (array.Width != array.Height || array.Width > most(CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURECUBEMAP_WIDTH))
    return false;
  if ((array.Flags & layered) == 0) return array.Depth == faces;
  return array.Depth != 0 && array.Depth % faces == 0 &&
         array.Depth <= most(CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURECUBEMAP_LAYERED_LAYERS);
}

bool fits_layers(const CUDA_ARRAY3D_DESCRIPTOR& array) {
  if (array.Depth == 0) return false;
  if (array.Height == 0)
    return array.Width <= most(CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE1D_LAYERED_WIDTH) &&
           array.Depth <= most(CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE1D_LAYERED_LAYERS);
  return array.Width <= most(CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_LAYERED_WIDTH) &&
         array.Height <= most(CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_LAYERED_HEIGHT) &&
         array.Depth <= most(CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_LAYERED_LAYERS);
}

bool fits_volume(const CUDA_ARRAY3D_DESCRIPTOR& array) {
  if (array.Height == 0) return false;
  const bool usual = array.Width <= most(CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE3D_WIDTH) &&
                     array.Height <= most(CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE3D_HEIGHT) &&
                     array.Depth <= most(CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE3D_DEPTH);
  return usual || (array.Width <= most(CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE3D_WIDTH_ALTERNATE) &&
                   array.Height <= most(CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE3D_HEIGHT_ALTERNATE) &&
                   array.Depth <= most(CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE3D_DEPTH_ALTERNATE));
}

}  // namespace

bool fits(const CUDA_ARRAY3D_DESCRIPTOR& array) {
  if (array.Width == 0 || (array.Flags & ~all_flags) != 0) return false;
  if ((array.Flags & cubemap) != 0) return fits_cube(array);
  if ((array.Flags & layered) != 0) return fits_layers(array);
  if (array.Depth != 0) return fits_volume(array);
  if (array.Height == 0) return array.Width <= most(CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE1D_WIDTH);
  return array.Width <= most(CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_WIDTH) &&
         array.Height <= most(CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_HEIGHT);
}

}  // namespace wedjat::live
