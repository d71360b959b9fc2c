// Lanes of a warp that store to, or update, one place.
#include "instructions/bench.h"

namespace {

// Many lanes write to one place: which one is it that stays? And in which order do atomic updates happen?
void conflicts(Bench& bench) {
  std::string text = head;
  struct Store {
    const char* name;
    const char* word;
    unsigned bytes;
    std::string value;
  };
  const Store stores[] = {{"b8", "u8", 1, "%s0"},
                          {"b16", "u16", 2, "%s0"},
                          {"b32", "u32", 4, "%r10"},
                          {"b64", "u64", 8, "%d0"},
                          {"v2b32", "v2.u32", 8, "{%r10, %r11}"},
                          {"v4b32", "v4.u32", 16, "{%r10, %r11, %r10, %r11}"},
                          {"v2b64", "v2.u64", 16, "{%d0, %d0}"},
                          {"v4b8", "v4.u8", 4, "{%s0, %s0, %s0, %s0}"}};
  const std::string value =
      "  setp.ne.u32 %p0, %r5, 0;\n  add.u32 %r10, %r0, 1; add.u32 %r11, %r0, 0x8000; cvt.u16.u32 %s0, %r10; "
      "cvt.u64.u32 %d0, %r10;\n";
  for (const Store& s : stores) {
    text += kernel(std::string("global_") + s.name,
                   value + "  mad.wide.u32 %rd5, %r1, " + std::to_string(s.bytes) +
                       ", %rd2;\n  @%p0 st.global." + s.word + " [%rd5], " + s.value + ";\n");
    text +=
        kernel(std::string("shared_") + s.name,
               "  .shared .align 16 .b8 cells[4096];\n" + value +
                   "  mov.u32 %r12, cells;\n  shl.b32 %r13, %r0, 4; add.u32 %r13, %r13, %r12;\n  mov.u32 "
                   "%r14, 0; st.shared.v4.u32 [%r13], {%r14, %r14, %r14, %r14};\n  bar.sync 0;\n"
                   "  mad.lo.u32 %r15, %r1, " +
                   std::to_string(s.bytes) + ", %r12;\n  @%p0 st.shared." + s.word + " [%r15], " + s.value +
                   ";\n  bar.sync 0;\n"
                   "  ld.shared.v4.u32 {%r16, %r17, %r18, %r19}, [%r13];\n  st.global.v4.u32 [%rd4], {%r16, "
                   "%r17, %r18, %r19};\n");
  }
  for (const char* space : {"global", "shared"})
    for (const char* op :
         {"add.u32", "exch.b32", "inc.u32", "cas.b32", "add.f32", "add.u64", "max.s32", "exch.b64"}) {
      std::string n = op;
      for (char& c : n)
        if (c == '.') c = '_';
      const bool wide = n.find("64") != std::string::npos, is_cas = n[0] == 'c',
                 fl = n.find("f32") != std::string::npos;
      const std::string at = space[0] == 'g'
                                 ? "  mad.wide.u32 %rd5, %r1, 8, %rd2; add.u64 %rd5, %rd5, 2048;\n"
                                 : "  mad.lo.u32 %r15, %r1, 8, %r12;\n";
      const std::string place = space[0] == 'g' ? "[%rd5]" : "[%r15]";
      const std::string operand = wide ? "%d0" : fl ? "%f1" : "%r10";
      std::string body = value + "  mov.b32 %f1, %r6;\n  mov.u32 %r16, 0; mov.u64 %d1, 0;\n";
      if (space[0] == 's')
        body = "  .shared .align 16 .b8 cells[4096];\n" + body +
               "  mov.u32 %r12, cells;\n  shl.b32 %r13, %r0, 3; add.u32 %r13, %r13, %r12;\n  st.shared.u64 "
               "[%r13], %d1;\n  bar.sync 0;\n";
      else
        body += "  mad.wide.u32 %rd6, %r0, 8, %rd2; st.global.u64 [%rd6+2048], %d1; bar.sync 0; membar.gl;\n";
      body += at;
      const std::string got = wide ? "%d1" : fl ? "%f2" : "%r16";
      body += fl ? "  mov.f32 %f2, 0f00000000;\n" : "";
      body += "  @%p0 atom." + std::string(space) + "." + op + " " + got + ", " + place + ", " +
              (is_cas ? "%r14z, " : "") + operand + ";\n";
      if (is_cas) {
        const auto p = body.find("%r14z");
        body.replace(p, 5, "0");
      }
      body += wide ? "" : fl ? "  mov.b32 %r16, %f2; cvt.u64.u32 %d1, %r16;\n" : "  cvt.u64.u32 %d1, %r16;\n";
      body += "  bar.sync 0;\n  mad.wide.u32 %rd7, %r0, 8, %rd2;\n  st.global.u64 [%rd7], %d1;\n";
      if (space[0] == 's') body += "  ld.shared.u64 %d2, [%r13];\n  st.global.u64 [%rd7+2048], %d2;\n";
      text += kernel(std::string(space) + "_atom_" + n, body);
    }
  bench.load(text);
  const auto input_of = [&](const std::function<unsigned(unsigned)>& slot, unsigned kind) {
    std::vector<std::uint32_t> input = random_input();
    for (unsigned t = 0; t < threads; ++t) {
      input[t * 8] = slot(t);
      input[t * 8 + 4] = kind == 0 || below(4) < kind;
      const float x = static_cast<float>(static_cast<double>(engine() >> 12) * 0x1p-52 * 1000);
      __builtin_memcpy(&input[t * 8 + 5], &x, 4);
    }
    return input;
  };
  std::vector<std::vector<std::uint32_t>> inputs;  // of one warp: nothing but the lanes' order is open
  for (unsigned kind : {0u, 1u, 2u, 3u}) {
    inputs.push_back(input_of([](unsigned) { return 0u; }, kind));
    inputs.push_back(input_of([](unsigned t) { return t / 2; }, kind));
    inputs.push_back(input_of([](unsigned t) { return t % 4; }, kind));
    inputs.push_back(input_of([](unsigned t) { return t / 8 * 3; }, kind));
    inputs.push_back(input_of([](unsigned t) { return t % 16; }, kind));
    inputs.push_back(input_of([](unsigned) { return static_cast<unsigned>(below(5)); }, kind));
    inputs.push_back(input_of([](unsigned) { return static_cast<unsigned>(below(40)); }, kind));
  }
  for (const auto& input : inputs) {
    for (const Store& s : stores)
      for (const char* space : {"global_", "shared_"}) bench.run(space + std::string(s.name), 0, input, 32);
    for (const char* space : {"global_atom_", "shared_atom_"})
      for (const char* op :
           {"add_u32", "exch_b32", "inc_u32", "cas_b32", "add_f32", "add_u64", "max_s32", "exch_b64"})
        bench.run(space + std::string(op), 0, input, 32);
  }
  bench.unload();
}

}  // namespace

int main() { return run(conflicts); }
