// Textures and surfaces that variables of a module name: .texref and .surfref, which cuModuleGetTexRef and
// cuModuleGetSurfRef give out. The variable lies at the handle that was given out (module_calls.cpp), so
// instructions find the texture by the variable's address as they find others by their handles.
#include <algorithm>
#include <bit>

#include "interposer/meaning/textures.h"
#include "traces/replay/calls/handlers.h"

namespace wedjat::traces::handle {
namespace {

memory::Texture& reference(Replayer& replayer, const Call& call) {
  return replayer.device().textures().textures[call.entry->number("hTexRef")];
}

float real(const Call& call, const char* field) {
  const Value* const value = call.entry->find(field);
  const double* const number = value ? std::get_if<double>(value) : nullptr;
  return number ? static_cast<float>(*number) : 0;
}

void set_filter(memory::Filter& filter, const Call& call) {
  filter = static_cast<memory::Filter>(call.entry->number("fm"));
}

}  // namespace

void find_texture_reference(Replayer& replayer, const Call& call) {
  auto& textures = replayer.device().textures().textures;
  // Asked for again, it keeps what it names.
  textures.try_emplace(replayer.given_out(call, "pTexRef_out"));
}

void set_reference_array(Replayer& replayer, const Call& call) {
  auto& table = replayer.device().textures();
  memory::Texels& texels = reference(replayer, call).texels;
  if (call.base == "cuTexRefSetArray")
    texels.levels = {interposer::known(table.arrays, call.entry->number("hArray"))};
  else
    texels.levels = interposer::known(table.mipmapped_arrays, call.entry->number("hMipmappedArray"));
  texels.shape = texels.levels.front()->shape();
}

void set_reference_memory(Replayer& replayer, const Call& call) {
  memory::Texels& texels = reference(replayer, call).texels;
  texels.levels.clear();
  texels.address = call.entry->number("dptr");
  if (call.base == "cuTexRefSetAddress2D") {
    const auto rows = replayer.structure<CUDA_ARRAY_DESCRIPTOR>(call, "desc");
    texels.pitch = call.entry->number("Pitch");
    texels.shape = {rows.Width, rows.Height, 0, interposer::format_of(rows.Format), rows.NumChannels};
    return;
  }
  // An address that is not aligned as textures are: the driver said how far the texture begins before it.
  const auto offset = call.exit->numbers("ByteOffset_out");
  const std::uint64_t before = offset.empty() ? 0 : offset[0];
  texels.address -= before;
  texels.pitch = 0;
  const memory::ArrayShape& shape = texels.shape;
  texels.shape = {(call.entry->number("bytes") + before) / shape.texel_bytes(), 0, 0, shape.format,
                  shape.channels};
}

// Of memory; an array has its own.
void set_reference_format(Replayer& replayer, const Call& call) {
  memory::Texels& texels = reference(replayer, call).texels;
  if (!texels.levels.empty()) return;
  const std::uint64_t bytes = texels.shape.row_bytes();
  texels.shape.format = interposer::format_of(static_cast<CUarray_format>(call.entry->number("fmt")));
  texels.shape.channels =
      static_cast<unsigned>(std::clamp<std::uint64_t>(call.entry->number("NumPackedComponents"), 1, 4));
  if (texels.pitch == 0) texels.shape.width = bytes / texels.shape.texel_bytes();
}

void set_reference_sampling(Replayer& replayer, const Call& call) {
  memory::Sampler& sampler = reference(replayer, call).sampler;
  if (call.base == "cuTexRefSetAddressMode")
    sampler.address[std::min<std::uint64_t>(call.entry->number("dim"), 2)] =
        static_cast<memory::AddressMode>(call.entry->number("am"));
  else if (call.base == "cuTexRefSetFilterMode")
    set_filter(sampler.filter, call);
  else if (call.base == "cuTexRefSetMipmapFilterMode")
    set_filter(sampler.mip_filter, call);
  else if (call.base == "cuTexRefSetMipmapLevelBias")
    sampler.mip_bias = real(call, "bias");
  else if (call.base == "cuTexRefSetMipmapLevelClamp")
    sampler.min_level = real(call, "minMipmapLevelClamp"),
    sampler.max_level = real(call, "maxMipmapLevelClamp");
  else if (call.base == "cuTexRefSetMaxAnisotropy")
    sampler.max_anisotropy = static_cast<unsigned>(call.entry->number("maxAniso"));
  else if (call.base == "cuTexRefSetFlags")
    interposer::set_flags(sampler, static_cast<unsigned>(call.entry->number("Flags")));
}

void set_reference_border(Replayer& replayer, const Call& call) {
  const auto color = call.entry->numbers("pBorderColor_in");
  if (color.size() != 4) replayer.refuse(call, "its colour was not recorded whole");
  float* const border = reference(replayer, call).sampler.border;
  for (unsigned i = 0; i < 4; ++i) border[i] = std::bit_cast<float>(static_cast<std::uint32_t>(color[i]));
}

void set_surface_reference(Replayer& replayer, const Call& call) {
  auto& table = replayer.device().textures();
  const auto& array = interposer::known(table.arrays, call.entry->number("hArray"));
  interposer::refuse_normalized_surface(array->shape());
  table.surfaces[call.entry->number("hSurfRef")] = {array};
}

}  // namespace wedjat::traces::handle
