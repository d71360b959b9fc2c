#include "emulator/programs/registers.h"

#include <cctype>

#include "emulator/programs/writer.h"

namespace wedjat::programs {
namespace {

bool names(const std::string& body, const std::string& name) {
  for (std::size_t at = body.find(name); at != std::string::npos; at = body.find(name, at + 1))
    if (!std::isdigit(static_cast<unsigned char>(body[at + name.size()]))) return true;
  return false;
}

template <class Each>
void each_named(const std::string& body, const Pool& pool, const Each& each) {
  for (unsigned i = 0; i < pool.count; ++i) {
    const std::string name = fmt::format("{}{}", pool.name, i);
    if (names(body, name)) each(name, i);
  }
}

}  // namespace

std::string declarations(unsigned loops) {
  std::string text;
  for (const Pool* pool : pools)
    text += fmt::format("  .reg .{} {}<{}>;\n", pool->type, pool->name, pool->count);
  return text + fmt::format(
                    "  .reg .b32 %c<{0}>; .reg .pred %q<{0}>;\n"
                    "  .reg .b16 %ht, %hu; .reg .b32 %me, %t, %u; .reg .b64 %dt, %base, %shared, %local; "
                    ".reg .pred %nan;\n",
                    loops + 1);
}

std::string initial_values(const std::string& body, bool all) {
  std::string text;
  const auto from = [&](const Pool& pool, const char* raw, const char* number) {
    each_named(body, pool, [&](const std::string& name, unsigned i) {
      if (!all && i % 2 == 0) return;
      text += "  " +
              fmt::format(fmt::runtime(i % 2 ? number : raw), fmt::arg("d", name),
                          fmt::arg("r", fmt::format("%r{}", (i + 1) % bits32.count)),
                          fmt::arg("s", fmt::format("%r{}", (i + 4) % bits32.count))) +
              "\n";
    });
  };
  from(bits16, "cvt.u16.u32 {d}, {r};", "cvt.u16.u32 {d}, {s};");
  from(bits64, "mov.b64 {d}, {{{r}, {s}}};", "cvt.s64.s32 {d}, {r};");
  from(half, "cvt.u16.u32 {d}, {r};", "cvt.rn.f16.s32 {d}, {s};");
  from(brain, "cvt.u16.u32 {d}, {r};",
       "{{ .reg .b32 %v; cvt.rn.f32.s32 %v, {s}; cvt.rn.bf16.f32 {d}, %v; }}");
  from(single, "mov.b32 {d}, {r};", "cvt.rn.f32.s32 {d}, {s};");
  from(twice, "mov.b64 {d}, {{{r}, {s}}};", "cvt.rn.f64.s32 {d}, {s};");
  constexpr const char* packed =
      "{{{{ .reg .b32 %v, %v2; cvt.rn.f32.s32 %v, {{r}}; cvt.rn.f32.s32 %v2, {{s}}; cvt.rn.{}.f32 {{d}}, %v, "
      "%v2; }}}}";
  from(halves, "mov.b32 {d}, {r};", fmt::format(packed, "f16x2").c_str());
  from(brains, "mov.b32 {d}, {r};", fmt::format(packed, "bf16x2").c_str());
  each_named(body, truths, [&](const std::string& name, unsigned i) {
    if (!all && i % 2 == 0) return;
    text += fmt::format("  setp.gt.u32 {}, %r{}, {};\n", name, i, 1000 * i);
  });
  return text;
}

std::string results(const std::string& body, bool same_nans) {
  std::string text;
  unsigned at = 4 * private_words;
  const auto store = [&](unsigned place, unsigned bits, const std::string& name) {
    text += fmt::format("  st.global.b{} [%base+{}], {};\n", bits, place, name);
  };
  const auto alike = [&](unsigned place, const char* format, const std::string& name, const char* nan,
                         unsigned bits) {
    if (same_nans)
      text += fmt::format("  setp.nan.{0} %nan, {1}, {1};\n  @%nan mov.b{2} {1}, {3};\n", format, name, bits,
                          nan);
    store(place, bits, name);
  };
  // The place of a register does not depend on which others are named.
  const auto each = [&](const Pool& pool, unsigned bytes, const auto& what) {
    at = (at + bytes - 1) / bytes * bytes;
    each_named(body, pool, [&](const std::string& name, unsigned i) { what(at + i * bytes, name); });
    at += pool.count * bytes;
  };
  const auto plain = [&](unsigned bits) {
    return [&store, bits](unsigned place, const std::string& name) { store(place, bits, name); };
  };
  const auto number = [&](const char* format, const char* nan, unsigned bits) {
    return [&alike, format, nan, bits](unsigned place, const std::string& name) {
      alike(place, format, name, nan, bits);
    };
  };
  const auto parts = [&](const char* format) {
    return [&, format](unsigned place, const std::string& name) {
      text += fmt::format("  mov.b32 {{%ht, %hu}}, {};\n", name);
      alike(place, format, "%ht", "0x7fff", 16);
      alike(place + 2, format, "%hu", "0x7fff", 16);
    };
  };
  each(bits64, 8, plain(64));
  each(twice, 8, number("f64", "0x7ff8000000000000", 64));
  each(bits32, 4, plain(32));
  each(single, 4, number("f32", "0x7fffffff", 32));
  each(bits16, 2, plain(16));
  each(half, 2, number("f16", "0x7fff", 16));
  each(brain, 2, number("bf16", "0x7fff", 16));
  each(halves, 4, parts("f16"));
  each(brains, 4, parts("bf16"));
  text += "  mov.u32 %t, 0;\n";
  each_named(body, truths, [&](const std::string& name, unsigned i) {
    text += fmt::format("  @{} or.b32 %t, %t, {};\n", name, 1u << i);
  });
  store((at + 3) / 4 * 4, 32, "%t");
  return text;
}

std::string digest(const std::string& body) {
  std::string text;
  const auto add = [&](const std::string& name) { text += fmt::format("  xor.b32 %r0, %r0, {};\n", name); };
  each_named(body, bits32, [&](const std::string& name, unsigned i) {
    if (i != 0) add(name);
  });
  each_named(body, bits64, [&](const std::string& name, unsigned) {
    text += fmt::format("  mov.b64 {{%t, %u}}, {};\n", name);
    add("%t");
    add("%u");
  });
  each_named(body, bits16, [&](const std::string& name, unsigned) {
    text += fmt::format("  cvt.u32.u16 %t, {};\n", name);
    add("%t");
  });
  return text;
}

}  // namespace wedjat::programs
