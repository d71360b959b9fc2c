#include "tests/semantics/harness/inputs.h"

#include <algorithm>
#include <numeric>

#include "emulator/memory/windows.h"
#include "semcc/eval/patterns.h"

namespace wedjat::test {
namespace {

namespace ir = semcc::ir;

bool writes_memory(const ir::Form& form) { return form.effects.writes_memory; }

// What a generic address of shared memory has more than one of the space.
std::uint64_t window_of(ir::Space written, ir::Space accessed) {
  const bool shared = accessed == ir::Space::Shared || accessed == ir::Space::SharedCluster;
  return shared && written == ir::Space::Generic ? memory::shared_window.base : 0;
}

}  // namespace

bool on_device(ir::Space space) {
  return space == ir::Space::None || space == ir::Space::Generic || space == ir::Space::Global ||
         space == ir::Space::Const;
}

std::uint64_t base_of(ir::Space space) {
  if (on_device(space)) return device_base;
  const bool parameters =
      space == ir::Space::Param || space == ir::Space::ParamEntry || space == ir::Space::ParamFunc;
  return parameters ? memory::param_window.base : 0;
}

ir::Space memory_space(const ir::Form& form) {
  for (const ir::Stmt& statement : form.body)
    if (statement.labels.space != ir::Space::None && statement.what != ir::Stmt::What::Prefetch)
      return statement.labels.space;
  return ir::Space::None;
}

semcc::eval::Frame any_frame(const ir::Form& form, std::uint32_t active, Random& random) {
  semcc::eval::Frame frame = semcc::eval::empty_frame(form);
  frame.active = active;
  frame.carry = static_cast<std::uint32_t>(random());
  // Slots of 64 bytes: stores of different lanes go to different ones, other accesses may meet.
  std::array<unsigned, 32> slots;
  std::iota(slots.begin(), slots.end(), 0u);
  std::shuffle(slots.begin(), slots.end(), random);
  const bool may_meet = !writes_memory(form);
  const std::uint64_t base = base_of(memory_space(form));
  // In half of the cases all lanes see the same values, as masks and warp-wide operands often do.
  for (std::size_t index = 0; index < form.operands.size(); ++index) {
    const ir::Operand& operand = form.operands[index];
    const bool uniform = random() % 4 == 0;
    for (semcc::eval::Row& row : frame.operands[index]) {
      for (unsigned lane = 0; lane < semcc::eval::lanes; ++lane) {
        mpz_class& pattern = row[lane].bits;
        if (operand.kind == ir::OperandKind::Address && memory_space(form) != ir::Space::None)
          pattern = static_cast<unsigned long>(base + window_of(operand.space, memory_space(form)) +
                                               64 * (may_meet ? slots[random() % 32] : slots[lane]));
        else if (operand.name == "membermask")
          pattern = active;
        else if (uniform && lane > 0)
          pattern = row[0].bits;
        else
          pattern = semcc::eval::any_pattern(operand.type, random);
      }
    }
  }
  if (memory_space(form) != ir::Space::None)
    for (std::uint64_t byte = 0; byte < memory_bytes; ++byte)
      frame.memory[{memory_space(form), base + byte}] = static_cast<std::uint8_t>(random());
  return frame;
}

}  // namespace wedjat::test
