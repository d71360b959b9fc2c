// Instructions for which several threads, or several instructions, belong together.
#include <utility>

#include "emulator/programs/faults.h"
#include "emulator/programs/writer.h"

namespace wedjat::programs {

using kernel::Form;
using kernel::OperandKind;
using kernel::OperandSpec;

void Writer::exchange_lanes(Use use) {
  // Lanes that left a loop early need not have waited for the others.
  if (use == Use::matrix) line("bar.warp.sync 0xffffffff;");
  const std::string text_of_it = instruction(choose(use), "", Need::nothing);
  line("{}", text_of_it);
}

void Writer::fence() { line("{};", choose(Use::fence).text); }

// Differences borrow, sums and products carry: the manual does not say that one is the other.
void Writer::carries() {
  const Form& first = choose(Use::first_carry);
  const bool borrows = first.opcode == "sub";
  // Of literals: the only register is the result.
  const auto is_constant = [](const std::string& of) { return of.find('%') == of.rfind('%'); };
  const std::string begin = instruction(first, "", Need::nothing);
  line("{}", begin);
  bool constant = is_constant(begin);
  for (unsigned left = 1 + pick(3); left != 0;) {
    const Form& next = choose(Use::carry);
    if ((next.opcode == "subc") != borrows || (constant && loses_carry_of_literals(next))) continue;
    const std::string more = instruction(next, "", Need::nothing);
    line("{}", more);
    if (more.find(".cc.") != std::string::npos) constant = constant && is_constant(more);  // others leave it
    --left;
  }
}

void Writer::product_and_sum() {
  static constexpr std::pair<const Pool*, const char*> kinds[] = {
      {&single, "f32"}, {&twice, "f64"}, {&half, "f16"}, {&halves, "f16x2"}};
  const auto [pool, type] = kinds[pick(4)];
  const std::string product = any(*pool);
  line("mul.{} {}, {}, {};", type, product, any(*pool), any(*pool));
  const bool first = pick(2) == 0;
  line("{}.{} {}, {}, {};", pick(2) ? "add" : "sub", type, any(*pool), first ? product : any(*pool),
       first ? any(*pool) : product);
}

void Writer::copy() {
  const Form& form = choose(Use::copy);
  const bool whole = form.text.find(".cg.") != std::string_view::npos;
  const unsigned bytes = whole ? 16 : 4u << pick(3);
  line("{} [%shared+{}], [%base+{}], {};", form.text, bytes * pick(32 / bytes), bytes * pick(64 / bytes),
       bytes);
  line("cp.async.wait_all;");
}

// A row is 16 bytes of its thread. Other threads touch it only between the two barriers.
void Writer::tile() {
  line("bar.warp.sync 0xffffffff;");
  const std::string text_of_it =
      instruction(choose(Use::tile), fmt::format("%shared+{}", 16 * pick(2)), Need::nothing);
  line("{}", text_of_it);
  line("bar.warp.sync 0xffffffff;");
}

void Writer::barrier() {
  const Form& form = choose(Use::barrier);
  std::string operands;
  Named named;
  const unsigned number = pick(16);
  for (unsigned i = 0; i < form.operands; ++i) {
    const OperandSpec& spec = form.operand[i];
    const bool register_in = spec.kind == OperandKind::Register && !spec.out;
    const std::string written = !register_in       ? operand(form, spec, false, named)
                                : spec.name == "a" ? std::to_string(number)
                                                   : std::to_string(threads);
    operands += (operands.empty() ? "" : ", ") + written;
  }
  line("{} {};", form.text, operands);
}

void Writer::phase(unsigned label) {
  const Form& arrive = choose(Use::arrive);
  const Form& wait = choose(Use::wait);
  line("{} %state, [meeting]{};", arrive.text, arrive.operands == 3 ? ", 1" : "");
  line("WAIT{}:", label);
  const bool parity = wait.text.find(".parity") != std::string_view::npos;
  line("{} %nan, [meeting], {};", wait.text, parity ? "%phase" : "%state");
  line("@!%nan bra WAIT{};", label);
  line("xor.b32 %phase, %phase, 1;");
}

}  // namespace wedjat::programs
