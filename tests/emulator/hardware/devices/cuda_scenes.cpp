#include "tests/emulator/hardware/devices/cuda_scenes.h"

#include <fmt/format.h>

#include <algorithm>

#include "cuda_abi.h"

namespace wedjat::hardware_truth {
namespace {

// cuda.h's macros: CUDA_ARRAY3D_*, CU_TRSF_*, CU_TRSA_*.
constexpr unsigned kLayered = 1, kSurface = 2, kCubemap = 4;
constexpr unsigned kReadAsInteger = 1, kNormalized = 2, kSrgb = 16, kSeamless = 64, kOverrideFormat = 1;

CUarray_format format_of(memory::ChannelFormat format) {
  constexpr CUarray_format formats[] = {CU_AD_FORMAT_UNSIGNED_INT8,  CU_AD_FORMAT_UNSIGNED_INT16,
                                        CU_AD_FORMAT_UNSIGNED_INT32, CU_AD_FORMAT_SIGNED_INT8,
                                        CU_AD_FORMAT_SIGNED_INT16,   CU_AD_FORMAT_SIGNED_INT32,
                                        CU_AD_FORMAT_HALF,           CU_AD_FORMAT_FLOAT};
  return formats[static_cast<unsigned>(format)];
}

unsigned flags_of(const memory::Sampler& sampler) {
  return (sampler.read_as_integer ? kReadAsInteger : 0) | (sampler.normalized_coordinates ? kNormalized : 0) |
         (sampler.srgb ? kSrgb : 0) | (sampler.seamless_cubemap ? kSeamless : 0);
}

struct OnDevice {
  std::vector<CUarray> levels;
  CUmipmappedArray mipmapped = nullptr;
  CUdeviceptr memory = 0;
};

}  // namespace

struct CudaScenes::State {
  State(CudaDriver& driver, const SceneSet& of) : cuda(driver), set(of) {}

  template <class... Parameters>
  void call(const char* function, Parameters... parameters) {
    cuda.check(reinterpret_cast<int (*)(Parameters...)>(cuda.symbol(function))(parameters...), function);
  }

  void make_place(const Scene& scene, OnDevice& place) {
    const memory::ArrayShape& shape = scene.shape;
    if (scene.place != Scene::Place::array) {
      place.memory =
          cuda.allocate(scene.place == Scene::Place::pitch ? kPitch * shape.height : shape.row_bytes());
      return;
    }
    CUDA_ARRAY3D_DESCRIPTOR array{};
    array.Width = shape.width;
    array.Height = shape.height;
    array.Depth = shape.depth;
    array.Format = format_of(shape.format);
    array.NumChannels = shape.channels;
    array.Flags =
        (shape.layered ? kLayered : 0) | (shape.cubemap ? kCubemap : 0) | (set.surfaces ? kSurface : 0);
    place.levels.resize(scene.levels);
    if (scene.levels == 1) {
      call("cuArray3DCreate_v2", place.levels.data(), &array);
      return;
    }
    call("cuMipmappedArrayCreate", &place.mipmapped, &array, scene.levels);
    for (unsigned i = 0; i < scene.levels; ++i)
      call("cuMipmappedArrayGetLevel", &place.levels[i], place.mipmapped, i);
  }

  CUDA_RESOURCE_DESC resource(const Scene& scene, const OnDevice& place) const {
    const memory::ArrayShape& shape = scene.shape;
    CUDA_RESOURCE_DESC resource{};
    if (scene.place == Scene::Place::linear) {
      resource.resType = CU_RESOURCE_TYPE_LINEAR;
      resource.res.linear = {place.memory, format_of(shape.format), shape.channels, shape.row_bytes()};
    } else if (scene.place == Scene::Place::pitch) {
      resource.resType = CU_RESOURCE_TYPE_PITCH2D;
      resource.res.pitch2D = {
          place.memory, format_of(shape.format), shape.channels, shape.width, shape.height, kPitch};
    } else if (place.mipmapped != nullptr) {
      resource.resType = CU_RESOURCE_TYPE_MIPMAPPED_ARRAY;
      resource.res.mipmap.hMipmappedArray = place.mipmapped;
    } else {
      resource.resType = CU_RESOURCE_TYPE_ARRAY;
      resource.res.array.hArray = place.levels[0];
    }
    return resource;
  }

  std::uint64_t make_object(const Scene& scene, const OnDevice& place) {
    const CUDA_RESOURCE_DESC from = resource(scene, place);
    unsigned long long object = 0;
    if (set.surfaces) {
      call("cuSurfObjectCreate", &object, &from);
      return object;
    }
    const memory::Sampler& sampler = scene.sampler;
    CUDA_TEXTURE_DESC texture{};
    for (unsigned d = 0; d < 3; ++d) texture.addressMode[d] = static_cast<CUaddress_mode>(sampler.address[d]);
    texture.filterMode = static_cast<CUfilter_mode>(sampler.filter);
    texture.mipmapFilterMode = static_cast<CUfilter_mode>(sampler.mip_filter);
    texture.flags = flags_of(sampler);
    texture.mipmapLevelBias = sampler.mip_bias;
    texture.minMipmapLevelClamp = sampler.min_level;
    texture.maxMipmapLevelClamp = sampler.max_level;
    std::copy_n(sampler.border, 4, texture.borderColor);
    call("cuTexObjectCreate", &object, &from, &texture, static_cast<const void*>(nullptr));
    return object;
  }

  // Between packed rows on the host and a level.
  void copy(const Scene& scene, const OnDevice& place, unsigned level, std::byte* host, bool up) {
    const memory::ArrayShape shape = scene.shape.at_level(level);
    CUDA_MEMCPY3D copy{};
    copy.WidthInBytes = shape.row_bytes();
    copy.Height = shape.rows();
    copy.Depth = shape.planes();
    const CUmemorytype device = place.memory != 0 ? CU_MEMORYTYPE_DEVICE : CU_MEMORYTYPE_ARRAY;
    const std::size_t pitch = place.memory == 0                    ? 0
                              : scene.place == Scene::Place::pitch ? kPitch
                                                                   : shape.row_bytes();
    copy.srcMemoryType = up ? CU_MEMORYTYPE_HOST : device;
    copy.dstMemoryType = up ? device : CU_MEMORYTYPE_HOST;
    (up ? copy.srcPitch : copy.dstPitch) = shape.row_bytes();
    (up ? copy.srcHeight : copy.dstHeight) = shape.rows();
    (up ? copy.dstPitch : copy.srcPitch) = pitch;
    (up ? copy.dstArray : copy.srcArray) = place.memory != 0 ? nullptr : place.levels[level];
    (up ? copy.dstDevice : copy.srcDevice) = place.memory;
    if (up)
      copy.srcHost = host;
    else
      copy.dstHost = host;
    call("cuMemcpy3D_v2", &copy);
  }

  CudaDriver& cuda;
  const SceneSet& set;
  std::vector<OnDevice> places;
  CudaDriver::Address handles = 0;
};

CudaScenes::CudaScenes(CudaDriver& cuda, const SceneSet& set) : state_(std::make_unique<State>(cuda, set)) {
  std::vector<std::uint64_t> handles;
  for (const Scene& scene : set.scenes) try {
      state_->make_place(scene, state_->places.emplace_back());
      handles.push_back(state_->make_object(scene, state_->places.back()));
    } catch (const CudaError& error) {
      throw CudaError(fmt::format("scene {}: {}", handles.size(), error.what()));
    }
  state_->handles = cuda.allocate(handles.size() * 8);
  cuda.copy_in(state_->handles, handles.data(), handles.size() * 8);
  reset();
}

CudaScenes::~CudaScenes() = default;

CudaDriver::Address CudaScenes::handles() const { return state_->handles; }

void CudaScenes::reset() {
  for (std::size_t i = 0; i < state_->places.size(); ++i)
    for (unsigned level = 0; level < state_->set.scenes[i].levels; ++level) {
      std::vector<std::byte> texels = state_->set.scenes[i].texels(level);
      state_->copy(state_->set.scenes[i], state_->places[i], level, texels.data(), true);
    }
}

std::vector<std::byte> CudaScenes::contents() {
  std::vector<std::byte> all;
  for (std::size_t i = 0; i < state_->places.size(); ++i) {
    const std::size_t at = all.size();
    all.resize(at + state_->set.scenes[i].level_bytes(0));
    state_->copy(state_->set.scenes[i], state_->places[i], 0, &all[at], false);
  }
  return all;
}

void CudaScenes::bind(CudaDriver::Module module, const std::string& variable, std::size_t number) {
  State& to = *state_;
  const Scene& scene = to.set.scenes[number];
  const OnDevice& place = to.places[number];
  if (to.set.surfaces) {
    CUsurfref reference = nullptr;
    to.call("cuModuleGetSurfRef", &reference, static_cast<CUmodule>(module), variable.c_str());
    to.call("cuSurfRefSetArray", reference, place.levels[0], 0u);
    return;
  }
  CUtexref reference = nullptr;
  to.call("cuModuleGetTexRef", &reference, static_cast<CUmodule>(module), variable.c_str());
  const memory::ArrayShape& shape = scene.shape;
  if (scene.place == Scene::Place::linear) {
    std::size_t offset = 0;
    to.call("cuTexRefSetAddress_v2", &offset, reference, place.memory,
            static_cast<std::size_t>(shape.row_bytes()));
  } else if (scene.place == Scene::Place::pitch) {
    const CUDA_ARRAY_DESCRIPTOR rows{shape.width, shape.height, format_of(shape.format), shape.channels};
    to.call("cuTexRefSetAddress2D_v3", reference, &rows, place.memory, static_cast<std::size_t>(kPitch));
  } else if (place.mipmapped != nullptr) {
    to.call("cuTexRefSetMipmappedArray", reference, place.mipmapped, kOverrideFormat);
  } else {
    to.call("cuTexRefSetArray", reference, place.levels[0], kOverrideFormat);
  }
  const memory::Sampler& sampler = scene.sampler;
  to.call("cuTexRefSetFormat", reference, format_of(shape.format), static_cast<int>(shape.channels));
  for (int d = 0; d < 3; ++d)
    to.call("cuTexRefSetAddressMode", reference, d, static_cast<CUaddress_mode>(sampler.address[d]));
  to.call("cuTexRefSetFilterMode", reference, static_cast<CUfilter_mode>(sampler.filter));
  to.call("cuTexRefSetMipmapFilterMode", reference, static_cast<CUfilter_mode>(sampler.mip_filter));
  to.call("cuTexRefSetMipmapLevelBias", reference, sampler.mip_bias);
  to.call("cuTexRefSetMipmapLevelClamp", reference, sampler.min_level, sampler.max_level);
  to.call("cuTexRefSetBorderColor", reference, const_cast<float*>(sampler.border));
  to.call("cuTexRefSetFlags", reference, flags_of(sampler) & ~kSeamless);
}

}  // namespace wedjat::hardware_truth
