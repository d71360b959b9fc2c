// The form table, indexed for the decoder.
#pragma once
#include <map>
#include <mutex>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "emulator/kernel/forms/form.h"

namespace wedjat::kernel {

class FormTable {
 public:
  /// `forms` sorted by key and alive as long as the table.
  explicit FormTable(std::span<const Form> forms) : forms_(forms) {}

  /// One more form, alive as long as the table, of an opcode that the forms lack.
  void add(const Form& form) { added_.push_back(&form); }

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
  std::vector<const Form*> without_hints(std::string_view opcode,
                                         const std::vector<std::string_view>& words) const;

  /// Hints of any form of the opcode, sorted.
  const std::vector<std::string_view>& hints_of(std::string_view opcode) const;

  std::span<const Form> forms_;
  std::vector<const Form*> added_;
  // By the opcodes asked for so far: going through all forms would be most of the time of a small run.
  mutable std::mutex mutex_;
  mutable std::map<std::string, std::vector<std::string_view>, std::less<>> hints_;
};

}  // namespace wedjat::kernel
