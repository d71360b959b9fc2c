// tex, tld4, txq over textures of every geometry, format, filter and address mode.
#include "instructions/arrays.h"

namespace {

CUtexObject texture(CUarray array, CUfilter_mode filter, CUaddress_mode address, unsigned flags) {
  CUDA_RESOURCE_DESC r{};
  r.resType = CU_RESOURCE_TYPE_ARRAY;
  r.res.array.hArray = array;
  CUDA_TEXTURE_DESC t{};
  t.addressMode[0] = t.addressMode[1] = t.addressMode[2] = address;
  t.filterMode = filter;
  t.flags = flags;
  t.borderColor[0] = 0.25f;
  t.borderColor[1] = -1.5f;
  t.borderColor[2] = 3;
  t.borderColor[3] = 0.5f;
  CUtexObject o;
  CHECK(cuTexObjectCreate(&o, &r, &t, nullptr));
  return o;
}

std::string tex_coordinates(const Geometry& g, const char* reg) {
  std::string t = "{";
  for (unsigned i = 0; i < g.coordinates; ++i)
    t += (i ? ", %" : "%") + std::string(i == 0 && g.name[0] == 'a' ? "r" : reg) + std::to_string(i + 1);
  return t + "}";
}

void textures(Bench& bench) {
  std::vector<const Geometry*> all;
  for (const Geometry& g : geometries) all.push_back(&g);
  for (const Geometry& g : cubes) all.push_back(&g);
  for (const Geometry* gp : all) {
    const Geometry& g = *gp;
    const bool cube = std::string(g.name).find("cube") != std::string::npos;
    const std::string name = g.name,
                      floats = "  mov.b32 %f1, %r1; mov.b32 %f2, %r2; mov.b32 %f3, %r3; mov.b32 %f4, %r4;\n";
    const std::string store = "  st.global.v4.b32 [%rd4], {%r10, %r11, %r12, %r13};\n",
                      to = " {%r10, %r11, %r12, %r13}, [%rd0, ";
    std::string text = head;
    text += kernel("tex_f", "  .reg .f32 %g<4>;\n" + floats + "  tex." + name +
                                ".v4.f32.f32 {%g0, %g1, %g2, %g3}, [%rd0, " + tex_coordinates(g, "f") +
                                "];\n  st.global.v4.f32 [%rd4], {%g0, %g1, %g2, %g3};\n");
    text += kernel("tex_u",
                   floats + "  tex." + name + ".v4.u32.f32" + to + tex_coordinates(g, "f") + "];\n" + store);
    text += kernel("tex_h", "  .reg .b32 %g<4>;\n" + floats + "  tex." + name +
                                ".v2.f16x2.f32 {%g0, %g1}, [%rd0, " + tex_coordinates(g, "f") +
                                "];\n  st.global.v2.b32 [%rd4], {%g0, %g1};\n");
    text += kernel(
        "tex_p",
        "  .reg .f32 %g<4>;\n" + floats + "  tex." + name + ".v4.f32.f32 {%g0, %g1, %g2, %g3}|%p1, [%rd0, " +
            tex_coordinates(g, "f") +
            "];\n  selp.f32 %g3, %g3, 0f00000000, %p1;\n  st.global.v4.f32 [%rd4], {%g0, %g1, %g2, %g3};\n");
    if (!cube) {
      const std::string offset = name == "1d" || name == "a1d" ? "{%r20}"
                                 : name == "3d"                ? "{%r20, %r21, %r20, %r20}"
                                                               : "{%r20, %r21}";
      text +=
          kernel("tex_s", "  tex." + name + ".v4.u32.s32" + to + tex_coordinates(g, "r") + "];\n" + store);
      text +=
          kernel("tex_o", "  .reg .f32 %g<4>;\n" + floats + "  mov.u32 %r20, 2; mov.u32 %r21, -3;\n  tex." +
                              name + ".v4.f32.f32 {%g0, %g1, %g2, %g3}, [%rd0, " + tex_coordinates(g, "f") +
                              "], " + offset + ";\n  st.global.v4.f32 [%rd4], {%g0, %g1, %g2, %g3};\n");
    }
    if (name == "2d" || name == "a2d" || cube)
      for (const char* c : {"r", "g", "b", "a"})
        text += kernel(std::string("tld4_") + c,
                       "  .reg .f32 %g<4>;\n" + floats + "  tld4." + c + "." + name +
                           ".v4.f32.f32 {%g0, %g1, %g2, %g3}, [%rd0, " + tex_coordinates(g, "f") +
                           "];\n  st.global.v4.f32 [%rd4], {%g0, %g1, %g2, %g3};\n");
    for (const char* q : {"width", "height", "depth", "array_size", "num_mipmap_levels", "num_samples",
                          "channel_data_type", "channel_order", "normalized_coords", "filter_mode",
                          "addr_mode_0", "addr_mode_1", "addr_mode_2", "memory_layout"})
      text += kernel(std::string("txq_") + q,
                     std::string("  txq.") + q + ".b32 %r10, [%rd0];\n  st.global.b32 [%rd4], %r10;\n");
    bench.load(text);
    for (const Format& f : formats) {
      const std::string fn = f.name;
      if (fn != "f32x4" && fn != "f32" && fn != "u8x4" && fn != "s16x2" && fn != "f16x4" && fn != "u32x4" &&
          fn != "u16x4" && fn != "s8x4")
        continue;
      const bool integers = fn == "u32x4";
      Array array(g, f);
      array.fill(true);
      for (const bool normalized : {true, false}) {
        if (cube && !normalized) continue;
        for (const CUaddress_mode address : {CU_TR_ADDRESS_MODE_WRAP, CU_TR_ADDRESS_MODE_CLAMP,
                                             CU_TR_ADDRESS_MODE_MIRROR, CU_TR_ADDRESS_MODE_BORDER})
          for (const CUfilter_mode filter : {CU_TR_FILTER_MODE_POINT, CU_TR_FILTER_MODE_LINEAR}) {
            if (integers && filter == CU_TR_FILTER_MODE_LINEAR) continue;
            if (!normalized && (address == CU_TR_ADDRESS_MODE_WRAP || address == CU_TR_ADDRESS_MODE_MIRROR))
              continue;
            const CUtexObject o =
                texture(array.get(), filter, address, (normalized ? CU_TRSF_NORMALIZED_COORDINATES : 0));
            std::vector<std::uint32_t> input = random_input();
            const std::uint64_t size[3] = {g.width, g.height, g.depth};
            for (unsigned t = 0; t < threads; ++t) {
              unsigned n = 0;
              const auto add = [&](double v) {
                const auto x = static_cast<float>(v);
                __builtin_memcpy(&input[t * 8 + n++], &x, 4);
              };
              if (name[0] == 'a')
                input[t * 8 + n++] = static_cast<std::uint32_t>(below(g.depth / (cube ? 6 : 1) + 1));
              for (unsigned i = 0; i < 3; ++i) {
                if (!cube && (i >= 1 + (g.height != 0) + (g.depth != 0 && name[0] != 'a'))) break;
                const double u = static_cast<double>(engine() >> 11) * 0x1p-53;
                double v = cube ? 2 * u - 1 : u * 3 - 1;
                if (t % 4 == 1) v = static_cast<double>(below(257)) / 256 * (cube ? 1 : 1);
                if (!normalized && !cube) v *= static_cast<double>(size[i]);
                if (t % 8 == 2 && !normalized) v = static_cast<double>(below(size[i] * 2)) * 0.5;
                add(v);
              }
            }
            bench.run(integers ? "tex_u" : "tex_f", o, input);
            if (fn == "f32x4" || fn == "u8x4") {
              bench.run("tex_h", o, input);
              bench.run("tex_p", o, input);
              if (!cube) bench.run("tex_o", o, input);
              if (name == "2d" || name == "a2d" || cube)
                for (const char* c : {"r", "g", "b", "a"}) bench.run(std::string("tld4_") + c, o, input);
            }
            if (fn == "u32x4" && !cube && !normalized)
              bench.run("tex_s", o, distinct(g, g.width, 1, true, false));
            if (fn == "f32x4" || fn == "s16x2")
              for (const char* q :
                   {"width", "height", "depth", "array_size", "num_mipmap_levels", "num_samples",
                    "channel_data_type", "channel_order", "normalized_coords", "filter_mode", "addr_mode_0",
                    "addr_mode_1", "addr_mode_2", "memory_layout"})
                bench.run(std::string("txq_") + q, o, input, 1);
            CHECK(cuTexObjectDestroy(o));
          }
      }
    }
    bench.unload();
  }
}

}  // namespace

int main() { return run(textures); }
