#include "emulator/kernel/legality/decode.h"

#include <algorithm>

#include "emulator/kernel/legality/availability.h"
#include "emulator/kernel/legality/legacy.h"
#include "emulator/kernel/legality/refusal.h"
#include "emulator/kernel/legality/word_order.h"

namespace wedjat::kernel {

Decoder::Decoder(const FormTable& table, const ptx::Function& function, const ptx::Body& body)
    : table_(table), function_(function), body_(body), spellings_(body.mnemonics.size()) {}

const Form& Decoder::decode(const ptx::Instruction& instruction) {
  Spelling& spelling = spellings_[instruction.mnemonic];
  if (!spelling.looked_up) {
    const ptx::Mnemonic& mnemonic = body_.mnemonics[instruction.mnemonic];
    spelling.forms = candidates_in(function_.module(), table_, mnemonic);
    std::erase_if(spelling.forms,
                  [&](const Form* form) { return !name_stands_first(*form, mnemonic.modifiers); });
    const auto end = std::stable_partition(
        spelling.forms.begin(), spelling.forms.end(),
        [&](const Form* form) { return unavailable(*form, function_.module()).empty(); });
    spelling.available = static_cast<std::size_t>(end - spelling.forms.begin());
    spelling.looked_up = true;
  }
  for (std::size_t i = 0; i < spelling.available; ++i) {
    const Form& form = *spelling.forms[i];
    if (form.control == Control::Call) return form;  // operands are the prototype's business
    if (bind(form, body_, body_.operands_of(instruction), bound_).mismatch == Mismatch::none) return form;
  }
  refuse_instruction(table_, function_, body_, instruction, spelling.forms);
}

}  // namespace wedjat::kernel
