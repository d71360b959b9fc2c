// Arrays, textures and surfaces: the table the emulator's texture instructions look their handles up in
// (emulator/memory/textures.h).
#include <algorithm>

#include "cuda_abi.h"
#include "traces/replay/calls/handlers.h"
#include "traces/replay/calls/texture_parts.h"

namespace wedjat::traces {
namespace {

// cuda.h's CUDA_ARRAY3D_* are macros.
constexpr unsigned layered = 1, cubemap = 4, sparse = 64;

memory::ArrayShape shape_of(Replayer& replayer, const Call& call, const CUDA_ARRAY3D_DESCRIPTOR& array) {
  if (array.Flags & sparse) replayer.refuse(call, "sparse arrays are not replayed");
  memory::ArrayShape shape{array.Width, array.Height, array.Depth, {}, array.NumChannels};
  set_array_format(shape, replayer, call, array.Format);
  shape.layered = (array.Flags & layered) != 0;
  shape.cubemap = (array.Flags & cubemap) != 0;
  return shape;
}

std::shared_ptr<memory::Array> make_array(Replayer& replayer, const Call& call,
                                          const memory::ArrayShape& shape) {
  try {
    return replayer.device().make_array(shape);
  } catch (const std::exception& error) {
    replayer.refuse(call, error.what());
  }
}

std::uint64_t number(const void* handle) { return reinterpret_cast<std::uint64_t>(handle); }

memory::Texels texels_of(Replayer& replayer, const Call& call, const CUDA_RESOURCE_DESC& resource) {
  const auto& table = replayer.device().textures();
  memory::Texels texels;
  switch (resource.resType) {
    case CU_RESOURCE_TYPE_ARRAY:
      texels.levels = {recorded(replayer, call, table.arrays, number(resource.res.array.hArray))};
      break;
    case CU_RESOURCE_TYPE_MIPMAPPED_ARRAY:
      texels.levels =
          recorded(replayer, call, table.mipmapped_arrays, number(resource.res.mipmap.hMipmappedArray));
      break;
    case CU_RESOURCE_TYPE_LINEAR: {
      const auto& linear = resource.res.linear;
      texels.address = linear.devPtr;
      texels.shape.format = format_of(replayer, call, linear.format);
      texels.shape.channels = linear.numChannels;
      texels.shape.width = linear.sizeInBytes / std::max(texels.shape.texel_bytes(), 1u);
      return texels;
    }
    case CU_RESOURCE_TYPE_PITCH2D: {
      const auto& rows = resource.res.pitch2D;
      texels.address = rows.devPtr;
      texels.pitch = rows.pitchInBytes;
      texels.shape = {rows.width, rows.height, 0, format_of(replayer, call, rows.format), rows.numChannels};
      return texels;
    }
    default:
      replayer.refuse(call, "it has a resource of unknown type " + std::to_string(resource.resType));
  }
  texels.shape = texels.levels.front()->shape();
  return texels;
}

memory::Sampler sampler_of(const CUDA_TEXTURE_DESC& texture) {
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

namespace handle {

void create_array(Replayer& replayer, const Call& call) {
  CUDA_ARRAY3D_DESCRIPTOR descriptor{};
  if (call.base == "cuArrayCreate") {
    const auto plane = replayer.structure<CUDA_ARRAY_DESCRIPTOR>(call, "pAllocateArray");
    descriptor = {plane.Width, plane.Height, 0, plane.Format, plane.NumChannels, 0};
  } else {
    descriptor = replayer.structure<CUDA_ARRAY3D_DESCRIPTOR>(call, "pAllocateArray");
  }
  replayer.device().textures().arrays[replayer.given_out(call, "pHandle_out")] =
      make_array(replayer, call, shape_of(replayer, call, descriptor));
}

void destroy_array(Replayer& replayer, const Call& call) {
  replayer.device().textures().arrays.erase(call.entry->number("hArray"));
}

void create_mipmapped_array(Replayer& replayer, const Call& call) {
  const auto shape =
      shape_of(replayer, call, replayer.structure<CUDA_ARRAY3D_DESCRIPTOR>(call, "pMipmappedArrayDesc"));
  std::vector<std::shared_ptr<memory::Array>> levels;
  for (unsigned level = 0; level < std::min<std::uint64_t>(call.entry->number("numMipmapLevels"), 32);
       ++level)
    levels.push_back(make_array(replayer, call, shape.at_level(level)));
  replayer.device().textures().mipmapped_arrays[replayer.given_out(call, "pHandle_out")] = std::move(levels);
}

void level_of_mipmapped_array(Replayer& replayer, const Call& call) {
  auto& table = replayer.device().textures();
  const auto& levels =
      recorded(replayer, call, table.mipmapped_arrays, call.entry->number("hMipmappedArray"));
  const std::uint64_t level = call.entry->number("level");
  if (level >= levels.size()) replayer.refuse(call, "the array has no such level");
  table.arrays[replayer.given_out(call, "pLevelArray_out")] = levels[level];
}

void destroy_mipmapped_array(Replayer& replayer, const Call& call) {
  replayer.device().textures().mipmapped_arrays.erase(call.entry->number("hMipmappedArray"));
}

void create_texture(Replayer& replayer, const Call& call) {
  memory::Texture texture;
  texture.texels = texels_of(replayer, call, replayer.structure<CUDA_RESOURCE_DESC>(call, "pResDesc"));
  texture.sampler = sampler_of(replayer.structure<CUDA_TEXTURE_DESC>(call, "pTexDesc"));
  if (const Bytes view = replayer.input(call, "pResViewDesc"); !view.empty()) {
    const auto wanted = replayer.structure<CUDA_RESOURCE_VIEW_DESC>(call, view);
    set_format(texture.texels.shape, replayer, call, wanted.format);
    const std::size_t levels = std::max<std::size_t>(texture.texels.levels.size(), 1);
    if (wanted.firstMipmapLevel > wanted.lastMipmapLevel || wanted.firstMipmapLevel >= levels)
      replayer.refuse(call, "its resource view has no level");
    texture.first_level = wanted.firstMipmapLevel;
    texture.last_level = wanted.lastMipmapLevel;
    texture.first_layer = wanted.firstLayer;
    if (texture.texels.shape.layered) texture.last_layer = wanted.lastLayer;
  }
  replayer.device().textures().textures[replayer.given_out(call, "pTexObject_out")] = std::move(texture);
}

void destroy_texture(Replayer& replayer, const Call& call) {
  replayer.device().textures().textures.erase(call.entry->number("texObject"));
}

void create_surface(Replayer& replayer, const Call& call) {
  const auto texels = texels_of(replayer, call, replayer.structure<CUDA_RESOURCE_DESC>(call, "pResDesc"));
  if (texels.levels.size() != 1) replayer.refuse(call, "a surface is an array");
  refuse_normalized_surface(replayer, call, texels.shape);
  replayer.device().textures().surfaces[replayer.given_out(call, "pSurfObject_out")] = {
      texels.levels.front()};
}

void destroy_surface(Replayer& replayer, const Call& call) {
  replayer.device().textures().surfaces.erase(call.entry->number("surfObject"));
}

}  // namespace handle
}  // namespace wedjat::traces
