// Texture and surface references: variables of a module that programs name in place of objects. What one
// refers to stands in the device's table at the variable's address, where instructions look for it.
#include <algorithm>
#include <cstring>

#include "interposer/live/work/modules.h"
#include "interposer/meaning/textures.h"
#include "live_calls.h"

namespace wedjat::live::calls {
namespace {

// cuda.h's CU_TRSA_OVERRIDE_FORMAT and CU_TRSF_* are macros.
constexpr unsigned override_format = 1, all_flags = 0x73;

CUtexref_st& reference_at(CUtexref handle) {
  return driver().texture_references.at(handle, CUDA_ERROR_INVALID_HANDLE);
}
CUsurfref_st& reference_at(CUsurfref handle) {
  return driver().surface_references.at(handle, CUDA_ERROR_INVALID_HANDLE);
}

memory::TextureTable& referred() { return context().device.textures(); }

// The device sees what was changed; a reference that no module has, or that has nothing yet, is not seen.
void show(CUtexref_st& reference) {
  if (reference.variable == 0 || !reference.is_set) return;
  try {
    referred().textures[reference.variable] =
        interposer::texture_of(referred(), reference.resource, reference.sampling, nullptr);
  } catch (const interposer::Unclear&) {
    referred().textures.erase(reference.variable);  // a kernel that looks there fails
  }
}

void refer(CUtexref_st& reference, const CUDA_RESOURCE_DESC& resource) {
  reference.resource = resource;
  reference.is_set = true;
  show(reference);
}

std::uint64_t variable_of(const CUmod_st& module, std::string_view name, std::string_view type) {
  for (const device::DeclaredVariable& one : module.context->device.variables(module.module))
    if (one.name == name && one.type == type) return one.place.address;
  fail(CUDA_ERROR_NOT_FOUND);
}

// The handle that the variable has already, or a new one.
template <class Reference>
Reference* handle_of(Handles<Reference>& known, const CUmod_st& module, std::uint64_t variable) {
  Reference* found = nullptr;
  known.each([&](Reference& one) {
    if (one.variable == variable && one.context == module.context) found = &one;
  });
  if (found != nullptr) return found;
  auto made = std::make_unique<Reference>();
  made->context = module.context;
  made->module = const_cast<CUmodule>(&module);
  made->variable = variable;
  return known.add(std::move(made));
}

void take_format(CUtexref_st& reference, CUarray_format format, unsigned channels) {
  reference.format = format;
  reference.channels = static_cast<int>(channels);
}

std::uint64_t alignment() {
  return static_cast<std::uint64_t>(profile().attributes.at(CU_DEVICE_ATTRIBUTE_TEXTURE_ALIGNMENT));
}

template <class Part>
void set(CUtexref handle, Part CUDA_TEXTURE_DESC::*part, Part value) {
  CUtexref_st& reference = reference_at(handle);
  reference.sampling.*part = value;
  show(reference);
}

}  // namespace

void cuModuleGetTexRef(CUtexref* reference, CUmodule module, const char* name) {
  const CUmod_st& owner = module_at(module);
  *reference = handle_of(driver().texture_references, owner, variable_of(owner, name, "texref"));
}

void cuModuleGetSurfRef(CUsurfref* reference, CUmodule module, const char* name) {
  const CUmod_st& owner = module_at(module);
  *reference = handle_of(driver().surface_references, owner, variable_of(owner, name, "surfref"));
}

void cuTexRefCreate(CUtexref* reference) {
  auto made = std::make_unique<CUtexref_st>();
  made->context = &context();
  *reference = driver().texture_references.add(std::move(made));
}

void cuTexRefDestroy(CUtexref handle) {
  const CUtexref_st& gone = reference_at(handle);
  if (gone.variable != 0) referred().textures.erase(gone.variable);
  driver().texture_references.drop(handle);
}

void cuTexRefSetArray(CUtexref handle, CUarray array, unsigned flags) {
  CUtexref_st& reference = reference_at(handle);
  require(flags <= override_format);
  const CUDA_ARRAY3D_DESCRIPTOR& shape = driver().arrays.at(array, CUDA_ERROR_INVALID_HANDLE).description;
  CUDA_RESOURCE_DESC resource{};
  resource.resType = CU_RESOURCE_TYPE_ARRAY;
  resource.res.array.hArray = array;
  take_format(reference, shape.Format, shape.NumChannels);
  refer(reference, resource);
}

void cuTexRefSetMipmappedArray(CUtexref handle, CUmipmappedArray array, unsigned flags) {
  CUtexref_st& reference = reference_at(handle);
  require(flags <= override_format);
  const CUDA_ARRAY3D_DESCRIPTOR& shape =
      driver().mipmapped_arrays.at(array, CUDA_ERROR_INVALID_HANDLE).description;
  CUDA_RESOURCE_DESC resource{};
  resource.resType = CU_RESOURCE_TYPE_MIPMAPPED_ARRAY;
  resource.res.mipmap.hMipmappedArray = array;
  take_format(reference, shape.Format, shape.NumChannels);
  refer(reference, resource);
}

// The texture begins where memory is aligned; what is asked for may lie behind, as far as is told.
void cuTexRefSetAddress(std::size_t* offset, CUtexref handle, CUdeviceptr address, std::size_t bytes) {
  CUtexref_st& reference = reference_at(handle);
  const std::uint64_t before = address % alignment();
  require(before == 0 || offset != nullptr);
  const auto most =
      static_cast<std::uint64_t>(profile().attributes.at(CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE1D_LINEAR_WIDTH));
  require(bytes <= 16 * most);  // of the largest texels
  if (offset != nullptr) *offset = before;
  CUDA_RESOURCE_DESC resource{};
  resource.resType = CU_RESOURCE_TYPE_LINEAR;
  resource.res.linear = {address - before, reference.format, static_cast<unsigned>(reference.channels),
                         bytes + before};
  refer(reference, resource);
}

void cuTexRefSetAddress2D(CUtexref handle, const CUDA_ARRAY_DESCRIPTOR* shape, CUdeviceptr address,
                          std::size_t pitch) {
  CUtexref_st& reference = reference_at(handle);
  const auto rows =
      static_cast<std::uint64_t>(profile().attributes.at(CU_DEVICE_ATTRIBUTE_TEXTURE_PITCH_ALIGNMENT));
  const memory::ArrayShape row{shape->Width, 0, 0, interposer::format_of(shape->Format), shape->NumChannels};
  require(address % alignment() == 0 && pitch % rows == 0 && pitch >= row.row_bytes());
  CUDA_RESOURCE_DESC resource{};
  resource.resType = CU_RESOURCE_TYPE_PITCH2D;
  resource.res.pitch2D = {address, shape->Format, shape->NumChannels, shape->Width, shape->Height, pitch};
  take_format(reference, shape->Format, shape->NumChannels);
  refer(reference, resource);
}

// Of memory; an array has its own.
void cuTexRefSetFormat(CUtexref handle, CUarray_format format, int channels) {
  CUtexref_st& reference = reference_at(handle);
  require(channels >= 0 && channels <= 4 && channels != 3);
  take_format(reference, format, static_cast<unsigned>(channels));
  if (reference.resource.resType == CU_RESOURCE_TYPE_LINEAR) {
    reference.resource.res.linear.format = format;
    reference.resource.res.linear.numChannels = static_cast<unsigned>(channels);
  }
  show(reference);
}

void cuTexRefSetAddressMode(CUtexref handle, int dimension, CUaddress_mode mode) {
  CUtexref_st& reference = reference_at(handle);
  require(dimension >= 0 && dimension <= 2);
  reference.sampling.addressMode[dimension] = mode;
  show(reference);
}

void cuTexRefSetFilterMode(CUtexref handle, CUfilter_mode mode) {
  set(handle, &CUDA_TEXTURE_DESC::filterMode, mode);
}
void cuTexRefSetMipmapFilterMode(CUtexref handle, CUfilter_mode mode) {
  require(mode == CU_TR_FILTER_MODE_POINT || mode == CU_TR_FILTER_MODE_LINEAR);
  set(handle, &CUDA_TEXTURE_DESC::mipmapFilterMode, mode);
}
void cuTexRefSetMipmapLevelBias(CUtexref handle, float bias) {
  set(handle, &CUDA_TEXTURE_DESC::mipmapLevelBias, bias);
}
void cuTexRefSetMipmapLevelClamp(CUtexref handle, float lowest, float highest) {
  set(handle, &CUDA_TEXTURE_DESC::minMipmapLevelClamp, lowest);
  set(handle, &CUDA_TEXTURE_DESC::maxMipmapLevelClamp, highest);
}
void cuTexRefSetMaxAnisotropy(CUtexref handle, unsigned most) {
  set(handle, &CUDA_TEXTURE_DESC::maxAnisotropy, most);
}
void cuTexRefSetFlags(CUtexref handle, unsigned flags) {
  require((flags & ~all_flags) == 0);
  set(handle, &CUDA_TEXTURE_DESC::flags, flags);
}
void cuTexRefSetBorderColor(CUtexref handle, float* colour) {
  CUtexref_st& reference = reference_at(handle);
  require(colour != nullptr);
  std::copy_n(colour, 4, reference.sampling.borderColor);
  show(reference);
}

void cuTexRefGetAddress(CUdeviceptr* address, CUtexref handle) {
  const CUtexref_st& reference = reference_at(handle);
  const CUDA_RESOURCE_DESC& resource = reference.resource;
  const bool is_line = resource.resType == CU_RESOURCE_TYPE_LINEAR;
  require(reference.is_set && (is_line || resource.resType == CU_RESOURCE_TYPE_PITCH2D));
  if (address != nullptr) *address = is_line ? resource.res.linear.devPtr : resource.res.pitch2D.devPtr;
}
void cuTexRefGetArray(CUarray* array, CUtexref handle) {
  const CUtexref_st& reference = reference_at(handle);
  require(reference.is_set && reference.resource.resType == CU_RESOURCE_TYPE_ARRAY);
  *array = reference.resource.res.array.hArray;
}
void cuTexRefGetMipmappedArray(CUmipmappedArray* array, CUtexref handle) {
  const CUtexref_st& reference = reference_at(handle);
  require(reference.is_set && reference.resource.resType == CU_RESOURCE_TYPE_MIPMAPPED_ARRAY);
  *array = reference.resource.res.mipmap.hMipmappedArray;
}
void cuTexRefGetAddressMode(CUaddress_mode* mode, CUtexref handle, int dimension) {
  const CUtexref_st& reference = reference_at(handle);
  require(dimension >= 0 && dimension <= 2);
  *mode = reference.sampling.addressMode[dimension];
}
void cuTexRefGetFilterMode(CUfilter_mode* mode, CUtexref handle) {
  *mode = reference_at(handle).sampling.filterMode;
}
void cuTexRefGetFormat(CUarray_format* format, int* channels, CUtexref handle) {
  const CUtexref_st& reference = reference_at(handle);
  if (format != nullptr) *format = reference.format;
  if (channels != nullptr) *channels = reference.channels;
}
void cuTexRefGetMipmapFilterMode(CUfilter_mode* mode, CUtexref handle) {
  *mode = reference_at(handle).sampling.mipmapFilterMode;
}
void cuTexRefGetMipmapLevelBias(float* bias, CUtexref handle) {
  *bias = reference_at(handle).sampling.mipmapLevelBias;
}
void cuTexRefGetMipmapLevelClamp(float* lowest, float* highest, CUtexref handle) {
  *lowest = reference_at(handle).sampling.minMipmapLevelClamp;
  *highest = reference_at(handle).sampling.maxMipmapLevelClamp;
}
void cuTexRefGetMaxAnisotropy(int* most, CUtexref handle) {
  *most = static_cast<int>(reference_at(handle).sampling.maxAnisotropy);
}
void cuTexRefGetBorderColor(float* colour, CUtexref handle) {
  std::copy_n(reference_at(handle).sampling.borderColor, 4, colour);
}
void cuTexRefGetFlags(unsigned* flags, CUtexref handle) { *flags = reference_at(handle).sampling.flags; }

void cuSurfRefSetArray(CUsurfref handle, CUarray array, unsigned flags) {
  CUsurfref_st& reference = reference_at(handle);
  require(flags == 0);
  constexpr unsigned for_surfaces = 2;  // CUDA_ARRAY3D_SURFACE_LDST is a macro
  require((driver().arrays.at(array, CUDA_ERROR_INVALID_HANDLE).description.Flags & for_surfaces) != 0);
  CUDA_RESOURCE_DESC resource{};
  resource.resType = CU_RESOURCE_TYPE_ARRAY;
  resource.res.array.hArray = reference.array = array;
  referred().surfaces[reference.variable] = interposer::surface_of(referred(), resource);
}

void cuSurfRefGetArray(CUarray* array, CUsurfref handle) {
  const CUsurfref_st& reference = reference_at(handle);
  require(reference.array != nullptr);
  *array = reference.array;
}

}  // namespace wedjat::live::calls
