// A form table for tests: a handful of forms built from one line of text each.
#pragma once
#include <deque>
#include <string>
#include <vector>

#include "emulator/kernel/forms/form.h"
#include "emulator/kernel/forms/form_table.h"

namespace wedjat::test {

/// Lines like "add.s32 d:s32 a:s32 b:s32": operands with `<` in front are written, `[a]` is an address, `p`
/// types are predicates;
/// `~` behind the type: a wider register may stand there; `!` negatable; `|q` paired. `@branch` makes a
/// control form,
/// `{ca|cg}` lists hints, `since7.8` and `on:sm_90a` availability.
class FakeForms {
 public:
  explicit FakeForms(const std::vector<std::string>& lines);
  std::span<const kernel::Form> forms() const { return forms_; }

 private:
  std::deque<std::string> texts_;
  std::deque<std::vector<kernel::OperandSpec>> operands_;
  std::vector<kernel::Form> forms_;
};

/// What the lowering tests need: moves, sums, loads, stores, compares, branches, calls.
const kernel::FormTable& fake_table();

}  // namespace wedjat::test
