#include "traces/replay/texture_parts.h"

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
