#include "traces/bundle/texel_names.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <stdexcept>

#include "traces/bundle/hex_text.h"

namespace wedjat::memory {

NLOHMANN_JSON_SERIALIZE_ENUM(ChannelFormat, {{ChannelFormat::u8, "u8"},
                                             {ChannelFormat::u16, "u16"},
                                             {ChannelFormat::u32, "u32"},
                                             {ChannelFormat::s8, "s8"},
                                             {ChannelFormat::s16, "s16"},
                                             {ChannelFormat::s32, "s32"},
                                             {ChannelFormat::f16, "f16"},
                                             {ChannelFormat::f32, "f32"}})
NLOHMANN_JSON_SERIALIZE_ENUM(AddressMode, {{AddressMode::wrap, "wrap"},
                                           {AddressMode::clamp, "clamp"},
                                           {AddressMode::mirror, "mirror"},
                                           {AddressMode::border, "border"}})
NLOHMANN_JSON_SERIALIZE_ENUM(Filter, {{Filter::point, "point"}, {Filter::linear, "linear"}})
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(ArrayShape, width, height, depth, format, channels, layered, cubemap,
                                   normalized)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Sampler, address, filter, mip_filter, normalized_coordinates,
                                   read_as_integer, srgb, seamless_cubemap, trilinear_optimization,
                                   max_anisotropy, mip_bias, min_level, max_level, border)

}  // namespace wedjat::memory

namespace wedjat::traces {
namespace {

using nlohmann::json;

}  // namespace

json texels_to_json(const Bundle& bundle) {
  json arrays = json::array(), textures = json::array(), surfaces = json::array();
  for (const auto& array : bundle.arrays) arrays.push_back(array.shape);
  for (const auto& texture : bundle.textures) {
    const memory::Texture& object = texture.object;
    json row = {{"handle", hex(texture.handle)},
                {"arrays", texture.levels},
                {"shape", object.texels.shape},
                {"sampler", object.sampler},
                {"levels", {object.first_level, object.last_level}},
                {"layers", {object.first_layer, object.last_layer}}};
    if (texture.levels.empty()) {
      row["address"] = hex(object.texels.address);
      row["pitch"] = object.texels.pitch;
    }
    textures.push_back(std::move(row));
  }
  for (const auto& surface : bundle.surfaces)
    surfaces.push_back({{"handle", hex(surface.handle)}, {"array", surface.array}});
  return {{"arrays", arrays}, {"textures", textures}, {"surfaces", surfaces}};
}

void texels_from_json(Bundle& bundle, const json& from) {
  for (const json& shape : from.at("arrays"))
    bundle.arrays.push_back({shape.get<memory::ArrayShape>(), {}, {}});
  const auto known = [&](std::size_t array) {
    if (array >= bundle.arrays.size())
      throw std::invalid_argument(fmt::format("there is no array {}", array));
    return array;
  };
  for (const json& row : from.at("textures")) {
    Bundle::Texture texture;
    texture.handle = number(row.at("handle"));
    for (const json& level : row.at("arrays")) texture.levels.push_back(known(level.get<std::size_t>()));
    row.at("shape").get_to(texture.object.texels.shape);
    row.at("sampler").get_to(texture.object.sampler);
    texture.object.first_level = row.at("levels").at(0).get<unsigned>();
    texture.object.last_level = row.at("levels").at(1).get<unsigned>();
    texture.object.first_layer = row.at("layers").at(0).get<unsigned>();
    texture.object.last_layer = row.at("layers").at(1).get<unsigned>();
    if (texture.levels.empty()) {
      texture.object.texels.address = number(row.at("address"));
      texture.object.texels.pitch = row.at("pitch").get<std::uint64_t>();
    }
    bundle.textures.push_back(std::move(texture));
  }
  for (const json& row : from.at("surfaces"))
    bundle.surfaces.push_back({number(row.at("handle")), known(row.at("array").get<std::size_t>())});
}

}  // namespace wedjat::traces
