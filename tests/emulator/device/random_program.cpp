#include "tests/emulator/device/random_program.h"

#include <fmt/format.h>

#include <random>

namespace wedjat::test {

namespace {

constexpr unsigned words = 12, floats = 6, wides = 4, predicates = 4;

class Program {
 public:
  explicit Program(std::uint32_t seed) : random_(seed) {}

  std::string write() {
    for (unsigned i = 0; i < 3 + pick(6); ++i) statement(0, true);
    return R"(.version 7.8
.target sm_90
.address_size 64
.func (.param .b32 out) twice(.param .b32 in) {
  .reg .b32 %x<4>; .reg .pred %q;
  ld.param.b32 %x1, [in];
  and.b32 %x2, %x1, 3;
  setp.eq.u32 %q, %x2, 1;
  @%q bra ODD;
  shl.b32 %x1, %x1, 1;
ODD:
  st.param.b32 [out], %x1;
  ret;
}
.visible .entry k(.param .u64 p) {
  .shared .align 8 .b8 s[512]; .local .align 8 .b8 l[64];
)" +
           fmt::format("  .reg .b32 %r<{}>; .reg .f32 %f<{}>; .reg .b64 %d<{}>; .reg .pred %p<{}>;\n",
                       words + 40, floats, wides + 4, predicates + 40) +
           R"(  .reg .b32 %me, %lane, %t, %u; .reg .b64 %base, %at, %sat; .reg .b16 %h<2>;
  ld.param.u64 %base, [p];
  mov.u32 %me, %tid.x;
  mov.u32 %lane, %laneid;
  mov.u32 %t, %ctaid.x;
  mad.lo.u32 %t, %t, 64, %me;
  mul.wide.u32 %at, %t, 64;
  add.s64 %base, %base, %at;
)" + initial() +
           body_ + results() + "  ret;\n}\n";
  }

 private:
  unsigned pick(unsigned below) { return static_cast<unsigned>(random_() % below); }
  std::string word() { return fmt::format("%r{}", pick(words)); }
  std::string real() { return fmt::format("%f{}", pick(floats)); }
  std::string wide() { return fmt::format("%d{}", pick(wides)); }
  std::string predicate() { return fmt::format("%p{}", pick(predicates)); }
  std::string source() {
    const unsigned which = pick(6);
    if (which == 0) return "%me";
    if (which == 1) return fmt::format("{}", pick(40));
    return word();
  }
  std::string guard() { return pick(4) != 0 ? "" : fmt::format("@{}{} ", pick(2) ? "!" : "", predicate()); }
  template <class... Parts>
  void line(fmt::format_string<Parts...> format, Parts&&... parts) {
    body_ += "  " + fmt::format(format, std::forward<Parts>(parts)...) + "\n";
  }

  std::string initial() const {
    std::string text;
    for (unsigned i = 0; i < words; ++i)
      text += fmt::format("  ld.global.u32 %r{0}, [%base+{1}];\n", i, 4 * i);
    for (unsigned i = 0; i < floats; ++i) text += fmt::format("  cvt.rn.f32.u32 %f{0}, %r{0};\n", i);
    for (unsigned i = 0; i < wides; ++i) text += fmt::format("  cvt.u64.u32 %d{0}, %r{0};\n", i);
    for (unsigned i = 0; i < predicates; ++i)
      text += fmt::format("  setp.gt.u32 %p{0}, %r{0}, {1};\n", i, 7 * i);
    return text;
  }

  std::string results() const {
    std::string text;
    for (unsigned i = 0; i < floats; ++i)
      text += fmt::format("  mov.b32 %t, %f{0}; xor.b32 %r{0}, %r{0}, %t;\n", i);
    for (unsigned i = 0; i < wides; ++i)
      text += fmt::format("  cvt.u32.u64 %t, %d{0}; add.u32 %r{0}, %r{0}, %t;\n", i);
    for (unsigned i = 0; i < predicates; ++i)
      text += fmt::format("  @%p{0} add.u32 %r{0}, %r{0}, 1000;\n", i);
    for (unsigned i = 0; i < words; ++i)
      text += fmt::format("  st.global.u32 [%base+{1}], %r{0};\n", i, 4 * i);
    return text;
  }

  // `together`: all threads of the CTA are here.
  void statement(unsigned depth, bool together) {
    const unsigned which = pick(27);
    if (which < 3 && depth < 3) return choice(depth);
    if (which < 5 && depth < 3) return loop(depth, together);
    if (which == 5 && together) return exchange();
    if (which == 6 && together) return shuffle();
    if (which == 7) return call();
    if (which < 11) return memory();
    if (which == 11) return collision();
    if (which == 12) return directed();
    if (which == 13) return narrow();
    arithmetic();
  }

  void block(unsigned depth, bool together) {
    for (unsigned i = 0; i < 1 + pick(4); ++i) statement(depth, together);
  }

  void choice(unsigned depth) {
    const unsigned label = labels_++;
    const std::string p = predicate();
    line("@{} bra ELSE{};", p, label);
    block(depth + 1, false);
    line("bra END{};", label);
    line("ELSE{}:", label);
    block(depth + 1, false);
    line("END{}:", label);
  }

  void loop(unsigned depth, bool together) {
    const unsigned label = labels_++;
    if (label >= 40) return arithmetic();
    const bool same_for_all = pick(2) == 0;
    const std::string counter = fmt::format("%r{}", words + label),
                      more = fmt::format("%p{}", predicates + label);
    if (same_for_all)
      line("mov.u32 {}, {};", counter, 1 + pick(5));
    else
      line("and.b32 {}, {}, 7;", counter, word());
    line("LOOP{}:", label);
    block(depth + 1, together && same_for_all);
    line("setp.gt.s32 {}, {}, 0;", more, counter);
    line("sub.s32 {0}, {0}, 1;", counter);
    line("@{} bra LOOP{};", more, label);
  }

  // Through shared memory.
  void exchange() {
    line("mov.u32 %t, s;");
    line("mad.lo.u32 %u, %me, 4, %t;");
    line("st.shared.u32 [%u], {};", word());
    line("bar.sync 0;");
    line("xor.b32 %u, %me, {};", 1 + pick(63));
    line("mad.lo.u32 %u, %u, 4, %t;");
    line("ld.shared.u32 {}, [%u];", word());
    line("bar.sync 0;");
  }

  void shuffle() {
    switch (pick(3)) {
      case 0:
        return line("shfl.sync.bfly.b32 {}, {}, {}, 31, 0xffffffff;", word(), word(), 1 + pick(31));
      case 1:
        return line("vote.sync.ballot.b32 {}, {}, 0xffffffff;", word(), predicate());
      default:
        return line("shfl.sync.idx.b32 {}|{}, {}, {}, 31, 0xffffffff;", word(), predicate(), word(), word());
    }
  }

  void call() {
    body_ += fmt::format(
        "  {{ .param .b32 a; .param .b32 b; st.param.b32 [a], {}; call.uni (b), twice, (a); ld.param.b32 {}, "
        "[b]; }}\n",
        word(), word());
  }

  void memory() {
    const unsigned place = 4 * pick(16);
    switch (pick(6)) {
      case 0:
        return line("{}ld.global.u32 {}, [%base+{}];", guard(), word(), place);
      case 1:
        return line("{}st.global.u32 [%base+{}], {};", guard(), place, word());
      case 2:  // a word of its own, of its choice
        line("and.b32 %t, {}, 15;", word());
        line("mul.wide.u32 %at, %t, 4;");
        line("add.s64 %at, %at, %base;");
        return pick(2) ? line("{}ld.global.u32 {}, [%at];", guard(), word())
                       : line("{}st.global.u32 [%at], {};", guard(), word());
      case 3:
        line("mov.u64 %at, l;");
        return pick(2) ? line("{}ld.local.u32 {}, [%at+{}];", guard(), word(), place)
                       : line("{}st.local.u32 [%at+{}], {};", guard(), place, word());
      case 4:
        return line("{}atom.global.add.u32 {}, [%base+{}], {};", guard(), word(), place, word());
      default:
        return line("{}ld.global.v2.u32 {{%r0, %r1}}, [%base+{}];", guard(), 8 * pick(8));
    }
  }

  // Lanes, and warps, that meet at places of the CTA's shared memory.
  void collision() {
    const unsigned bytes = 4u << pick(3);
    line("mov.u32 %t, s;");
    line("and.b32 %u, {}, {};", pick(5) ? word() : "%me", 1 + pick(31));
    line("mad.lo.u32 %u, %u, {}, %t;", bytes);
    const std::string g = guard();
    switch (pick(4)) {
      case 0:
        return line("{}red.shared.add.u32 [%u], {};", g, word());
      case 1:
        return line("{}atom.shared.{}.u32 {}, [%u], {};", g, pick(2) ? "add" : "max", word(), word());
      case 2:
        if (bytes == 4) return line("{}ld.shared.u32 {}, [%u];", g, word());
        if (bytes == 8) return line("{}ld.shared.u64 {}, [%u];", g, wide());
        return line("{}ld.shared.v4.u32 {{%r0, %r1, %r2, %r3}}, [%u];", g);
      default:
        if (bytes == 4) return line("{}st.shared.u32 [%u], {};", g, word());
        if (bytes == 8) return line("{}st.shared.u64 [%u], {};", g, wide());
        return line("{}st.shared.v4.u32 [%u], {{%r0, %r1, %r2, %r3}};", g);
    }
  }

  // Arithmetic that does not round to nearest.
  void directed() {
    static constexpr const char* modes[] = {"rm", "rp", "rz"};
    const char* const mode = modes[pick(3)];
    const std::string g = guard();
    switch (pick(7)) {
      case 0:
        return line("{}fma.{}.f32 {}, {}, {}, {};", g, mode, real(), real(), real(), real());
      case 1:
        return line("{}add.{}.f32 {}, {}, {};", g, mode, real(), real(), real());
      case 2:
        return line("{}mul.{}.ftz.f32 {}, {}, {};", g, mode, real(), real(), real());
      case 3:
        return line("{}div.{}.f32 {}, {}, {};", g, mode, real(), real(), real());
      case 4:
        return line("{}fma.{}.f64 {}, {}, {}, {};", g, mode, wide(), wide(), wide(), wide());
      case 5:
        return line("{}sqrt.{}.f32 {}, {};", g, mode, real(), real());
      default:
        return line("{}cvt.{}.f32.f64 {}, {};", g, mode, real(), wide());
    }
  }

  // Of a byte and of two.
  void narrow() {
    const unsigned place = pick(60);
    switch (pick(4)) {
      case 0:
        line("ld.global.u8 %h0, [%base+{}];", place);
        line("mul.lo.s16 %h1, %h0, {};", 1 + pick(300));
        return line("cvt.u32.u16 {}, %h1;", word());
      case 1:
        line("cvt.u16.u32 %h1, {};", word());
        return line("{}st.global.u8 [%base+{}], %h1;", guard(), place);
      case 2:
        return line("{}ld.global.s8 {}, [%base+{}];", guard(), word(), place);
      default:
        return line("{}st.global.u8 [%base+{}], {};", guard(), place, word());
    }
  }

  void arithmetic() {
    const std::string g = guard();
    switch (pick(19)) {
      case 0:
        return line("{}add.u32 {}, {}, {};", g, word(), word(), source());
      case 1:
        return line("{}sub.s32 {}, {}, {};", g, word(), word(), source());
      case 2:
        return line("{}mad.lo.s32 {}, {}, {}, {};", g, word(), word(), source(), word());
      case 3:
        return line("{}mul.hi.u32 {}, {}, {};", g, word(), word(), source());
      case 4:
        return line("{}and.b32 {}, {}, {};", g, word(), word(), source());
      case 5:
        return line("{}xor.b32 {}, {}, {};", g, word(), word(), source());
      case 6:
        return line("{}shl.b32 {}, {}, {};", g, word(), word(), pick(34));
      case 7:
        return line("{}shr.s32 {}, {}, {};", g, word(), word(), source());
      case 8:
        return line("{}mul.wide.s32 {}, {}, {};", g, wide(), word(), source());
      case 9:
        return line("{}add.s64 {}, {}, {};", g, wide(), wide(), wide());
      case 10:
        return line("{}cvt.u32.u64 {}, {};", g, word(), wide());
      case 11:
        return line("{}setp.{}.{}32 {}, {}, {};", g, pick(2) ? "lt" : "ne", pick(2) ? "s" : "u", predicate(),
                    word(), source());
      case 12:
        return line("{}selp.b32 {}, {}, {}, {};", g, word(), word(), source(), predicate());
      case 13:
        return line("{}fma.rn.f32 {}, {}, {}, {};", g, real(), real(), real(), real());
      case 14:
        return line("{}add.rn.f32 {}, {}, {};", g, real(), real(), real());
      case 15:
        return line("{}setp.lt.f32 {}, {}, {};", g, predicate(), real(), real());
      case 16:
        return line("{}cvt.rzi.s32.f32 {}, {};", g, word(), real());
      case 17:
        return line("{}div.s32 {}, {}, {};", g, word(), word(), source());
      default:
        return line("{}min.u32 {}, {}, {};", g, word(), word(), source());
    }
  }

  std::mt19937 random_;
  std::string body_;
  unsigned labels_ = 0;
};

}  // namespace

std::string random_program(std::uint32_t seed) { return Program(seed).write(); }

}  // namespace wedjat::test
