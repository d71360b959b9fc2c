// Arrays, textures and surfaces: entries of the table that the emulator's texture instructions look in.
#include <algorithm>
#include <bit>

#include "interposer/live/state/driver.h"
#include "interposer/live/work/array_limits.h"
#include "interposer/meaning/textures.h"
#include "live_calls.h"

namespace wedjat::live::calls {
namespace {

CUarray_st& array_at(CUarray handle) { return driver().arrays.at(handle, CUDA_ERROR_INVALID_HANDLE); }
CUmipmappedArray_st& mipmapped_at(CUmipmappedArray handle) {
  return driver().mipmapped_arrays.at(handle, CUDA_ERROR_INVALID_HANDLE);
}

memory::TextureTable& table() { return context().device.textures(); }

void check(const CUDA_ARRAY3D_DESCRIPTOR& array) {
  require(array.NumChannels == 1 || array.NumChannels == 2 || array.NumChannels == 4);
  require(fits(array));
  constexpr unsigned deferred = 0x80;  // CUDA_ARRAY3D_DEFERRED_MAPPING is a macro
  if ((array.Flags & deferred) != 0)
    fail(CUDA_ERROR_INVALID_VALUE, "arrays whose memory a program maps itself are not known");
}

// Of linear memory and rows of it.
void check(const CUDA_RESOURCE_DESC& resource) {
  const auto alignment =
      static_cast<std::uint64_t>(profile().attributes.at(CU_DEVICE_ATTRIBUTE_TEXTURE_ALIGNMENT));
  if (resource.resType == CU_RESOURCE_TYPE_LINEAR) require(resource.res.linear.devPtr % alignment == 0);
  if (resource.resType != CU_RESOURCE_TYPE_PITCH2D) return;
  const auto between_rows =
      static_cast<std::uint64_t>(profile().attributes.at(CU_DEVICE_ATTRIBUTE_TEXTURE_PITCH_ALIGNMENT));
  require(resource.res.pitch2D.devPtr % alignment == 0 &&
          resource.res.pitch2D.pitchInBytes % between_rows == 0);
}

CUarray keep(const CUDA_ARRAY3D_DESCRIPTOR& description, const std::shared_ptr<memory::Array>& texels) {
  auto made = std::make_unique<CUarray_st>();
  made->context = &context();
  made->description = description;
  const CUarray handle = driver().arrays.add(std::move(made));
  table().arrays[number(handle)] = texels;
  return handle;
}

template <class Object>
Object& entry(std::unordered_map<std::uint64_t, Object>& objects, std::uint64_t handle) {
  const auto found = objects.find(handle);
  require(found != objects.end());
  return found->second;
}

}  // namespace

void cuArray3DCreate(CUarray* array, const CUDA_ARRAY3D_DESCRIPTOR* description) {
  check(*description);
  *array = keep(*description, context().device.make_array(interposer::shape_of(*description)));
}

void cuArrayCreate(CUarray* array, const CUDA_ARRAY_DESCRIPTOR* description) {
  const CUDA_ARRAY3D_DESCRIPTOR same = interposer::widened(*description);
  cuArray3DCreate(array, &same);
}

void cuArray3DGetDescriptor(CUDA_ARRAY3D_DESCRIPTOR* description, CUarray array) {
  *description = array_at(array).description;
}

void cuArrayGetDescriptor(CUDA_ARRAY_DESCRIPTOR* description, CUarray array) {
  const CUDA_ARRAY3D_DESCRIPTOR& known = array_at(array).description;
  *description = {known.Width, known.Height, known.Format, known.NumChannels};
}

// Only formats of several planes have one.
void cuArrayGetPlane(CUarray*, CUarray array, unsigned) {
  array_at(array);
  fail(CUDA_ERROR_INVALID_VALUE);
}

// Of arrays whose memory a program maps itself, which are refused.
void cuArrayGetMemoryRequirements(CUDA_ARRAY_MEMORY_REQUIREMENTS*, CUarray, CUdevice) {
  fail(CUDA_ERROR_INVALID_VALUE);
}
void cuMipmappedArrayGetMemoryRequirements(CUDA_ARRAY_MEMORY_REQUIREMENTS*, CUmipmappedArray, CUdevice) {
  fail(CUDA_ERROR_INVALID_VALUE);
}
void cuArrayGetSparseProperties(CUDA_ARRAY_SPARSE_PROPERTIES*, CUarray) { fail(CUDA_ERROR_INVALID_VALUE); }
void cuMipmappedArrayGetSparseProperties(CUDA_ARRAY_SPARSE_PROPERTIES*, CUmipmappedArray) {
  fail(CUDA_ERROR_INVALID_VALUE);
}

void cuArrayDestroy(CUarray array) {
  CUarray_st& gone = array_at(array);
  gone.context->device.textures().arrays.erase(number(array));
  driver().arrays.drop(&gone);
}

void cuMipmappedArrayCreate(CUmipmappedArray* array, const CUDA_ARRAY3D_DESCRIPTOR* description,
                            unsigned levels) {
  check(*description);
  // As many as halving leaves, and at least one.
  const std::size_t longest = std::max({description->Width, description->Height, description->Depth});
  levels = std::clamp(levels, 1u, static_cast<unsigned>(std::bit_width(longest)));
  const memory::ArrayShape shape = interposer::shape_of(*description);
  std::vector<std::shared_ptr<memory::Array>> texels;
  for (unsigned level = 0; level < levels; ++level)
    texels.push_back(context().device.make_array(shape.at_level(level)));
  auto made = std::make_unique<CUmipmappedArray_st>();
  made->context = &context();
  made->description = *description;
  *array = driver().mipmapped_arrays.add(std::move(made));
  table().mipmapped_arrays[number(*array)] = std::move(texels);
}

void cuMipmappedArrayGetLevel(CUarray* level_array, CUmipmappedArray handle, unsigned level) {
  CUmipmappedArray_st& array = mipmapped_at(handle);
  const auto& levels = table().mipmapped_arrays.at(number(handle));
  require(level < levels.size());
  if (const auto known = array.levels.find(level); known != array.levels.end()) {
    *level_array = known->second;
    return;
  }
  CUDA_ARRAY3D_DESCRIPTOR description = array.description;
  const memory::ArrayShape& shape = levels[level]->shape();
  description.Width = shape.width;
  description.Height = shape.height;
  description.Depth = shape.depth;
  *level_array = array.levels[level] = keep(description, levels[level]);
}

void cuMipmappedArrayDestroy(CUmipmappedArray handle) {
  CUmipmappedArray_st& gone = mipmapped_at(handle);
  for (const auto& [level, array] : gone.levels) cuArrayDestroy(array);
  gone.context->device.textures().mipmapped_arrays.erase(number(handle));
  driver().mipmapped_arrays.drop(&gone);
}

void cuTexObjectCreate(CUtexObject* texture, const CUDA_RESOURCE_DESC* resource,
                       const CUDA_TEXTURE_DESC* description, const CUDA_RESOURCE_VIEW_DESC* view) {
  check(*resource);
  memory::Texture made = interposer::texture_of(table(), *resource, *description, view);
  *texture = driver().next_texture++;
  table().textures[*texture] = std::move(made);
  driver().described[*texture] = {*resource, *description, view ? *view : CUDA_RESOURCE_VIEW_DESC{}};
}

// A number that stands for nothing is no error.
void cuTexObjectDestroy(CUtexObject texture) {
  table().textures.erase(texture);
  driver().described.erase(texture);
}

void cuTexObjectGetResourceDesc(CUDA_RESOURCE_DESC* resource, CUtexObject texture) {
  *resource = entry(driver().described, texture).resource;
}
void cuTexObjectGetTextureDesc(CUDA_TEXTURE_DESC* description, CUtexObject texture) {
  *description = entry(driver().described, texture).texture;
}
void cuTexObjectGetResourceViewDesc(CUDA_RESOURCE_VIEW_DESC* view, CUtexObject texture) {
  *view = entry(driver().described, texture).view;
}

void cuSurfObjectCreate(CUsurfObject* surface, const CUDA_RESOURCE_DESC* resource) {
  memory::Surface made = interposer::surface_of(table(), *resource);
  *surface = driver().next_texture++;
  table().surfaces[*surface] = std::move(made);
  driver().described[*surface] = {*resource, {}, {}};
}

void cuSurfObjectGetResourceDesc(CUDA_RESOURCE_DESC* resource, CUsurfObject surface) {
  *resource = entry(driver().described, surface).resource;
}

void cuSurfObjectDestroy(CUsurfObject surface) {
  table().surfaces.erase(surface);
  driver().described.erase(surface);
}

}  // namespace wedjat::live::calls
