// Arrays of every geometry and format, and coordinates in and around them.
#pragma once
#include "instructions/bench.h"

namespace {

struct Geometry {
  const char* name;
  unsigned coordinates;  // as PTX writes them
  std::uint64_t width, height, depth;
  unsigned flags;
};
const Geometry geometries[] = {{"1d", 1, 18, 0, 0, 0},
                               {"2d", 2, 14, 5, 0, 0},
                               {"3d", 4, 10, 4, 3, 0},
                               {"a1d", 2, 16, 0, 4, CUDA_ARRAY3D_LAYERED},
                               {"a2d", 4, 12, 4, 3, CUDA_ARRAY3D_LAYERED}};
const Geometry cubes[] = {{"cube", 4, 8, 8, 6, CUDA_ARRAY3D_CUBEMAP},
                          {"acube", 4, 8, 8, 12, CUDA_ARRAY3D_CUBEMAP | CUDA_ARRAY3D_LAYERED}};

struct Format {
  const char* name;
  CUarray_format format;
  unsigned channels, bytes;
};
const Format formats[] = {{"u8", CU_AD_FORMAT_UNSIGNED_INT8, 1, 1},
                          {"u16", CU_AD_FORMAT_UNSIGNED_INT16, 1, 2},
                          {"u32", CU_AD_FORMAT_UNSIGNED_INT32, 1, 4},
                          {"u32x2", CU_AD_FORMAT_UNSIGNED_INT32, 2, 8},
                          {"u32x4", CU_AD_FORMAT_UNSIGNED_INT32, 4, 16},
                          {"u8x4", CU_AD_FORMAT_UNSIGNED_INT8, 4, 4},
                          {"s8x4", CU_AD_FORMAT_SIGNED_INT8, 4, 4},
                          {"s16x2", CU_AD_FORMAT_SIGNED_INT16, 2, 4},
                          {"f16x4", CU_AD_FORMAT_HALF, 4, 8},
                          {"f32", CU_AD_FORMAT_FLOAT, 1, 4},
                          {"f32x4", CU_AD_FORMAT_FLOAT, 4, 16},
                          {"u16x4", CU_AD_FORMAT_UNSIGNED_INT16, 4, 8}};

class Array {
 public:
  Array(const Geometry& g, const Format& f) : g_(g), f_(f), host_(bytes()) {
    CUDA_ARRAY3D_DESCRIPTOR d{};
    d.Width = g.width;
    d.Height = g.height;
    d.Depth = g.depth;
    d.Format = f.format;
    d.NumChannels = f.channels;
    d.Flags = g.flags | CUDA_ARRAY3D_SURFACE_LDST;
    CHECK(cuArray3DCreate(&array_, &d));
  }
  ~Array() { cuArrayDestroy(array_); }
  std::size_t bytes() const {
    return g_.width * f_.bytes * std::max<std::uint64_t>(g_.height, 1) * std::max<std::uint64_t>(g_.depth, 1);
  }
  CUarray get() const { return array_; }
  void fill(bool floats) {
    for (std::size_t i = 0; i < host_.size(); ++i) host_[i] = static_cast<unsigned char>(engine());
    if (floats && f_.format == CU_AD_FORMAT_FLOAT) {
      auto* v = reinterpret_cast<float*>(host_.data());
      for (std::size_t i = 0; i < host_.size() / 4; ++i)
        v[i] = static_cast<float>(static_cast<double>(engine() >> 12) * 0x1p-52 * 4 - 2);
    }
    if (floats && f_.format == CU_AD_FORMAT_HALF)
      for (std::size_t i = 1; i < host_.size(); i += 2)
        host_[i] = static_cast<unsigned char>((host_[i] & 0x83) | 0x30 + (host_[i] & 8));
    copy(true);
  }
  void back() { copy(false); }

 private:
  void copy(bool up) {
    CUDA_MEMCPY3D c{};
    c.WidthInBytes = g_.width * f_.bytes;
    c.Height = std::max<std::uint64_t>(g_.height, 1);
    c.Depth = std::max<std::uint64_t>(g_.depth, 1);
    c.srcMemoryType = up ? CU_MEMORYTYPE_HOST : CU_MEMORYTYPE_ARRAY;
    c.dstMemoryType = up ? CU_MEMORYTYPE_ARRAY : CU_MEMORYTYPE_HOST;
    (up ? c.dstArray : c.srcArray) = array_;
    if (up)
      c.srcHost = host_.data();
    else
      c.dstHost = host_.data();
    (up ? c.srcPitch : c.dstPitch) = c.WidthInBytes;
    (up ? c.srcHeight : c.dstHeight) = c.Height;
    CHECK(cuMemcpy3D(&c));
  }
  const Geometry& g_;
  const Format& f_;
  CUarray array_ = nullptr;
  std::vector<unsigned char> host_;
};

CUsurfObject surface(CUarray array) {
  CUDA_RESOURCE_DESC r{};
  r.resType = CU_RESOURCE_TYPE_ARRAY;
  r.res.array.hArray = array;
  CUsurfObject s;
  CHECK(cuSurfObjectCreate(&s, &r));
  return s;
}

std::string coordinates(const Geometry& g) {
  return g.coordinates == 1 ? "{%r1}" : g.coordinates == 2 ? "{%r1, %r2}" : "{%r1, %r2, %r3, %r4}";
}

struct Place {
  std::int64_t x, y, z, layer;
};
// Coordinates as PTX wants them: x in units of `unit` bytes.
void put(std::vector<std::uint32_t>& input, unsigned t, const Geometry& g, Place p, unsigned unit) {
  const bool layered = g.name[0] == 'a';
  std::uint32_t* c = &input[t * 8];
  unsigned n = 0;
  if (layered) c[n++] = static_cast<std::uint32_t>(p.layer);
  c[n++] = static_cast<std::uint32_t>(p.x * unit);
  if (g.height) c[n++] = static_cast<std::uint32_t>(p.y);
  if (g.depth && !layered) c[n++] = static_cast<std::uint32_t>(p.z);
  while (n < 4) c[n++] = 0x12345;  // not used
}
std::int64_t stray(std::uint64_t size, bool outside) {
  if (!size) size = 1;
  if (!outside) return static_cast<std::int64_t>(below(size));
  const auto edge = static_cast<std::int64_t>(below(size + 12)) - 6;
  return below(16) ? edge : below(2) ? 0x7fffff : -0x7fffff;
}
Place place(const Geometry& g, std::uint64_t width, bool outside) {
  return {stray(width, outside), stray(g.height, outside), stray(g.name[0] == 'a' ? 0 : g.depth, outside),
          static_cast<std::int64_t>(below(std::max<std::uint64_t>(g.depth, 1) + (outside ? 3 : 0)))};
}
// Distinct places, also after clamping, so that the order of the lanes does not matter. Threads without one
// do nothing: predicate %r7 != 0.
std::vector<std::uint32_t> distinct(const Geometry& g, std::uint64_t width, unsigned unit, bool outside,
                                    bool once) {
  std::vector<std::uint32_t> input = random_input();
  std::vector<bool> used(width * std::max<std::uint64_t>(g.height, 1) * std::max<std::uint64_t>(g.depth, 1));
  for (unsigned t = 0; t < threads; ++t) {
    input[t * 8 + 7] = 0;
    Place p = place(g, width, outside);
    const auto in = [](std::int64_t v, std::uint64_t n) {
      return static_cast<std::uint64_t>(
          std::min<std::int64_t>(std::max<std::int64_t>(v, 0), static_cast<std::int64_t>(n) - 1));
    };
    const std::uint64_t h = std::max<std::uint64_t>(g.height, 1), d = std::max<std::uint64_t>(g.depth, 1);
    const std::uint64_t at =
        (in(g.name[0] == 'a' ? p.layer : p.z, d) * h + in(p.y, h)) * width + in(p.x, width);
    put(input, t, g, p, unit);
    if (once && used[at]) continue;
    used[at] = true;
    input[t * 8 + 7] = 1;
  }
  return input;
}

}  // namespace
