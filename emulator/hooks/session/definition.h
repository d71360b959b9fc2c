// Instructions that tools define (wedjat_host.define): rows of the form table, made at run time.
#pragma once
#include <string>
#include <vector>

#include "emulator/kernel/forms/form.h"
#include "utilities/include/wedjat/tool.h"

namespace wedjat::hooks {

class Definition {
 public:
  /// Throws ToolError saying what is wrong with the spelling, the operands, or that PTX has the opcode.
  explicit Definition(const wedjat_definition& from);
  Definition(const Definition&) = delete;
  Definition& operator=(const Definition&) = delete;

  const kernel::Form& form() const { return form_; }
  wedjat_handler handler() const { return handler_; }
  void* user() const { return user_; }

  static bool is_one(const kernel::Form& form) { return form.source == source; }

 private:
  static constexpr std::string_view source = "a tool";
  kernel::OperandSpec operand(const std::string& text);

  std::string text_, key_;
  std::vector<std::string> words_;  ///< names and formats of operands
  std::vector<kernel::OperandSpec> operands_;
  kernel::Form form_{};
  wedjat_handler handler_;
  void* user_;
};

}  // namespace wedjat::hooks
