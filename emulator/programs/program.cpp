#include "emulator/programs/program.h"

#include "emulator/programs/fitting.h"
#include "emulator/programs/registers.h"
#include "emulator/programs/statements.h"
#include "emulator/programs/writer.h"

namespace wedjat::programs {
namespace {

std::string function(std::mt19937_64& random, const Options& options, unsigned number) {
  Writer writer(random, options);
  writer.in_function = true;
  Statements statements(writer, options);
  for (unsigned i = 0; i < 3 + writer.pick(5); ++i) statements.simple();
  std::string text = fmt::format(".func (.param .b32 out) f{}{}(.param .b32 in) {{\n{}", number,
                                 options.suffix, declarations(statements.loops()));
  text += "  ld.param.b32 %t, [in];\n";
  for (unsigned i = 0; i < bits32.count; ++i)
    text += fmt::format("  mad.lo.u32 %r{}, %t, {}, {};\n", i, 2 * i + 1, 0x9e3779b9u * i);
  text += initial_values(writer.text, !options.unwritten) + writer.text + digest(writer.text);
  return text + "  st.param.b32 [out], %r0;\n  ret;\n}\n";
}

}  // namespace

std::string random_program(const Options& options) {
  std::mt19937_64 random(options.seed);
  std::string text =
      fmt::format(".version {}.{}\n.target sm_90\n.address_size 64\n", ptx_version / 100, ptx_version % 100);
  for (unsigned i = 0; i < functions; ++i) text += function(random, options, i);
  Writer writer(random, options);
  Statements statements(writer, options);
  for (unsigned i = 0; i < options.statements / 2 + writer.pick(options.statements + 1); ++i)
    statements.statement(0, true);
  text += ".visible .entry k" + options.suffix + "(.param .u64 p) {\n";
  text +=
      "  .shared .align 16 .b8 s[512]; .shared .align 32 .b8 own[2048]; .local .align 64 .b8 l[64];\n"
      "  .shared .align 8 .b64 meeting; .reg .b64 %state; .reg .b32 %phase;\n";
  text += declarations(statements.loops());
  text += fmt::format(
      "  ld.param.u64 %base, [p];\n  mov.u32 %me, %tid.x;\n  mov.u32 %t, %ctaid.x;\n  mad.lo.u32 %t, %t, {}, "
      "%me;\n"
      "  mul.wide.u32 %dt, %t, {};\n  add.s64 %base, %base, %dt;\n  mov.u64 %local, l;\n  mov.u64 %shared, "
      "own;\n"
      "  mul.wide.u32 %dt, %me, 32;\n  add.s64 %shared, %shared, %dt;\n",
      threads, 4 * words);
  text += fmt::format(
      "  setp.eq.u32 %nan, %me, 0;\n  @%nan mbarrier.init.shared.b64 [meeting], {};\n  mov.u32 %phase, 0;\n"
      "  bar.sync 0;\n",
      threads);
  for (unsigned i = 0; i < bits32.count; ++i)
    text += fmt::format("  ld.global.u32 %r{0}, [%base+{1}];\n  shr.u32 %r{0}, %r{0}, {2};\n", i, 4 * i,
                        i % 4 * 8);
  for (unsigned i = 0; i < 4; ++i)
    text += fmt::format("  st.local.v4.b32 [%local+{}], {{%r0, %r1, %r2, %r{}}};\n", 16 * i, i);
  for (unsigned i = 0; i < 2; ++i)
    text += fmt::format("  st.shared.v4.b32 [%shared+{}], {{%r3, %r4, %r5, %r{}}};\n", 16 * i, i);
  return text + initial_values(writer.text, !options.unwritten) + writer.text +
         results(writer.text, !options.payloads) + "  ret;\n}\n";
}

}  // namespace wedjat::programs
