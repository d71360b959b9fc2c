#include "emulator/programs/statements.h"

#include <utility>

namespace wedjat::programs {

void Statements::statement(unsigned depth, bool together) {
  const unsigned which = out_.pick(40);
  if (depth < 3) {
    if (which < 3) return choice(depth);
    if (which < 4) return table(depth);
    if (which < 6) return loop(depth, together);
  }
  if (together && which < 8) return exchange();
  if (together && which < 10) return out_.exchange_lanes(Use::warp);
  if (together && which < 11) return out_.exchange_lanes(Use::matrix);
  if (together && which < 12) return out_.tile();
  if (which == 12) return call();
  if (which == 13) return indirect_call();
  if (which < 16) return out_.access(Use::load);
  if (which < 18) return out_.access(Use::store);
  if (which < 20) return out_.access(Use::update);
  if (which == 20 && options_.races) return collision();
  if (which == 21) return out_.carries();
  if (which > 34 && options_.unrounded) return out_.product_and_sum();
  if (which == 22 && out_.pick(2)) return out_.copy();
  if (which == 23 && out_.pick(4) == 0) return out_.fence();
  out_.compute();
}

void Statements::block(unsigned depth, bool together) {
  for (unsigned i = 0; i < 1 + out_.pick(4); ++i) statement(depth, together);
}

void Statements::choice(unsigned depth) {
  const unsigned label = labels_++;
  const std::string truth = out_.any(truths);
  out_.line("@{} bra ELSE{};", truth, label);
  decided_.push_back(truth);
  block(depth + 1, false);
  out_.line("bra END{};", label);
  out_.line("ELSE{}:", label);
  block(depth + 1, false);
  decided_.pop_back();
  out_.line("END{}:", label);
}

void Statements::table(unsigned depth) {
  const unsigned label = labels_++;
  out_.line("and.b32 %t, {}, 3;", out_.word());
  out_.line("TABLE{0}: .branchtargets CASE{0}_0, CASE{0}_1, CASE{0}_2, CASE{0}_3;", label);
  out_.line("brx.idx %t, TABLE{};", label);
  for (unsigned i = 0; i < 4; ++i) {
    out_.line("CASE{}_{}:", label, i);
    block(depth + 1, false);
    if (i != 1) out_.line("bra END{};", label);  // one case falls through
  }
  out_.line("END{}:", label);
}

// At most eight times.
void Statements::loop(unsigned depth, bool together) {
  const unsigned label = labels_++, number = loops_++;
  const bool same_for_all = out_.pick(2) == 0;
  if (same_for_all)
    out_.line("mov.u32 %c{}, {};", number, 1 + out_.pick(5));
  else
    out_.line("and.b32 %c{}, {}, 7;", number, out_.word());
  out_.line("LOOP{}:", label);
  ++out_.loops_around;
  const auto kept = std::exchange(out_.kept, decided_);
  block(depth + 1, together && same_for_all);
  out_.kept = kept;
  --out_.loops_around;
  out_.line("setp.gt.s32 %q{0}, %c{0}, 0;", number);
  out_.line("sub.s32 %c{0}, %c{0}, 1;", number);
  out_.line("@%q{} bra LOOP{};", number, label);
}

// Each thread writes its place in shared memory and, behind a barrier, reads another's.
void Statements::exchange() {
  const bool wide = out_.pick(2) == 0;
  const unsigned bytes = wide ? 8 : 4;
  const Pool& pool = wide ? bits64 : bits32;
  out_.line("mov.u32 %t, s;");
  out_.line("mad.lo.u32 %u, %me, {}, %t;", bytes);
  out_.line("st.shared.b{} [%u], {};", 8 * bytes, out_.any(pool));
  if (out_.pick(3) == 0)
    out_.phase(labels_++);
  else
    out_.barrier();
  out_.line("xor.b32 %u, %me, {};", 1 + out_.pick(threads - 1));
  out_.line("mad.lo.u32 %u, %u, {}, %t;", bytes);
  out_.line("ld.shared.b{} {}, [%u];", 8 * bytes, out_.any(pool));
  out_.barrier();
}

void Statements::call() {
  out_.line(
      "{{ .param .b32 a; .param .b32 b; st.param.b32 [a], {}; call (b), f{}{}, (a); ld.param.b32 {}, [b]; }}",
      out_.word(), out_.pick(functions), options_.suffix, out_.word());
}

// Which function it is may differ from thread to thread.
void Statements::indirect_call() {
  const unsigned label = labels_++;
  out_.line("{{ .reg .b64 %one, %two; .param .b32 a; .param .b32 b; st.param.b32 [a], {};", out_.word());
  out_.line("mov.u64 %one, f0{0}; mov.u64 %two, f1{0}; selp.b64 %one, %one, %two, {1};", options_.suffix,
            out_.any(truths));
  out_.line("PROTOTYPE{}: .callprototype (.param .b32 _) _ (.param .b32 _);", label);
  out_.line("call (b), %one, (a), PROTOTYPE{}; ld.param.b32 {}, [b]; }}", label, out_.word());
}

// Lanes, and warps, that meet at places of the CTA's shared memory: who comes last is not said.
void Statements::collision() {
  const unsigned bytes = 4u << out_.pick(2);
  const Pool& pool = bytes == 8 ? bits64 : bits32;
  out_.line("mov.u32 %t, s;");
  out_.line("and.b32 %u, {}, {};", out_.pick(5) ? out_.word() : "%me", 1 + out_.pick(31));
  out_.line("mad.lo.u32 %u, %u, {}, %t;", bytes);
  const std::string guard = out_.guard();
  switch (out_.pick(4)) {
    case 0:
      return out_.line("{}red.shared.add.u32 [%u], {};", guard, out_.word());
    case 1:
      return out_.line("{}atom.shared.{}.u32 {}, [%u], {};", guard, out_.pick(2) ? "add" : "max", out_.word(),
                       out_.word());
    case 2:
      return out_.line("{}ld.shared.b{} {}, [%u];", guard, 8 * bytes, out_.any(pool));
    default:
      return out_.line("{}st.shared.b{} [%u], {};", guard, 8 * bytes, out_.any(pool));
  }
}

}  // namespace wedjat::programs
