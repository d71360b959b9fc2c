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

bool is_descriptor(const ir::Form& form, const ir::Operand& operand) {
  return form.opcode == "wgmma" && operand.kind == ir::OperandKind::Register && operand.type.bits() == 64;
}

// Elements of a tile's row that keep its lines aligned: 16, or 16 bytes of those smaller than a byte.
unsigned tile_unit(const ir::Form& form) {
  const std::string text = form.text();
  const auto has = [&](const char* word) { return text.find(word) != std::string::npos; };
  return has(".b1") ? 128 : has(".s4") || has(".u4") ? 32 : 16;
}

// Tiles of matrices spread further than the accesses of lanes.
std::uint64_t reached(const ir::Form& form) {
  return form.opcode == "wgmma" ? memory_bytes : form.opcode == "wmma" ? 20 * 1024 : 4096;
}

// Of a matrix of up to 256 lines within 96 KiB, in any mode of swizzling.
unsigned long any_descriptor(Random& random) {
  const unsigned long mode = random() % 4, start = 16 * (random() % 1024), leading = 16 * (random() % 64),
                      stride = 16 * (random() % 128), base = random() % 4 == 0 ? random() % 8 : 0;
  return start >> 4 | (leading >> 4) << 16 | (stride >> 4) << 32 | base << 49 | mode << 62;
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
        else if (is_descriptor(form, operand))
          pattern = any_descriptor(random);
        else if (operand.name == "stride")  // of a tile: rows lie side by side or apart
          pattern = static_cast<unsigned long>(tile_unit(form) * (1 + random() % 3));
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
    for (std::uint64_t byte = 0; byte < reached(form); ++byte)
      frame.memory[{memory_space(form), base + byte}] = static_cast<std::uint8_t>(random());
  return frame;
}

}  // namespace wedjat::test
