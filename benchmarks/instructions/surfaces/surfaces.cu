// suld, sust, sured, suq over arrays of every geometry and format.
#include "instructions/arrays.h"

namespace {

struct Access {
  const char* type;
  unsigned vec, bytes;  // elements; bytes of all
};
const Access accesses[] = {{"b8", 1, 1},   {"b8", 2, 2},  {"b8", 4, 4},  {"b16", 1, 2},
                           {"b16", 2, 4},  {"b16", 4, 8}, {"b32", 1, 4}, {"b32", 2, 8},
                           {"b32", 4, 16}, {"b64", 1, 8}, {"b64", 2, 16}};
std::string word(const Access& a) {
  return (a.vec > 1 ? ".v" + std::to_string(a.vec) : std::string()) + "." + a.type;
}
std::string registers(const Access& a) {  // data registers
  const std::string r = a.type == std::string("b64") ? "%d" : a.type == std::string("b32") ? "%r1" : "%s";
  std::string t = a.vec > 1 ? "{" : "";
  for (unsigned i = 0; i < a.vec; ++i) t += (i ? ", " : "") + r + std::to_string(i);
  return t + (a.vec > 1 ? "}" : "");
}
// Loads %d0.., %r10.., %s0.. from the second half of the input; stores them to the output.
std::string load_data(const Access& a) {
  std::string t;
  const unsigned each = a.bytes / a.vec;
  for (unsigned i = 0; i < a.vec; ++i) {
    const std::string at = "[%rd3+" + std::to_string(16 + i * each) + "]";
    if (each == 8) t += "  ld.global.b64 %d" + std::to_string(i) + ", " + at + ";\n";
    if (each == 4) t += "  ld.global.b32 %r1" + std::to_string(i) + ", " + at + ";\n";
    if (each == 2) t += "  ld.global.b16 %s" + std::to_string(i) + ", " + at + ";\n";
    if (each == 1) t += "  ld.global.b8 %s" + std::to_string(i) + ", " + at + ";\n";
  }
  return t;
}
std::string store_data(const Access& a) {
  std::string t;
  const unsigned each = a.bytes / a.vec;
  for (unsigned i = 0; i < a.vec; ++i) {
    if (each == 8)
      t += "  st.global.b64 [%rd4+" + std::to_string(i * 8) + "], %d" + std::to_string(i) + ";\n";
    if (each == 4)
      t += "  st.global.b32 [%rd4+" + std::to_string(i * 4) + "], %r1" + std::to_string(i) + ";\n";
    if (each <= 2)
      t += "  st.global.b16 [%rd4+" + std::to_string(i * 2) + "], %s" + std::to_string(i) + ";\n";
  }
  return t;
}
void surfaces(Bench& bench) {
  const char* const modes[] = {"trap", "clamp", "zero"};
  for (const Geometry& g : geometries) {
    std::string text = head;
    for (const char* mode : modes) {
      const std::string tail = std::string(".") + mode;
      for (const Access& a : accesses) {
        const std::string n =
            std::string("_") + g.name + "_" + a.type + "_v" + std::to_string(a.vec) + "_" + mode;
        text += kernel("suld" + n, "  suld.b." + std::string(g.name) + word(a) + tail + " " + registers(a) +
                                       ", [%rd0, " + coordinates(g) + "];\n" + store_data(a));
        text += kernel("sust" + n, load_data(a) + "  setp.ne.u32 %p0, %r8, 0;\n  @%p0 sust.b." +
                                       std::string(g.name) + word(a) + tail + " [%rd0, " + coordinates(g) +
                                       "], " + registers(a) + ";\n");
      }
      for (unsigned v : {1u, 2u, 4u}) {
        const Access a{"b32", v, 4 * v};
        text += kernel(std::string("sustp_") + g.name + "_v" + std::to_string(v) + "_" + mode,
                       load_data(a) + "  setp.ne.u32 %p0, %r8, 0;\n  @%p0 sust.p." + g.name + word(a) + tail +
                           " [%rd0, " + coordinates(g) + "], " + registers(a) + ";\n");
      }
      const bool layered = g.name[0] == 'a';  // no reductions there
      for (const char* op : {"add.u32", "add.s32", "add.u64", "min.u32", "min.s32", "min.u64", "min.s64",
                             "max.u32", "max.s32", "max.u64", "max.s64", "and.b32", "or.b32"}) {
        if (layered) break;
        const std::string o = op, n = o.substr(0, o.find('.')), ty = o.substr(o.find('.'));
        text +=
            kernel(std::string("sured_") + g.name + "_" + n + "_" + ty.substr(1) + "_" + mode,
                   "  ld.global.b64 %d0, [%rd3+16];\n  sured.b." + n + "." + g.name + ty + tail + " [%rd0, " +
                       coordinates(g) + "], " + (ty.find("64") != std::string::npos ? "%d0" : "%r5") + ";\n");
      }
      for (const char* op : {"add.b32", "min.b32", "max.b32", "and.b32", "or.b32", "min.b64", "max.b64"}) {
        if (layered) break;
        const std::string o = op, n = o.substr(0, o.find('.')), ty = o.substr(o.find('.'));
        text += kernel(std::string("suredp_") + g.name + "_" + n + "_" + ty.substr(1) + "_" + mode,
                       "  ld.global.b64 %d0, [%rd3+16];\n  sured.p." + n + "." + g.name + ty + tail +
                           " [%rd0, " + coordinates(g) + "], " + (ty == ".b64" ? "%d0" : "%r5") + ";\n");
      }
    }
    for (const char* q :
         {"width", "height", "depth"})
      text += kernel(std::string("suq_") + q,
                     std::string("  suq.") + q + ".b32 %r10, [%rd0];\n  st.global.b32 [%rd4], %r10;\n");
    bench.load(text);
    for (const Format& f : formats) {
      Array array(g, f);
      const CUsurfObject s = surface(array.get());
      array.fill(false);
      for (const char* mode : modes) {
        const bool outside = mode[0] != 't';
        for (const Access& a : accesses) {
          const bool other = a.bytes != f.bytes;
          if (other && !(f.name == std::string("u32x4") && a.bytes == 4) &&
              !(f.name == std::string("u8x4") && a.bytes == 8))
            continue;
          if (!other && f.name[0] != 'u') continue;
          const std::string n =
              std::string("_") + g.name + "_" + a.type + "_v" + std::to_string(a.vec) + "_" + mode;
          const std::uint64_t width = g.width * f.bytes / a.bytes;
          bench.run("suld" + n, s, distinct(g, width, a.bytes, outside, false));
          bench.run("sust" + n, s, distinct(g, width, a.bytes, outside, true), threads, false);
          array.back();
        }
        for (unsigned v : {1u, 2u, 4u}) {
          if (v > f.channels && v != 4) continue;
          std::vector<std::uint32_t> input = distinct(g, g.width, 1, outside, true);
          for (unsigned t = 0; t < threads; ++t)
            for (unsigned i = 4; i < 7; ++i)
              if (below(2)) {
                const float x = static_cast<float>(static_cast<double>(engine() >> 12) * 0x1p-52 * 3 - 1.5);
                static_assert(sizeof x == 4);
                __builtin_memcpy(&input[t * 8 + i], &x, 4);
              }
          bench.run(std::string("sustp_") + g.name + "_v" + std::to_string(v) + "_" + mode, s, input, threads,
                    false);
          array.back();
        }
        if (g.name[0] != 'a' && (f.name == std::string("u32") || f.name == std::string("u32x2")))
          for (const char* op : {"add_u32", "add_s32", "add_u64", "min_u32", "min_s32", "min_u64", "min_s64",
                                 "max_u32", "max_s32", "max_u64", "max_s64", "and_b32", "or_b32"}) {
            const bool wide = std::string(op).find("64") != std::string::npos;
            if (wide != (f.bytes == 8)) continue;
            bench.run(std::string("sured_") + g.name + "_" + op + "_" + mode, s,
                      distinct(g, g.width, f.bytes, outside, false), threads, false);
            array.back();
          }
        if (g.name[0] != 'a' && (f.name == std::string("u32") || f.name == std::string("u32x2")))
          for (const char* op :
               {"add_b32", "min_b32", "max_b32", "and_b32", "or_b32", "min_b64", "max_b64"}) {
            const bool wide = std::string(op).find("64") != std::string::npos;
            if (wide != (f.bytes == 8)) continue;
            bench.run(std::string("suredp_") + g.name + "_" + op + "_" + mode, s,
                      distinct(g, g.width, 1, outside, false), threads, false);
            array.back();
          }
      }
      for (const char* q :
           {"width", "height", "depth"})
        bench.run(std::string("suq_") + q, s, random_input(), 1);
      CHECK(cuSurfObjectDestroy(s));
    }
    bench.unload();
  }
}

}  // namespace

int main() { return run(surfaces); }
