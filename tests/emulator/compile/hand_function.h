// Functions of a few steps whose forms only say which rows are read and written.
#pragma once
#include <deque>
#include <initializer_list>
#include <vector>

#include "emulator/kernel/lowered/kernel.h"

namespace wedjat::test {

/// `d = op a, b` on 32-bit rows, numbered from 0: row r lies at 64 + 128 * r. Predicates lie at 0.
class HandFunction {
 public:
  HandFunction() {
    for (kernel::OperandSpec& operand : operands_) {
      operand.bits = 32;
      operand.count = 1;
    }
    operands_[0].out = true;
    operands_[1].in = operands_[2].in = true;
    form_.operand = operands_;
    form_.operands = 3;
  }
  static std::uint32_t at(std::uint32_t row) { return 64 + 128 * row; }

  void block() { code.blocks.push_back({.first = static_cast<std::uint32_t>(code.steps.size())}); }
  void step(std::uint32_t d, std::uint32_t a, std::uint32_t b, bool guarded = false,
            std::uint16_t flags = 0) {
    kernel::Step step{};
    step.row = rows_.emplace_back(std::vector{at(d), at(a), at(b)}).data();
    step.form = &form_;
    step.guard = guarded ? 1 : 0;
    step.flags = flags;
    code.steps.push_back(step);
    ++code.blocks.back().count;
  }
  void end(kernel::End kind, std::uint32_t target = 0, std::uint32_t next = 0, bool guarded = false) {
    kernel::Terminator& end = code.blocks.back().end;
    end.kind = kind;
    end.target = target;
    end.next = next;
    end.guard = guarded ? 1 : 0;
  }

  kernel::Function code;

 private:
  kernel::OperandSpec operands_[3]{};
  kernel::Form form_{};
  std::deque<std::vector<std::uint32_t>> rows_;
};

}  // namespace wedjat::test
