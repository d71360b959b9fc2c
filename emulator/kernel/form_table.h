// The form table, indexed for the decoder.
#pragma once
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "emulator/kernel/form.h"

namespace wedjat::kernel {

class FormTable {
 public:
  /// `forms` sorted by key and alive as long as the table.
  explicit FormTable(std::span<const Form> forms);

  /// The generated table of all instructions.
  static const FormTable& generated();

  /// Forms with this key, no hints: for lowering's own steps too.
  std::span<const Form> with_key(std::string_view key) const;

  /// Forms an instruction may mean: its words minus hints the forms list, and if there are none minus those
  /// ptxas ignores. They differ in operands.
  std::vector<const Form*> candidates(std::string_view opcode, std::span<const std::string_view> words) const;

  /// All forms of one opcode; empty: nobody knows it.
  std::span<const Form> of_opcode(std::string_view opcode) const;

 private:
  std::vector<const Form*> without_hints(std::string_view opcode, std::vector<std::string_view> words) const;

  std::span<const Form> forms_;
  std::unordered_map<std::string_view, std::span<const Form>> opcodes_;
  std::unordered_map<std::string_view, std::vector<std::string_view>>
      hints_;  // of any form of the opcode, sorted
};

}  // namespace wedjat::kernel
