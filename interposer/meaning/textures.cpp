#include "interposer/meaning/textures.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

namespace wedjat::interposer {
namespace {

// cuda.h's CUDA_ARRAY3D_* are macros.
constexpr unsigned layered = 1, cubemap = 4, sparse = 64;

void set_array_format(memory::ArrayShape& shape, CUarray_format format) {
  using enum memory::ChannelFormat;
  // UNORM_INT8X1 and so on: the enumeration tells channels once more.
  constexpr memory::ChannelFormat formats[] = {u8, u16, s8, s16};
  const auto place = static_cast<unsigned>(format) - CU_AD_FORMAT_UNORM_INT8X1;
  shape.normalized = place < 3 * std::size(formats);
  shape.format = shape.normalized ? formats[place / 3] : format_of(format);
}

// Texels as a view reads them.
void set_view_format(memory::ArrayShape& shape, CUresourceViewFormat format) {
  using enum memory::ChannelFormat;
  // In the order of the enumeration, with one, two and four channels each.
  constexpr memory::ChannelFormat formats[] = {u8, s8, u16, s16, u32, s32, f16, f32};
  constexpr unsigned channels[] = {1, 2, 4};
  if (format == CU_RES_VIEW_FORMAT_NONE) return;
  if (shape.normalized) throw Unclear("views of normalised formats were not measured");
  const auto place = static_cast<unsigned>(format) - CU_RES_VIEW_FORMAT_UINT_1X8;
  if (place >= 3 * std::size(formats))
    throw Unclear("views of compressed blocks are not known (CUresourceViewFormat " + std::to_string(format) +
                  ")");
  const unsigned bytes = shape.texel_bytes();
  shape.format = formats[place / 3];
  shape.channels = channels[place % 3];
  if (shape.texel_bytes() != bytes) throw Unclear("its resource view has texels of another size");
}

std::uint64_t number(const void* handle) { return reinterpret_cast<std::uint64_t>(handle); }

memory::Texels texels_of(const memory::TextureTable& table, const CUDA_RESOURCE_DESC& resource) {
  memory::Texels texels;
  switch (resource.resType) {
    case CU_RESOURCE_TYPE_ARRAY:
      texels.levels = {known(table.arrays, number(resource.res.array.hArray))};
      break;
    case CU_RESOURCE_TYPE_MIPMAPPED_ARRAY:
      texels.levels = known(table.mipmapped_arrays, number(resource.res.mipmap.hMipmappedArray));
      break;
    case CU_RESOURCE_TYPE_LINEAR: {
      const auto& linear = resource.res.linear;
      texels.address = linear.devPtr;
      texels.shape.format = format_of(linear.format);
      texels.shape.channels = linear.numChannels;
      texels.shape.width = linear.sizeInBytes / std::max(texels.shape.texel_bytes(), 1u);
      return texels;
    }
    case CU_RESOURCE_TYPE_PITCH2D: {
      const auto& rows = resource.res.pitch2D;
      texels.address = rows.devPtr;
      texels.pitch = rows.pitchInBytes;
      texels.shape = {rows.width, rows.height, 0, format_of(rows.format), rows.numChannels};
      return texels;
    }
    default:
      throw Unclear("it has a resource of unknown type " + std::to_string(resource.resType));
  }
  texels.shape = texels.levels.front()->shape();
  return texels;
}

// Of enumerations that begin with 0.
void check_known(int value, int last, const char* what) {
  if (value < 0 || value > last) throw Unclear(fmt::format("there is no {} {}", what, value));
}

memory::Sampler sampler_of(const CUDA_TEXTURE_DESC& texture) {
  for (const CUaddress_mode mode : texture.addressMode)
    check_known(mode, CU_TR_ADDRESS_MODE_BORDER, "CUaddress_mode");
  check_known(texture.filterMode, CU_TR_FILTER_MODE_LINEAR, "CUfilter_mode");
  check_known(texture.mipmapFilterMode, CU_TR_FILTER_MODE_LINEAR, "CUfilter_mode");
  memory::Sampler sampler;
  for (int i = 0; i < 3; ++i) sampler.address[i] = static_cast<memory::AddressMode>(texture.addressMode[i]);
  sampler.filter = static_cast<memory::Filter>(texture.filterMode);
  sampler.mip_filter = static_cast<memory::Filter>(texture.mipmapFilterMode);
  set_flags(sampler, texture.flags);
  sampler.max_anisotropy = texture.maxAnisotropy;
  sampler.mip_bias = texture.mipmapLevelBias;
  sampler.min_level = texture.minMipmapLevelClamp;
  sampler.max_level = texture.maxMipmapLevelClamp;
  std::copy_n(texture.borderColor, 4, sampler.border);
  return sampler;
}

}  // namespace

memory::ChannelFormat format_of(CUarray_format format) {
  switch (format) {
    case CU_AD_FORMAT_UNSIGNED_INT8:
      return memory::ChannelFormat::u8;
    case CU_AD_FORMAT_UNSIGNED_INT16:
      return memory::ChannelFormat::u16;
    case CU_AD_FORMAT_UNSIGNED_INT32:
      return memory::ChannelFormat::u32;
    case CU_AD_FORMAT_SIGNED_INT8:
      return memory::ChannelFormat::s8;
    case CU_AD_FORMAT_SIGNED_INT16:
      return memory::ChannelFormat::s16;
    case CU_AD_FORMAT_SIGNED_INT32:
      return memory::ChannelFormat::s32;
    case CU_AD_FORMAT_HALF:
      return memory::ChannelFormat::f16;
    case CU_AD_FORMAT_FLOAT:
      return memory::ChannelFormat::f32;
    default:
      throw Unclear("texels of CUarray_format " + std::to_string(format) + " are not known");
  }
}

memory::ArrayShape shape_of(const CUDA_ARRAY3D_DESCRIPTOR& array) {
  if (array.Flags & sparse) throw Unclear("sparse arrays are not known");
  memory::ArrayShape shape{array.Width, array.Height, array.Depth, {}, array.NumChannels};
  set_array_format(shape, array.Format);
  shape.layered = (array.Flags & layered) != 0;
  shape.cubemap = (array.Flags & cubemap) != 0;
  return shape;
}

CUDA_ARRAY3D_DESCRIPTOR widened(const CUDA_ARRAY_DESCRIPTOR& array) {
  return {array.Width, array.Height, 0, array.Format, array.NumChannels, 0};
}

void refuse_normalized_surface(const memory::ArrayShape& shape) {
  if (shape.normalized) throw Unclear("surfaces of normalised formats were not measured");
}

void set_flags(memory::Sampler& sampler, unsigned flags) {
  // cuda.h's CU_TRSF_* are macros.
  constexpr unsigned read_as_integer = 1, normalized = 2, srgb = 16, no_trilinear_optimization = 32,
                     seamless = 64;
  sampler.read_as_integer = (flags & read_as_integer) != 0;
  sampler.normalized_coordinates = (flags & normalized) != 0;
  sampler.srgb = (flags & srgb) != 0;
  sampler.trilinear_optimization = (flags & no_trilinear_optimization) == 0;
  sampler.seamless_cubemap = (flags & seamless) != 0;
}

memory::Texture texture_of(const memory::TextureTable& table, const CUDA_RESOURCE_DESC& resource,
                           const CUDA_TEXTURE_DESC& description, const CUDA_RESOURCE_VIEW_DESC* view) {
  memory::Texture texture;
  texture.texels = texels_of(table, resource);
  texture.sampler = sampler_of(description);
  if (view == nullptr) return texture;
  set_view_format(texture.texels.shape, view->format);
  const std::size_t levels = std::max<std::size_t>(texture.texels.levels.size(), 1);
  if (view->firstMipmapLevel > view->lastMipmapLevel || view->firstMipmapLevel >= levels)
    throw Unclear("its resource view has no level");
  texture.first_level = view->firstMipmapLevel;
  texture.last_level = view->lastMipmapLevel;
  texture.first_layer = view->firstLayer;
  if (texture.texels.shape.layered) texture.last_layer = view->lastLayer;
  return texture;
}

memory::Surface surface_of(const memory::TextureTable& table, const CUDA_RESOURCE_DESC& resource) {
  const memory::Texels texels = texels_of(table, resource);
  if (texels.levels.size() != 1) throw Unclear("a surface is an array");
  refuse_normalized_surface(texels.shape);
  return {texels.levels.front()};
}

}  // namespace wedjat::interposer
