#include "semcc/eval/eval.h"

#include "semcc/eval/expression.h"
#include "semcc/eval/matrix.h"
#include "semcc/eval/memory.h"

namespace semcc::eval {
namespace {

using ir::Op;
using ir::Stmt;

class Machine {
 public:
  Machine(const ir::Program& program, const ir::Form& form, const Frame& before)
      : form_(form), outcome_{before, {}}, evaluator_(program, form, before) {}

  Outcome run() {
    for (const Stmt& statement : form_.body) execute(statement);
    return std::move(outcome_);
  }

 private:
  bool active(unsigned lane) const { return (outcome_.after.active >> lane & 1) != 0; }

  // Runs `action` in each lane that executes the statement; scalar ones belong to the lowest active lane.
  template <class Action>
  void each_lane(const Action& action) {
    for (unsigned lane = 0; lane < lanes; ++lane)
      if (active(lane)) action(lane);
  }

  void execute(const Stmt& statement) {
    switch (statement.what) {
      case Stmt::What::Let:
        return let(statement);
      case Stmt::What::Assign:
        return assign(statement);
      case Stmt::What::AssignState:
        return assign_state(statement);
      case Stmt::What::MemoryWrite:
        return each_lane([&](unsigned lane) {
          if (!guarded(statement, lane)) return;
          store(outcome_.after.memory, statement, address(statement, lane),
                evaluator_.at_lane(statement.value, lane));
        });
      case Stmt::What::Require:
        return require(statement);
      case Stmt::What::Fence:
      case Stmt::What::Prefetch:
        return;
      case Stmt::What::Transfer:
        throw Unsupported("bytes that go from one memory to another");
      case Stmt::What::Barrier:
        throw Unsupported("a barrier needs a CTA");
      case Stmt::What::Gather:
      case Stmt::What::Scatter:
      case Stmt::What::Each:
      case Stmt::What::ReadTile:
      case Stmt::What::WriteTile:
      case Stmt::What::Multiply:
        // After a failed requirement nothing means anything.
        if (outcome_.failures.empty()) execute_matrix(statement, form_, evaluator_, outcome_.after);
        return;
    }
  }

  void let(const Stmt& statement) {
    if (statement.value->op == Op::MemoryRead || statement.value->op == Op::MemoryUpdate) {
      each_lane([&](unsigned lane) {
        if (guarded(statement, lane)) access(statement, lane);
      });
      return;
    }
    // Inactive lanes too: a scalar statement or another lane never sees theirs, but expressions are total.
    if (statement.scalar) {
      const Word value = evaluator_.at_lane(statement.value, lowest());
      for (unsigned lane = 0; lane < lanes; ++lane) evaluator_.set_local(statement.index, lane, value);
      return;
    }
    each_lane([&](unsigned lane) {
      evaluator_.set_local(statement.index, lane, evaluator_.at_lane(statement.value, lane));
    });
  }

  bool guarded(const Stmt& statement, unsigned lane) {
    return !statement.guard || evaluator_.at_lane(statement.guard, lane).is_true();
  }

  // A read, or an update lane after lane: each sees what the one before it wrote.
  void access(const Stmt& statement, unsigned lane) {
    const std::uint64_t where = address(statement, lane);
    const Word old = load(outcome_.after.memory, statement, where);
    if (statement.index >= 0) evaluator_.set_local(statement.index, lane, old);
    if (statement.old_local >= 0) evaluator_.set_local(statement.old_local, lane, old);
    if (statement.value->op == Op::MemoryUpdate)
      store(outcome_.after.memory, statement, where, evaluator_.at_lane(statement.value->args[0], lane));
  }

  std::uint64_t address(const Stmt& statement, unsigned lane) {
    return address_of(evaluator_.at_lane(statement.address, lane));
  }

  void require(const Stmt& statement) {
    Failure failure{0, statement.text};
    if (statement.scalar) {
      failure.lanes = outcome_.after.active;
      if (!evaluator_.at_lane(statement.value, lowest()).is_true()) outcome_.failures.push_back(failure);
      return;
    }
    each_lane([&](unsigned lane) {
      if (!evaluator_.at_lane(statement.value, lane).is_true()) failure.lanes |= 1u << lane;
    });
    if (failure.lanes != 0) outcome_.failures.push_back(failure);
  }

  void assign(const Stmt& statement) {
    const ir::Operand& operand = form_.operands.at(static_cast<std::size_t>(statement.index));
    const unsigned parts = operand.type.parts;
    const bool packed = parts > 1 && statement.part >= 0;
    const unsigned element =
        operand.count > 1 && statement.part >= 0 ? static_cast<unsigned>(statement.part) / parts : 0;
    const unsigned width = packed ? operand.type.width : operand.type.bits();
    const unsigned shift = packed ? static_cast<unsigned>(statement.part) % parts * width : 0;
    const mpz_class mask = ((mpz_class(1) << width) - 1) << shift;
    each_lane([&](unsigned lane) {
      const Word value = evaluator_.at_lane(statement.value, statement.scalar ? lowest() : lane);
      Word& row = outcome_.after.operands.at(static_cast<std::size_t>(statement.index)).at(element)[lane];
      row.bits = (row.bits & ~mask) | ((value.bits << shift) & mask);
      row.unspecified = (row.unspecified & ~mask) | ((value.unspecified << shift) & mask);
      row.nan = !packed && value.nan;
    });
  }

  void assign_state(const Stmt& statement) {
    each_lane([&](unsigned lane) {
      const Word value = evaluator_.at_lane(statement.value, lane);
      const std::uint32_t bit = 1u << lane;
      Frame& after = outcome_.after;
      after.carry = value.is_true() ? after.carry | bit : after.carry & ~bit;
      after.unspecified_carry =
          value.known() ? after.unspecified_carry & ~bit : after.unspecified_carry | bit;
    });
  }

  unsigned lowest() const {
    return outcome_.after.active == 0 ? 0 : static_cast<unsigned>(__builtin_ctz(outcome_.after.active));
  }

  const ir::Form& form_;
  Outcome outcome_;
  Evaluator evaluator_;
};

}  // namespace

Frame empty_frame(const ir::Form& form) {
  Frame frame;
  for (const ir::Operand& operand : form.operands) frame.operands.emplace_back(operand.count);
  return frame;
}

Outcome evaluate(const ir::Program& program, const ir::Form& form, const Frame& before) {
  if (form.control == "refused") throw Unsupported("typed, not run: " + form.refused);
  if (form.level == ir::Level::Control)
    throw Unsupported("control flow belongs to the emulator's kernel room");
  return Machine(program, form, before).run();
}

}  // namespace semcc::eval
