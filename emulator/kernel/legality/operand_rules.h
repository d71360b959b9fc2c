// Which operand may stand where: kinds, widths and types (PTX ISA 6.2 "Operand type information", 9.4 "Type
// information for instructions and operands"), judged as ptxas does.
#pragma once
#include <span>
#include <string>
#include <vector>

#include "emulator/kernel/forms/form.h"
#include "emulator/ptx/module/body.h"

namespace wedjat::kernel {

/// One operand of a form with what the instruction has there.
struct BoundOperand {
  const OperandSpec* spec = nullptr;
  const ptx::Operand* operand = nullptr;  ///< null: an absent `|q` or optional operand, and attached ones
  std::uint32_t attached = 0;             ///< the number of an attached operand
};

enum class Mismatch : std::uint8_t {
  none,
  count,      // of operands
  kind,       // an address where a register stands, and such
  width,      // of the register
  type,       // f32 register for an integer, and such
  immediate,  // a literal of the wrong class
  negation,   // `!` where the form has none
  elements,   // of a vector
  selector,   // one the form does not have, or none where it needs one
};

struct Match {
  Mismatch mismatch = Mismatch::none;
  unsigned operand = 0;  ///< which operand as written does not fit, from 0
};

/// Binds the operands as written to those of the form.
Match bind(const Form& form, const ptx::Body& body, std::span<const ptx::Operand> operands,
           std::vector<BoundOperand>& bound);

/// Whether a register of this declared type may hold what the operand says.
Mismatch match_register(const OperandSpec& spec, ptx::Type type);

}  // namespace wedjat::kernel
