#include "cli/options/run_objects.h"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

#include "cli/options/library_error.h"

namespace wedjat::cli {
namespace {

WedjatShape shape_of(const TexelArgument& argument) {
  const memory::ArrayShape& from = argument.shape;
  const auto format = [&] {
    using enum memory::ChannelFormat;
    switch (from.format) {
      case u8:
        return WEDJAT_FORMAT_U8;
      case u16:
        return WEDJAT_FORMAT_U16;
      case u32:
        return WEDJAT_FORMAT_U32;
      case s8:
        return WEDJAT_FORMAT_S8;
      case s16:
        return WEDJAT_FORMAT_S16;
      case s32:
        return WEDJAT_FORMAT_S32;
      case f16:
        return WEDJAT_FORMAT_F16;
      case f32:
        break;
    }
    return WEDJAT_FORMAT_F32;
  };
  return {sizeof(WedjatShape), static_cast<std::uint32_t>(format()),
          from.channels,       from.width,
          from.height,         from.depth,
          from.layered,        from.cubemap,
          argument.levels};
}

WedjatSampler sampler_of(const memory::Sampler& from) {
  const auto beyond = [](memory::AddressMode mode) -> std::uint32_t {
    switch (mode) {
      case memory::AddressMode::wrap:
        return WEDJAT_BEYOND_WRAP;
      case memory::AddressMode::mirror:
        return WEDJAT_BEYOND_MIRROR;
      case memory::AddressMode::border:
        return WEDJAT_BEYOND_BORDER;
      case memory::AddressMode::clamp:
        break;
    }
    return WEDJAT_BEYOND_CLAMP;
  };
  WedjatSampler sampler{};
  sampler.size = sizeof sampler;
  std::ranges::transform(from.address, sampler.beyond, beyond);
  sampler.linear = from.filter == memory::Filter::linear;
  sampler.mip_linear = from.mip_filter == memory::Filter::linear;
  sampler.normalized = from.normalized_coordinates;
  sampler.integers = from.read_as_integer;
  sampler.srgb = from.srgb;
  sampler.seamless = from.seamless_cubemap;
  sampler.max_level = from.max_level;
  return sampler;
}

}  // namespace

std::uint64_t RunObjects::make(const TexelArgument& argument) {
  const WedjatShape shape = shape_of(argument);
  const WedjatSampler sampler = sampler_of(argument.sampler);
  std::uint64_t handle = 0;
  if (argument.in_memory) {
    std::uint64_t texels = 0;
    must(wedjat_memory_allocate(device_, argument.texels.size(), argument.text.c_str(), &texels));
    must(wedjat_memory_write(device_, texels, argument.texels.data(), argument.texels.size()));
    must(wedjat_texture_create_linear(device_, texels, 0, &shape, &sampler, &handle));
    return handle;
  }
  WedjatArray* array = nullptr;
  must(wedjat_array_create(device_, &shape, &array));
  const std::byte* from = argument.texels.data();
  for (std::uint32_t level = 0; level < argument.levels; ++level) {
    std::uint64_t bytes = 0;
    must(wedjat_array_bytes(array, level, &bytes));
    must(wedjat_array_write(array, level, from, bytes));
    from += bytes;
  }
  if (!argument.is_surface) {
    must(wedjat_texture_create(array, &sampler, &handle));
    return handle;
  }
  must(wedjat_surface_create(array, &handle));
  if (!argument.write_back.empty()) results_.push_back({argument.write_back, argument.text, array});
  return handle;
}

void RunObjects::bind(const std::string& file, WedjatModule* module,
                      const std::vector<std::string>& bindings) {
  std::size_t variables = 0;
  must(wedjat_module_variable_count(module, &variables));
  for (std::size_t i = 0; i < variables; ++i) {
    WedjatVariable variable{};
    variable.size = sizeof variable;
    must(wedjat_module_variable_at(module, i, &variable));
    const std::string_view type = variable.type;
    if (type == "texref" || type == "surfref") unbound_.emplace_back(variable.name);
  }
  std::vector<std::string> bound;
  for (const std::string& text : bindings) {
    const std::size_t equals = text.find('=');
    const std::string name = text.substr(0, equals),
                      object = equals == text.npos ? "" : text.substr(equals + 1);
    if (!is_texel_argument(object))
      throw std::invalid_argument(fmt::format(
          "--bind {}: expected NAME=texture:FILE:FORMAT:EXTENTS, or surface: or surface-out:", text));
    const auto known = std::ranges::find(unbound_, name);
    if (known == unbound_.end())
      throw std::invalid_argument(fmt::format("--bind {}: {} declares no .texref or .surfref of this name{}",
                                              text, file,
                                              std::ranges::find(bound, name) == bound.end() ? "" : " twice"));
    must(wedjat_module_bind(module, name.c_str(), make(parse_texel_argument(object))));
    unbound_.erase(known);
    bound.push_back(name);
  }
}

}  // namespace wedjat::cli
