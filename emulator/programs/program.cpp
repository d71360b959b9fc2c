#include "emulator/programs/program.h"

#include "emulator/programs/statements.h"
#include "emulator/programs/writer.h"

namespace wedjat::programs {
namespace {

std::string declarations(const Statements& statements) {
  std::string text;
  for (const Pool* pool : pools)
    text += fmt::format("  .reg .{} {}<{}>;\n", pool->type, pool->name, pool->count);
  return text + fmt::format(
                    "  .reg .b32 %c<{0}>; .reg .pred %q<{0}>;\n"
                    "  .reg .b16 %ht, %hu; .reg .b32 %me, %t, %u; .reg .b64 %dt, %base, %shared, %local; "
                    ".reg .pred %nan;\n",
                    statements.loops() + 1);
}

// Of the words in %r: every register has a value.
std::string initial() {
  std::string text;
  const auto from = [&](const Pool& pool, const char* raw, const char* number) {
    for (unsigned i = 0; i < pool.count; ++i)
      text +=
          "  " +
          fmt::format(fmt::runtime(i % 2 ? number : raw), fmt::arg("d", fmt::format("{}{}", pool.name, i)),
                      fmt::arg("r", fmt::format("%r{}", (i + 1) % bits32.count)),
                      fmt::arg("s", fmt::format("%r{}", (i + 4) % bits32.count))) +
          "\n";
  };
  from(bits16, "cvt.u16.u32 {d}, {r};", "cvt.u16.u32 {d}, {s};");
  from(bits64, "mov.b64 {d}, {{{r}, {s}}};", "cvt.s64.s32 {d}, {r};");
  from(half, "cvt.u16.u32 {d}, {r};", "cvt.rn.f16.s32 {d}, {s};");
  from(brain, "cvt.u16.u32 {d}, {r};",
       "{{ .reg .b32 %v; cvt.rn.f32.s32 %v, {s}; cvt.rn.bf16.f32 {d}, %v; }}");
  from(single, "mov.b32 {d}, {r};", "cvt.rn.f32.s32 {d}, {s};");
  from(twice, "mov.b64 {d}, {{{r}, {s}}};", "cvt.rn.f64.s32 {d}, {s};");
  from(halves, "mov.b32 {d}, {r};", "mov.b32 {d}, {{%e0, %e1}};");
  from(brains, "mov.b32 {d}, {r};", "mov.b32 {d}, {{%g0, %g1}};");
  for (unsigned i = 0; i < truths.count; ++i)
    text += fmt::format("  setp.gt.u32 {}{}, %r{}, {};\n", truths.name, i, i, 1000 * i);
  return text;
}

// Every register to its own place behind the private words. NaNs are made alike first.
std::string results() {
  std::string text;
  unsigned at = 4 * private_words;
  const auto store = [&](unsigned bits, const std::string& name) {
    at = (at + bits / 8 - 1) / (bits / 8) * (bits / 8);
    text += fmt::format("  st.global.b{} [%base+{}], {};\n", bits, at, name);
    at += bits / 8;
  };
  const auto alike = [&](const char* format, const std::string& name, const char* nan, unsigned bits) {
    text +=
        fmt::format("  setp.nan.{0} %nan, {1}, {1};\n  @%nan mov.b{2} {1}, {3};\n", format, name, bits, nan);
    store(bits, name);
  };
  const auto each = [](const Pool& pool, const auto& what) {
    for (unsigned i = 0; i < pool.count; ++i) what(fmt::format("{}{}", pool.name, i));
  };
  each(bits64, [&](const std::string& name) { store(64, name); });
  each(twice, [&](const std::string& name) { alike("f64", name, "0x7ff8000000000000", 64); });
  each(bits32, [&](const std::string& name) { store(32, name); });
  each(single, [&](const std::string& name) { alike("f32", name, "0x7fffffff", 32); });
  each(bits16, [&](const std::string& name) { store(16, name); });
  each(half, [&](const std::string& name) { alike("f16", name, "0x7fff", 16); });
  each(brain, [&](const std::string& name) { alike("bf16", name, "0x7fff", 16); });
  const auto parts = [&](const char* format) {
    return [&, format](const std::string& name) {
      text += fmt::format("  mov.b32 {{%ht, %hu}}, {};\n", name);
      alike(format, "%ht", "0x7fff", 16);
      alike(format, "%hu", "0x7fff", 16);
    };
  };
  each(halves, parts("f16"));
  each(brains, parts("bf16"));
  text += "  mov.u32 %t, 0;\n";
  each(truths, [&](const std::string& name) {
    text += fmt::format("  shl.b32 %t, %t, 1;\n  @{} or.b32 %t, %t, 1;\n", name);
  });
  store(32, "%t");
  return text;
}

std::string function(std::mt19937_64& random, const Options& options, unsigned number) {
  Writer writer(random, options);
  Statements statements(writer, options);
  for (unsigned i = 0; i < 3 + writer.pick(5); ++i) statements.simple();
  std::string text =
      fmt::format(".func (.param .b32 out) f{}(.param .b32 in) {{\n{}", number, declarations(statements));
  text += "  ld.param.b32 %t, [in];\n";
  for (unsigned i = 0; i < bits32.count; ++i)
    text += fmt::format("  mad.lo.u32 %r{}, %t, {}, {};\n", i, 2 * i + 1, 0x9e3779b9u * i);
  text += initial() + writer.text;
  for (unsigned i = 1; i < bits32.count; ++i) text += fmt::format("  xor.b32 %r0, %r0, %r{};\n", i);
  return text + "  st.param.b32 [out], %r0;\n  ret;\n}\n";
}

}  // namespace

std::string random_program(const Options& options) {
  std::mt19937_64 random(options.seed);
  std::string text = ".version 8.3\n.target sm_90\n.address_size 64\n";
  for (unsigned i = 0; i < functions; ++i) text += function(random, options, i);
  Writer writer(random, options);
  Statements statements(writer, options);
  for (unsigned i = 0; i < options.statements / 2 + writer.pick(options.statements + 1); ++i)
    statements.statement(0, true);
  text += ".visible .entry k(.param .u64 p) {\n";
  text += "  .shared .align 16 .b8 s[512]; .shared .align 32 .b8 own[2048]; .local .align 64 .b8 l[64];\n";
  text += declarations(statements);
  text += fmt::format(
      "  ld.param.u64 %base, [p];\n  mov.u32 %me, %tid.x;\n  mov.u32 %t, %ctaid.x;\n  mad.lo.u32 %t, %t, {}, "
      "%me;\n"
      "  mul.wide.u32 %dt, %t, {};\n  add.s64 %base, %base, %dt;\n  mov.u64 %local, l;\n  mov.u64 %shared, "
      "own;\n"
      "  mul.wide.u32 %dt, %me, 32;\n  add.s64 %shared, %shared, %dt;\n",
      threads, 4 * words);
  for (unsigned i = 0; i < bits32.count; ++i)
    text += fmt::format("  ld.global.u32 %r{0}, [%base+{1}];\n  shr.u32 %r{0}, %r{0}, {2};\n", i, 4 * i,
                        i % 4 * 8);
  for (unsigned i = 0; i < 4; ++i)
    text += fmt::format("  st.local.v4.b32 [%local+{}], {{%r0, %r1, %r2, %r{}}};\n", 16 * i, i);
  for (unsigned i = 0; i < 2; ++i)
    text += fmt::format("  st.shared.v4.b32 [%shared+{}], {{%r3, %r4, %r5, %r{}}};\n", 16 * i, i);
  return text + initial() + writer.text + results() + "  ret;\n}\n";
}

}  // namespace wedjat::programs
