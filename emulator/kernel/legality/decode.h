// Instruction as written -> row of the form table.
#pragma once
#include <vector>

#include "emulator/kernel/forms/form_table.h"
#include "emulator/kernel/legality/operand_rules.h"
#include "emulator/ptx/module/body.h"

namespace wedjat::kernel {

/// Decodes one body: a spelling is looked up once.
class Decoder {
 public:
  Decoder(const FormTable& table, const ptx::Function& function, const ptx::Body& body);

  /// The form and its operands, valid until the next call. Throws ptx::Error if there is none the module may
  /// use.
  const Form& decode(const ptx::Instruction& instruction);
  const std::vector<BoundOperand>& operands() const { return bound_; }

 private:
  const FormTable& table_;
  const ptx::Function& function_;
  const ptx::Body& body_;
  struct Spelling {
    bool looked_up = false;
    std::vector<const Form*> forms;  // those the module may use first
    std::size_t available = 0;
  };
  std::vector<Spelling> spellings_;  // by mnemonic
  std::vector<BoundOperand> bound_;
};

}  // namespace wedjat::kernel
