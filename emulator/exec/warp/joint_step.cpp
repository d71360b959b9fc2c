#include "emulator/exec/warp/joint_step.h"

#include <cstring>

#include "emulator/kernel/forms/form.h"

namespace wedjat::exec {

namespace {

// Elements of `bytes` each; of a predicate (0) bits.
void copy_lanes(std::byte* to, const std::byte* from, std::size_t bytes, std::uint32_t mask) {
  if (bytes == 0) {
    std::uint32_t old, given;
    std::memcpy(&old, to, sizeof old);
    std::memcpy(&given, from, sizeof given);
    old = (old & ~mask) | (given & mask);
    std::memcpy(to, &old, sizeof old);
    return;
  }
  for (; mask != 0; mask &= mask - 1) {
    const std::size_t at = static_cast<std::size_t>(__builtin_ctz(mask)) * bytes;
    std::memcpy(to + at, from + at, bytes);
  }
}

}  // namespace

JointStep::JointStep(const kernel::Step& step) : step_(step) {
  for (std::size_t i = 0; i < most_rows; ++i) offsets_[i] = static_cast<std::uint32_t>(i * row_bytes);
  step_.row = offsets_.data();
  rows_.fill(std::byte{0});
}

// visit(index of the row, bytes of an element, whether it is written)
template <class Visit>
void JointStep::each_row(Visit visit) const {
  std::size_t row = 0;
  for (int i = 0; i < step_.form->operands; ++i) {
    const kernel::OperandSpec& operand = step_.form->operand[i];
    const std::size_t bytes = operand.value == kernel::ValueKind::Pred ? 0 : operand.bits / 8u;
    for (unsigned e = 0; e < operand.count; ++e) visit(row++, bytes, operand.out);
  }
}

void JointStep::gather(const std::byte* rows, const kernel::Step& step, std::uint32_t mask) {
  each_row([&](std::size_t row, std::size_t bytes, bool) {
    copy_lanes(rows_.data() + offsets_[row], rows + step.row[row], bytes, mask);
  });
}

void JointStep::execute(WarpContext& warp, std::uint32_t mask) {
  std::byte* const own = warp.rows;
  warp.rows = rows_.data();
  (mask == all_lanes ? step_.full : step_.masked)(warp, step_, mask);
  warp.rows = own;
}

void JointStep::scatter(std::byte* rows, const kernel::Step& step, std::uint32_t mask) const {
  each_row([&](std::size_t row, std::size_t bytes, bool is_written) {
    if (is_written) copy_lanes(rows + step.row[row], rows_.data() + offsets_[row], bytes, mask);
  });
}

}  // namespace wedjat::exec
