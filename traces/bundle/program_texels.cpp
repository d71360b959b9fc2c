#include "traces/bundle/program_texels.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

namespace wedjat::traces {
namespace {

constexpr const char* functions =
    R"(static CUarray texels(CUarray array, char *host, u64 width, u64 height, u64 depth, int back) {
  CUDA_MEMCPY3D copy = {.WidthInBytes = width, .Height = height, .Depth = depth, .srcHost = host, .srcPitch = width, .srcHeight = height};
  copy.dstHost = host; copy.dstPitch = width; copy.dstHeight = height; copy.srcArray = copy.dstArray = array;
  copy.srcMemoryType = back ? CU_MEMORYTYPE_ARRAY : CU_MEMORYTYPE_HOST; copy.dstMemoryType = back ? CU_MEMORYTYPE_HOST : CU_MEMORYTYPE_ARRAY;
  must(cuMemcpy3D(&copy)); return array;
}
)";
constexpr const char* plain_arrays =
    R"(static CUarray array_of(CUDA_ARRAY3D_DESCRIPTOR how) { CUarray array; must(cuArray3DCreate(&array, &how)); return array; }
)";
constexpr const char* mipmapped_arrays =
    R"(static CUmipmappedArray levels_of(CUDA_ARRAY3D_DESCRIPTOR how, int count) { CUmipmappedArray all; must(cuMipmappedArrayCreate(&all, &how, count)); return all; }
static CUarray level(CUmipmappedArray all, int number) { CUarray array; must(cuMipmappedArrayGetLevel(&array, all, number)); return array; }
)";
constexpr const char* texture_functions =
    R"(static u64 texture(CUDA_RESOURCE_DESC of, CUDA_TEXTURE_DESC how, const CUDA_RESOURCE_VIEW_DESC *view) { CUtexObject made; must(cuTexObjectCreate(&made, &of, &how, view)); return made; }
)";
constexpr const char* surface_functions =
    R"(static u64 surface(CUDA_RESOURCE_DESC of) { CUsurfObject made; must(cuSurfObjectCreate(&made, &of)); return made; }
)";

constexpr const char* texture_reference =
    R"(static void bind_texture(const char *name, CUDA_RESOURCE_DESC of, CUDA_TEXTURE_DESC how) { /* a .texref of the module */
  CUtexref to; must(cuModuleGetTexRef(&to, module, name)); must(cuTexRefSetFilterMode(to, how.filterMode)); must(cuTexRefSetFlags(to, how.flags));
  for (int i = 0; i < 3; ++i) must(cuTexRefSetAddressMode(to, i, how.addressMode[i]));
  for (int i = 0; i < 4; ++i) if (how.borderColor[i] != 0) must(cuTexRefSetBorderColor(to, how.borderColor));
  if (of.resType == CU_RESOURCE_TYPE_ARRAY) must(cuTexRefSetArray(to, of.res.array.hArray, 1 /* its format */));
  if (of.resType == CU_RESOURCE_TYPE_MIPMAPPED_ARRAY) { must(cuTexRefSetMipmapFilterMode(to, how.mipmapFilterMode)); must(cuTexRefSetMipmapLevelBias(to, how.mipmapLevelBias));
    must(cuTexRefSetMipmapLevelClamp(to, how.minMipmapLevelClamp, how.maxMipmapLevelClamp)); must(cuTexRefSetMipmappedArray(to, of.res.mipmap.hMipmappedArray, 1)); }
  if (of.resType == CU_RESOURCE_TYPE_LINEAR) { must(cuTexRefSetFormat(to, of.res.linear.format, of.res.linear.numChannels)); must(cuTexRefSetAddress(NULL, to, of.res.linear.devPtr, of.res.linear.sizeInBytes)); }
  CUDA_ARRAY_DESCRIPTOR plane = {of.res.pitch2D.width, of.res.pitch2D.height, of.res.pitch2D.format, of.res.pitch2D.numChannels};
  if (of.resType == CU_RESOURCE_TYPE_PITCH2D) must(cuTexRefSetAddress2D(to, &plane, of.res.pitch2D.devPtr, of.res.pitch2D.pitchInBytes));
}
)";
constexpr const char* surface_reference =
    R"(static void bind_surface(const char *name, CUarray array) { CUsurfref to; must(cuModuleGetSurfRef(&to, module, name)); must(cuSurfRefSetArray(to, array, 0)); }
)";

const char* format_of(const memory::ArrayShape& shape) {
  using enum memory::ChannelFormat;
  switch (shape.format) {
    case u8:
      return "CU_AD_FORMAT_UNSIGNED_INT8";
    case u16:
      return "CU_AD_FORMAT_UNSIGNED_INT16";
    case u32:
      return "CU_AD_FORMAT_UNSIGNED_INT32";
    case s8:
      return "CU_AD_FORMAT_SIGNED_INT8";
    case s16:
      return "CU_AD_FORMAT_SIGNED_INT16";
    case s32:
      return "CU_AD_FORMAT_SIGNED_INT32";
    case f16:
      return "CU_AD_FORMAT_HALF";
    case f32:
      break;
  }
  return "CU_AD_FORMAT_FLOAT";
}

// UNORM_INT8X1 and so on: the enumeration tells channels once more.
std::string array_format(const memory::ArrayShape& shape) {
  if (!shape.normalized) return format_of(shape);
  const bool is_signed =
      shape.format == memory::ChannelFormat::s8 || shape.format == memory::ChannelFormat::s16;
  return fmt::format("CU_AD_FORMAT_{}NORM_INT{}X{}", is_signed ? "S" : "U", 8 * bytes_of(shape.format),
                     shape.channels);
}

// Arrays that are levels of one texture are made together.
std::vector<std::vector<std::size_t>> groups_of(const Bundle& bundle) {
  std::vector<std::vector<std::size_t>> groups;
  std::vector<bool> grouped(bundle.arrays.size());
  for (const auto& texture : bundle.textures) {
    if (texture.levels.empty() || grouped.at(texture.levels.front())) continue;
    groups.push_back(texture.levels);
    for (const std::size_t level : texture.levels) grouped.at(level) = true;
  }
  for (std::size_t i = 0; i < bundle.arrays.size(); ++i)
    if (!grouped[i]) groups.push_back({i});
  return groups;
}

std::string made_as(const Bundle& bundle, const std::vector<std::size_t>& group) {
  const memory::ArrayShape& s = bundle.arrays[group.front()].shape;
  const bool is_surface = std::ranges::any_of(bundle.surfaces, [&](const Bundle::Surface& surface) {
    return std::ranges::find(group, surface.array) != group.end();
  });
  return fmt::format("(CUDA_ARRAY3D_DESCRIPTOR){{{}, {}, {}, {}, {}, {}{}{}}}", s.width, s.height, s.depth,
                     array_format(s), s.channels, s.layered ? "CUDA_ARRAY3D_LAYERED | " : "",
                     s.cubemap ? "CUDA_ARRAY3D_CUBEMAP | " : "",
                     is_surface ? "CUDA_ARRAY3D_SURFACE_LDST" : "0");
}

// `array` and `host` are expressions.
std::string copied(const Bundle& bundle, std::size_t i, const std::string& array, const std::string& host,
                   bool back) {
  const memory::ArrayShape& s = bundle.arrays[i].shape;
  return fmt::format("texels({}, {}, {}, {}, {}, {})", array, host, s.row_bytes(), s.rows(), s.planes(),
                     back ? 1 : 0);
}

std::string make_arrays(const Bundle& bundle) {
  std::string text = fmt::format("  CUarray arrays[{}];\n", bundle.arrays.size());
  for (const auto& group : groups_of(bundle)) {
    if (group.size() > 1)
      text += fmt::format("  CUmipmappedArray levels{} = levels_of({}, {});\n", group.front(),
                          made_as(bundle, group), group.size());
    for (std::size_t level = 0; level < group.size(); ++level) {
      const std::string array = group.size() == 1 ? fmt::format("array_of({})", made_as(bundle, group))
                                                  : fmt::format("level(levels{}, {})", group.front(), level);
      text += fmt::format("  arrays[{}] = {};\n", group[level],
                          copied(bundle, group[level], array,
                                 fmt::format("contents_of(\"array{}.bin\", &bytes)", group[level]), false));
    }
  }
  return text;
}

std::string resource_of(const Bundle::Texture& texture) {
  const memory::Texels& texels = texture.object.texels;
  if (texture.levels.size() == 1)
    return fmt::format(
        "(CUDA_RESOURCE_DESC){{.resType = CU_RESOURCE_TYPE_ARRAY, .res.array.hArray = arrays[{}]}}",
        texture.levels.front());
  if (!texture.levels.empty())
    return fmt::format(
        "(CUDA_RESOURCE_DESC){{.resType = CU_RESOURCE_TYPE_MIPMAPPED_ARRAY, .res.mipmap.hMipmappedArray = "
        "levels{}}}",
        texture.levels.front());
  if (texels.pitch == 0)
    return fmt::format(
        "(CUDA_RESOURCE_DESC){{.resType = CU_RESOURCE_TYPE_LINEAR, .res.linear = {{now({:#x}, 0), {}, {}, "
        "{}}}}}",
        texels.address, format_of(texels.shape), texels.shape.channels, texels.shape.bytes());
  return fmt::format(
      "(CUDA_RESOURCE_DESC){{.resType = CU_RESOURCE_TYPE_PITCH2D, .res.pitch2D = {{now({:#x}, 0), {}, {}, "
      "{}, {}, "
      "{}}}}}",
      texels.address, format_of(texels.shape), texels.shape.channels, texels.shape.width, texels.shape.height,
      texels.pitch);
}

std::string description_of(const memory::Sampler& s) {
  static constexpr const char* modes[] = {"WRAP", "CLAMP", "MIRROR", "BORDER"};
  const auto mode = [&](int i) { return modes[static_cast<int>(s.address[i]) % 4]; };
  const auto filter = [](memory::Filter f) { return f == memory::Filter::linear ? "LINEAR" : "POINT"; };
  const unsigned flags = (s.read_as_integer ? 1u : 0u) | (s.normalized_coordinates ? 2u : 0u) |
                         (s.srgb ? 16u : 0u) | (s.trilinear_optimization ? 0u : 32u) |
                         (s.seamless_cubemap ? 64u : 0u);
  return fmt::format(
      "(CUDA_TEXTURE_DESC){{{{CU_TR_ADDRESS_MODE_{}, CU_TR_ADDRESS_MODE_{}, CU_TR_ADDRESS_MODE_{}}}, "
      "CU_TR_FILTER_MODE_{}, {}, "
      "{}, "
      "CU_TR_FILTER_MODE_{}, {}, {}, {}, {{{}, {}, {}, {}}}}}",
      mode(0), mode(1), mode(2), filter(s.filter), flags, s.max_anisotropy, filter(s.mip_filter), s.mip_bias,
      s.min_level, s.max_level, s.border[0], s.border[1], s.border[2], s.border[3]);
}

// A view of some layers or levels, or of another format.
std::string view_of(const Bundle& bundle, const Bundle::Texture& texture) {
  const memory::Texture& object = texture.object;
  if (texture.levels.empty()) return "NULL";
  const memory::ArrayShape& own = bundle.arrays[texture.levels.front()].shape;
  const memory::ArrayShape& seen = object.texels.shape;
  const bool same_format = own.format == seen.format && own.channels == seen.channels;
  if (same_format && object.first_level == 0 && object.last_level == ~0u && object.first_layer == 0 &&
      object.last_layer == ~0u)
    return "NULL";
  using enum memory::ChannelFormat;
  constexpr memory::ChannelFormat order[] = {u8, s8, u16, s16, u32, s32, f16, f32};
  const auto place = std::ranges::find(order, seen.format) - std::begin(order);
  const auto channels = seen.channels == 4 ? 2 : static_cast<int>(seen.channels) - 1;
  return fmt::format("&(CUDA_RESOURCE_VIEW_DESC){{(CUresourceViewFormat){}, {}, {}, {}, {}, {}, {}, {}}}",
                     1 + 3 * place + channels, seen.width, seen.height, seen.depth, object.first_level,
                     std::min<std::size_t>(object.last_level, texture.levels.size() - 1), object.first_layer,
                     object.last_layer == ~0u ? 0 : object.last_layer);
}

// Where the parameters hold the handle, they hold the new one.
std::string stored(const Bundle& bundle, std::uint64_t handle, const std::string& object) {
  std::string text = fmt::format("  made = {};", object);
  for (const auto& at : bundle.handles)
    if (at.handle == handle) text += fmt::format(" memcpy(parameters + {}, &made, 8);", at.offset);
  return text + "\n";
}

// The variable of the module that is one: its address is the handle. Null: it is an object.
const std::string* reference(const Bundle& bundle, std::uint64_t handle) {
  const auto found = std::ranges::find(bundle.variables, handle, &Bundle::Region::address);
  return found == bundle.variables.end() ? nullptr : &found->label;
}

std::string bound(const Bundle& bundle, const Bundle::Texture& texture) {
  const bool is_bound = !texture.levels.empty() || texture.object.texels.address != 0;
  const std::string resource = resource_of(texture), description = description_of(texture.object.sampler);
  if (const std::string* const name = reference(bundle, texture.handle))
    return is_bound ? fmt::format("  bind_texture(\"{}\", {}, {});\n", *name, resource, description) : "";
  return stored(bundle, texture.handle,
                fmt::format("texture({}, {}, {})", resource, description, view_of(bundle, texture)));
}

std::string bound(const Bundle& bundle, const Bundle::Surface& surface) {
  if (const std::string* const name = reference(bundle, surface.handle))
    return fmt::format("  bind_surface(\"{}\", arrays[{}]);\n", *name, surface.array);
  return stored(bundle, surface.handle,
                fmt::format("surface((CUDA_RESOURCE_DESC){{.resType = CU_RESOURCE_TYPE_ARRAY, "
                            ".res.array.hArray = arrays[{}]}})",
                            surface.array));
}

}  // namespace

std::string texel_functions(const Bundle& bundle) {
  std::string text = bundle.arrays.empty() ? "" : functions;
  const auto groups = groups_of(bundle);
  const auto is_one = [](const auto& group) { return group.size() == 1; };
  if (std::ranges::any_of(groups, is_one)) text += plain_arrays;
  if (!std::ranges::all_of(groups, is_one)) text += mipmapped_arrays;
  const auto add = [&](const auto& all, const char* objects, const char* references) {
    const auto is_reference = [&](const auto& one) { return reference(bundle, one.handle) != nullptr; };
    if (!std::ranges::all_of(all, is_reference)) text += objects;
    if (std::ranges::any_of(all, is_reference)) text += references;
  };
  add(bundle.textures, texture_functions, texture_reference);
  add(bundle.surfaces, surface_functions, surface_reference);
  return text;
}

std::string texel_calls(const Bundle& bundle) {
  if (bundle.textures.empty() && bundle.surfaces.empty()) return {};
  std::string text = bundle.arrays.empty() ? "" : make_arrays(bundle);
  std::string objects;
  for (const auto& texture : bundle.textures) objects += bound(bundle, texture);
  for (const auto& surface : bundle.surfaces) objects += bound(bundle, surface);
  if (objects.find("made") != std::string::npos) text += "  u64 made;\n";
  return text + objects;
}

std::string texel_comparisons(const Bundle& bundle) {
  std::string text;
  for (std::size_t i = 0; i < bundle.arrays.size(); ++i) {
    if (bundle.arrays[i].expected.empty()) continue;
    text += fmt::format(
        "  char *want{} = contents_of(\"array{}.expected.bin\", &bytes), *got{} = malloc(bytes);\n"
        "  {}; bytes = memcmp(want{}, got{}, bytes) != 0; bad += bytes; printf(\"array {}: %s\\n\", bytes ? "
        "\"differs\" : \"is as expected\");\n",
        i, i, i, copied(bundle, i, fmt::format("arrays[{}]", i), fmt::format("got{}", i), true), i, i, i);
  }
  return text;
}

}  // namespace wedjat::traces
