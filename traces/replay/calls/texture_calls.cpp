// Arrays, textures and surfaces: the table the emulator's texture instructions look their handles up in
// (emulator/memory/textures.h).
#include <algorithm>
#include <optional>

#include "interposer/meaning/textures.h"
#include "traces/replay/calls/handlers.h"

namespace wedjat::traces {
namespace {

std::shared_ptr<memory::Array> make_array(Replayer& replayer, const Call& call,
                                          const memory::ArrayShape& shape) {
  try {
    return replayer.device().make_array(shape);
  } catch (const std::exception& error) {
    replayer.refuse(call, error.what());
  }
}

}  // namespace

namespace handle {

void create_array(Replayer& replayer, const Call& call) {
  CUDA_ARRAY3D_DESCRIPTOR descriptor{};
  if (call.base == "cuArrayCreate") {
    descriptor = interposer::widened(replayer.structure<CUDA_ARRAY_DESCRIPTOR>(call, "pAllocateArray"));
  } else {
    descriptor = replayer.structure<CUDA_ARRAY3D_DESCRIPTOR>(call, "pAllocateArray");
  }
  replayer.device().textures().arrays[replayer.given_out(call, "pHandle_out")] =
      make_array(replayer, call, interposer::shape_of(descriptor));
}

void destroy_array(Replayer& replayer, const Call& call) {
  replayer.device().textures().arrays.erase(call.entry->number("hArray"));
}

void create_mipmapped_array(Replayer& replayer, const Call& call) {
  const auto shape =
      interposer::shape_of(replayer.structure<CUDA_ARRAY3D_DESCRIPTOR>(call, "pMipmappedArrayDesc"));
  std::vector<std::shared_ptr<memory::Array>> levels;
  for (unsigned level = 0; level < std::min<std::uint64_t>(call.entry->number("numMipmapLevels"), 32);
       ++level)
    levels.push_back(make_array(replayer, call, shape.at_level(level)));
  replayer.device().textures().mipmapped_arrays[replayer.given_out(call, "pHandle_out")] = std::move(levels);
}

void level_of_mipmapped_array(Replayer& replayer, const Call& call) {
  auto& table = replayer.device().textures();
  const auto& levels = interposer::known(table.mipmapped_arrays, call.entry->number("hMipmappedArray"));
  const std::uint64_t level = call.entry->number("level");
  if (level >= levels.size()) replayer.refuse(call, "the array has no such level");
  table.arrays[replayer.given_out(call, "pLevelArray_out")] = levels[level];
}

void destroy_mipmapped_array(Replayer& replayer, const Call& call) {
  replayer.device().textures().mipmapped_arrays.erase(call.entry->number("hMipmappedArray"));
}

void create_texture(Replayer& replayer, const Call& call) {
  auto& table = replayer.device().textures();
  std::optional<CUDA_RESOURCE_VIEW_DESC> view;
  if (const Bytes told = replayer.input(call, "pResViewDesc"); !told.empty())
    view = replayer.structure<CUDA_RESOURCE_VIEW_DESC>(call, told);
  table.textures[replayer.given_out(call, "pTexObject_out")] = interposer::texture_of(
      table, replayer.structure<CUDA_RESOURCE_DESC>(call, "pResDesc"),
      replayer.structure<CUDA_TEXTURE_DESC>(call, "pTexDesc"), view ? &*view : nullptr);
}

void destroy_texture(Replayer& replayer, const Call& call) {
  replayer.device().textures().textures.erase(call.entry->number("texObject"));
}

void create_surface(Replayer& replayer, const Call& call) {
  auto& table = replayer.device().textures();
  table.surfaces[replayer.given_out(call, "pSurfObject_out")] =
      interposer::surface_of(table, replayer.structure<CUDA_RESOURCE_DESC>(call, "pResDesc"));
}

void destroy_surface(Replayer& replayer, const Call& call) {
  replayer.device().textures().surfaces.erase(call.entry->number("surfObject"));
}

}  // namespace handle
}  // namespace wedjat::traces
