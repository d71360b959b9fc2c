#include "traces/replay/calls/texture_parts.h"

#include <iterator>

namespace wedjat::traces {

memory::ChannelFormat format_of(Replayer& replayer, const Call& call, CUarray_format format) {
  switch (format) {
    case CU_AD_FORMAT_UNSIGNED_INT8:
      return memory::ChannelFormat::u8;
    case CU_AD_FORMAT_UNSIGNED_INT16:
      return memory::ChannelFormat::u16;
    case CU_AD_FORMAT_UNSIGNED_INT32:
      return memory::ChannelFormat::u32;
    case CU_AD_FORMAT_SIGNED_INT8:
      return memory::ChannelFormat::s8;
    case CU_AD_FORMAT_SIGNED_INT16:
      return memory::ChannelFormat::s16;
    case CU_AD_FORMAT_SIGNED_INT32:
      return memory::ChannelFormat::s32;
    case CU_AD_FORMAT_HALF:
      return memory::ChannelFormat::f16;
    case CU_AD_FORMAT_FLOAT:
      return memory::ChannelFormat::f32;
    default:
      replayer.refuse(call, "replay does not know texels of CUarray_format " + std::to_string(format));
  }
}

void set_array_format(memory::ArrayShape& shape, Replayer& replayer, const Call& call,
                      CUarray_format format) {
  using enum memory::ChannelFormat;
  // UNORM_INT8X1 and so on: the enumeration tells channels once more.
  constexpr memory::ChannelFormat formats[] = {u8, u16, s8, s16};
  const auto place = static_cast<unsigned>(format) - CU_AD_FORMAT_UNORM_INT8X1;
  shape.normalized = place < 3 * std::size(formats);
  shape.format = shape.normalized ? formats[place / 3] : format_of(replayer, call, format);
}

void refuse_normalized_surface(Replayer& replayer, const Call& call, const memory::ArrayShape& shape) {
  if (shape.normalized) replayer.refuse(call, "surfaces of normalised formats are not replayed");
}

void set_format(memory::ArrayShape& shape, Replayer& replayer, const Call& call,
                CUresourceViewFormat format) {
  using enum memory::ChannelFormat;
  // In the order of the enumeration, with one, two and four channels each.
  constexpr memory::ChannelFormat formats[] = {u8, s8, u16, s16, u32, s32, f16, f32};
  constexpr unsigned channels[] = {1, 2, 4};
  if (format == CU_RES_VIEW_FORMAT_NONE) return;
  if (shape.normalized) replayer.refuse(call, "views of normalised formats are not replayed");
  const auto place = static_cast<unsigned>(format) - CU_RES_VIEW_FORMAT_UINT_1X8;
  if (place >= 3 * std::size(formats))
    replayer.refuse(call, "views of compressed blocks are not replayed (CUresourceViewFormat " +
                              std::to_string(format) + ")");
  const unsigned bytes = shape.texel_bytes();
  shape.format = formats[place / 3];
  shape.channels = channels[place % 3];
  if (shape.texel_bytes() != bytes) replayer.refuse(call, "its resource view has texels of another size");
}

void set_flags(memory::Sampler& sampler, unsigned flags) {
  // cuda.h's CU_TRSF_* are macros.
  constexpr unsigned read_as_integer = 1, normalized = 2, srgb = 16, no_trilinear_optimization = 32,
                     seamless = 64;
  sampler.read_as_integer = (flags & read_as_integer) != 0;
  sampler.normalized_coordinates = (flags & normalized) != 0;
  sampler.srgb = (flags & srgb) != 0;
  sampler.trilinear_optimization = (flags & no_trilinear_optimization) == 0;
  sampler.seamless_cubemap = (flags & seamless) != 0;
}

}  // namespace wedjat::traces
