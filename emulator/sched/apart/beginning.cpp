// What registers hold before a kernel's first step.
#include <cstring>

#include "emulator/kernel/lowered/special_registers.h"
#include "emulator/sched/apart/steps.h"

namespace wedjat::sched::apart {

namespace {

using kernel::RowFill;
using kernel::SpecialRegister;

// In the order of the symbols: of the CTA, then of the thread.
constexpr SpecialRegister indices[] = {SpecialRegister::ctaid_x, SpecialRegister::ctaid_y,
                                       SpecialRegister::ctaid_z, SpecialRegister::tid_x,
                                       SpecialRegister::tid_y,   SpecialRegister::tid_z};

Known special(const exec::Launch& launch, std::uint64_t number, unsigned bytes) {
  const auto which = static_cast<SpecialRegister>(number);
  for (std::size_t s = 0; s < std::size(indices); ++s)
    if (which == indices[s]) return Value{Linear::of(static_cast<std::uint8_t>(s)), 0};
  switch (which) {
    case SpecialRegister::ntid_x:
      return constant(launch.block.x);
    case SpecialRegister::ntid_y:
      return constant(launch.block.y);
    case SpecialRegister::ntid_z:
      return constant(launch.block.z);
    case SpecialRegister::nctaid_x:
      return constant(launch.grid.x);
    case SpecialRegister::nctaid_y:
      return constant(launch.grid.y);
    case SpecialRegister::nctaid_z:
      return constant(launch.grid.z);
    case SpecialRegister::laneid:
      return in({0, 31});
    default:
      return bytes <= 4 ? Known(in(Reading{8 * bytes}.range())) : anything;
  }
}

Known number_of(const exec::Launch& launch, const RowFill& fill) {
  std::uint64_t number = fill.value;
  switch (fill.source) {
    case RowFill::Source::Parameter:
      number = 0;
      if (fill.value + fill.element_bytes > launch.parameters.size()) return anything;
      std::memcpy(&number, launch.parameters.data() + fill.value, fill.element_bytes);
      [[fallthrough]];
    case RowFill::Source::Constant:
    case RowFill::Source::Initial:
      return constant_of(number, 8 * fill.element_bytes);
    case RowFill::Source::Special:
      return special(launch, fill.value, fill.element_bytes);
    default:
      return anything;
  }
}

}  // namespace

State Steps::at_beginning() {
  const auto add = [&](Symbol::Kind kind, const exec::Dim3& shape) {
    for (const std::uint32_t count : {shape.x, shape.y, shape.z}) symbols_.push_back({kind, Wide{count} - 1});
  };
  add(Symbol::Kind::cta, launch_.grid);
  add(Symbol::Kind::thread, launch_.block);
  const kernel::Function& function = launch_.kernel.functions.front();
  State state(function.frame_bytes);
  for (const RowFill& fill : function.fills)
    if (fill.element_bytes != 0 && fill.element_bytes <= 8)
      state.set(fill.row, fill.element_bytes, number_of(launch_, fill));
  return state;
}

}  // namespace wedjat::sched::apart
