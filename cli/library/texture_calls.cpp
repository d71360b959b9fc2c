// Arrays, textures and surfaces.
#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>

#include "cli/library/objects.h"
#include "cli/library/release.h"

using namespace wedjat;
using namespace wedjat::library;

namespace {

constexpr std::uint64_t most_texels = 65536;  // along an extent

memory::ChannelFormat format_of(std::uint32_t format) {
  using enum memory::ChannelFormat;
  constexpr memory::ChannelFormat formats[] = {u8, u16, u32, s8, s16, s32, f16, f32};
  if (format >= std::size(formats))
    throw WrongArgument(fmt::format("shape->format is {}, none of WEDJAT_FORMAT_*", format));
  return formats[format];
}

memory::ArrayShape shape_of(const WedjatShape& given) {
  memory::ArrayShape shape;
  shape.format = format_of(given.format);
  if (given.channels != 1 && given.channels != 2 && given.channels != 4)
    throw WrongArgument(fmt::format("a texel of {} channels, it has 1, 2 or 4", given.channels));
  shape.channels = given.channels;
  shape.width = given.width;
  shape.height = given.height;
  shape.depth = given.depth;
  shape.layered = given.layered != 0;
  shape.cubemap = given.cube != 0;
  if (shape.width == 0) throw WrongArgument("shape->width is 0");
  for (const std::uint64_t extent : {shape.width, shape.height, shape.depth})
    if (extent > most_texels)
      throw WrongArgument(fmt::format("an extent of {} texels, at most {} can be had", extent, most_texels));
  if (shape.layered && shape.depth == 0)
    throw WrongArgument("layers without their number: shape->depth is 0");
  if (shape.cubemap && (shape.width != shape.height || shape.depth == 0 || shape.depth % 6 != 0))
    throw WrongArgument("a cube map is as high as wide and has 6 faces a cube: shape->depth");
  if (shape.cubemap && !shape.layered && shape.depth != 6)
    throw WrongArgument("a cube has 6 faces: shape->depth");
  return shape;
}

unsigned levels_of(const WedjatShape& given) {
  const std::uint64_t longest =
      std::max({given.width, given.height, given.layered || given.cube ? 0 : given.depth});
  const auto most = static_cast<unsigned>(std::bit_width(longest));
  if (given.levels > most)
    throw WrongArgument(fmt::format("{} levels, texels last for {}", given.levels, most));
  return std::max(given.levels, 1u);
}

memory::Sampler sampler_of(const WedjatSampler* given, std::size_t levels) {
  const auto from = taken(given, "sampler");
  constexpr memory::AddressMode modes[] = {memory::AddressMode::clamp, memory::AddressMode::wrap,
                                           memory::AddressMode::mirror, memory::AddressMode::border};
  memory::Sampler sampler;
  for (int i = 0; i < 3; ++i) {
    if (from.beyond[i] >= std::size(modes))
      throw WrongArgument(
          fmt::format("sampler->beyond[{}] is {}, none of WEDJAT_BEYOND_*", i, from.beyond[i]));
    sampler.address[i] = modes[from.beyond[i]];
  }
  const auto filter = [](std::uint32_t linear) {
    return linear ? memory::Filter::linear : memory::Filter::point;
  };
  sampler.filter = filter(from.linear);
  sampler.mip_filter = filter(from.mip_linear);
  sampler.normalized_coordinates = from.normalized != 0;
  sampler.read_as_integer = from.integers != 0;
  sampler.srgb = from.srgb != 0;
  sampler.seamless_cubemap = from.seamless != 0;
  sampler.max_anisotropy = from.max_anisotropy;
  for (const float number : {from.mip_bias, from.min_level, from.max_level})
    if (!std::isfinite(number)) throw WrongArgument("a level of the sampler is no finite number");
  sampler.mip_bias = from.mip_bias;
  sampler.min_level = from.min_level;
  sampler.max_level = from.max_level;
  if (levels > 1) {
    if (!sampler.normalized_coordinates)
      throw WrongArgument("levels are read by normalized coordinates: sampler->normalized");
    if (from.max_level == 0) sampler.max_level = static_cast<float>(levels);
  }
  std::copy(std::begin(from.border), std::end(from.border), sampler.border);
  return sampler;
}

memory::Array& level_of(const OnDevice<Array>& array, std::uint32_t level) {
  if (level >= array->levels.size())
    throw WrongArgument(fmt::format("level {} of an array that has {}", level, array->levels.size()));
  return *array->levels[level];
}

void check_bytes(const memory::Array& level, std::uint64_t bytes) {
  if (bytes != level.shape().bytes())
    throw WrongArgument(fmt::format("{} bytes, the level has {}", bytes, level.shape().bytes()));
}

std::uint64_t new_object(Device& state) { return state.next_object += 16; }

}  // namespace

void library::release(WedjatArray* handle) {
  arrays().at(handle)->levels.clear();
  arrays().drop(handle);
}

extern "C" {

WedjatStatus wedjat_array_create(WedjatDevice* device, const WedjatShape* shape, WedjatArray** array) {
  return guarded(__func__, [&] {
    const Turn turn(devices().at(device));
    need(shape, "shape");
    need(array, "array");
    const WedjatShape given = taken(shape, "shape");
    const memory::ArrayShape texels = shape_of(given);
    auto made = std::make_shared<Array>();
    made->device = devices().at(device);
    for (unsigned level = 0, levels = levels_of(given); level < levels; ++level)
      made->levels.push_back(turn.device().make_array(texels.at_level(level)));
    *array = arrays().add(std::move(made));
    turn.state().arrays.push_back(*array);
  });
}

WedjatStatus wedjat_array_free(WedjatArray* handle) {
  return guarded(__func__, [&] {
    const OnDevice<Array> array = on(handle);
    std::erase(array.turn.state().arrays, handle);
    release(handle);
  });
}

WedjatStatus wedjat_array_bytes(WedjatArray* array, uint32_t level, uint64_t* bytes) {
  return guarded(__func__, [&] {
    const OnDevice<Array> found = on(array);
    need(bytes, "bytes");
    *bytes = level_of(found, level).shape().bytes();
  });
}

WedjatStatus wedjat_array_write(WedjatArray* array, uint32_t level, const void* from, uint64_t bytes) {
  return guarded(__func__, [&] {
    const OnDevice<Array> found = on(array);
    need(from, "from");
    const memory::Array& texels = level_of(found, level);
    check_bytes(texels, bytes);
    std::memcpy(texels.data(), from, bytes);
  });
}

WedjatStatus wedjat_array_read(WedjatArray* array, uint32_t level, void* to, uint64_t bytes) {
  return guarded(__func__, [&] {
    const OnDevice<Array> found = on(array);
    need(to, "to");
    const memory::Array& texels = level_of(found, level);
    check_bytes(texels, bytes);
    std::memcpy(to, texels.data(), bytes);
  });
}

WedjatStatus wedjat_texture_create(WedjatArray* array, const WedjatSampler* sampler, uint64_t* handle) {
  return guarded(__func__, [&] {
    const OnDevice<Array> found = on(array);
    need(handle, "handle");
    memory::Texture texture;
    texture.texels.levels = found->levels;
    texture.texels.shape = found->levels.front()->shape();
    texture.sampler = sampler_of(sampler, found->levels.size());
    const std::uint64_t made = new_object(found.turn.state());
    found.turn.device().textures().textures[made] = std::move(texture);
    *handle = made;
  });
}

WedjatStatus wedjat_texture_create_linear(WedjatDevice* device, uint64_t address, uint64_t pitch,
                                          const WedjatShape* shape, const WedjatSampler* sampler,
                                          uint64_t* handle) {
  return guarded(__func__, [&] {
    const Turn turn(devices().at(device));
    need(shape, "shape");
    need(handle, "handle");
    const WedjatShape given = taken(shape, "shape");
    memory::Texture texture;
    memory::ArrayShape& texels = texture.texels.shape = shape_of(given);
    if (texels.depth != 0 || texels.layered || texels.cubemap || given.levels > 1)
      throw WrongArgument("a texture of device memory is a line or a plane of one level");
    if (texels.height != 0) texture.texels.pitch = pitch != 0 ? pitch : texels.row_bytes();
    if (texels.height != 0 && texture.texels.pitch < texels.row_bytes())
      throw WrongArgument(fmt::format("a pitch of {} bytes, a row has {}", pitch, texels.row_bytes()));
    const std::uint64_t bytes = texels.height == 0
                                    ? texels.row_bytes()
                                    : (texels.height - 1) * texture.texels.pitch + texels.row_bytes();
    if (texture.texels.pitch > ~std::uint64_t{0} / most_texels || !turn.device().holds(address, bytes))
      throw WrongArgument(fmt::format("not all of the texels at {:#x} are allocated", address));
    texture.texels.address = address;
    texture.sampler = sampler_of(sampler, 1);
    const std::uint64_t made = new_object(turn.state());
    turn.device().textures().textures[made] = std::move(texture);
    *handle = made;
  });
}

WedjatStatus wedjat_surface_create(WedjatArray* array, uint64_t* handle) {
  return guarded(__func__, [&] {
    const OnDevice<Array> found = on(array);
    need(handle, "handle");
    const std::uint64_t made = new_object(found.turn.state());
    found.turn.device().textures().surfaces[made] = {found->levels.front()};
    *handle = made;
  });
}

WedjatStatus wedjat_object_free(WedjatDevice* device, uint64_t handle) {
  return guarded(__func__, [&] {
    const Turn turn(devices().at(device));
    memory::TextureTable& table = turn.device().textures();
    if (table.textures.erase(handle) + table.surfaces.erase(handle) == 0)
      throw WrongArgument(fmt::format("{:#x} is no texture or surface of this device", handle));
  });
}

WedjatStatus wedjat_module_bind(WedjatModule* module, const char* variable, uint64_t handle) {
  return guarded(__func__, [&] {
    const OnDevice<Module> found = on(module);
    need(variable, "variable");
    const auto known = std::ranges::find(found->variables, variable, &device::DeclaredVariable::name);
    const bool texture = known != found->variables.end() && known->type == "texref";
    if (!texture && (known == found->variables.end() || known->type != "surfref"))
      throw WrongArgument(fmt::format("the module declares no .texref or .surfref {}", variable));
    // What a kernel finds by the variable's address.
    memory::TextureTable& table = found.turn.device().textures();
    const auto bind = [&](auto& objects, const char* what) {
      const auto object = objects.find(handle);
      if (object == objects.end())
        throw WrongArgument(fmt::format("{:#x} is no {} of this device", handle, what));
      const auto copy = object->second;
      objects[known->place.address] = copy;
    };
    texture ? bind(table.textures, "texture") : bind(table.surfaces, "surface");
  });
}
}
