// What is thrown when a kernel cannot be lowered: always with file, line and the instruction as written.
#pragma once
#include <string>
#include <vector>

#include "emulator/kernel/forms/form_table.h"
#include "emulator/ptx/module/body.h"
#include "emulator/ptx/module/module.h"

namespace wedjat::kernel {

/// The text is PTX, but the kernel cannot be run.
class Refusal : public ptx::Error {
 public:
  using ptx::Error::Error;
};

/// The text is PTX and legal, but holds an instruction that is typed and not run.
class NotRun : public Refusal {
 public:
  using Refusal::Refusal;
};

[[noreturn]] void refuse(const ptx::Module& module, ptx::Location where, const std::string& message);

/// The instruction as written, up to its semicolon, on one line.
std::string text_of(const ptx::Module& module, const ptx::Instruction& instruction);

/// No candidate fits the operands, or there is none: throws what is wrong and which forms are nearest.
[[noreturn]] void refuse_instruction(const FormTable& table, const ptx::Function& function,
                                     const ptx::Body& body, const ptx::Instruction& instruction,
                                     const std::vector<const Form*>& candidates);

/// `form` is one that is typed and not run: throws what it needs and why.
[[noreturn]] void refuse_to_run(const ptx::Module& module, const ptx::Instruction& instruction,
                                const Form& form);

}  // namespace wedjat::kernel
