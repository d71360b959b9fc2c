// Which lane each lane reads in an exchange: its executor run on numbers of lanes.
#include <algorithm>
#include <array>
#include <cstring>
#include <vector>

#include "emulator/exec/access/context.h"
#include "emulator/hooks/running/running.h"

namespace wedjat::hooks {
namespace {

constexpr std::size_t lane_row_bytes = 256;  // of 32 lanes of the largest register

// Rows of one instruction alone.
struct alignas(64) Frame {
  std::array<std::byte, 16 * lane_row_bytes> bytes;
  std::array<std::uint32_t, 16> row;

  Frame() : bytes{} {
    for (std::size_t i = 0; i < row.size(); ++i) row[i] = static_cast<std::uint32_t>(i * lane_row_bytes);
  }
  std::byte* at(std::size_t i) { return &bytes[row[i]]; }
};

const wedjat_operand* first_that(const wedjat_instruction& of, std::uint8_t wedjat_operand::*has) {
  const wedjat_operand* const end = of.operands + of.operand_count;
  const auto* const found =
      std::find_if(of.operands, end, [&](const wedjat_operand& o) { return o.*has != 0; });
  return found == end ? nullptr : found;
}

}  // namespace

int lanes_read(const wedjat_event* event, std::uint32_t* lanes) {
  if (event == nullptr || lanes == nullptr || event->rows == nullptr || event->instruction == nullptr ||
      event->context == nullptr || event->context->step == nullptr)
    return -1;
  const wedjat_instruction& what = *event->instruction;
  const wedjat_operand* const read = first_that(what, &wedjat_operand::in);
  const wedjat_operand* const to = first_that(what, &wedjat_operand::out);
  Frame frame;
  if (what.operation != WEDJAT_EXCHANGE || read == nullptr || to == nullptr ||
      event->row_count > frame.row.size())
    return -1;
  for (std::uint32_t i = 0; i < what.operand_count; ++i) {
    const wedjat_operand& operand = what.operands[i];
    if (operand.in && event->rows[operand.first] != nullptr)
      std::memcpy(frame.at(operand.first), event->rows[operand.first],
                  operand.bits == 1 ? sizeof(std::uint32_t) : std::size_t{operand.bits / 8u} * 32);
  }
  for (std::uint32_t lane = 0; lane < 32; ++lane)
    std::memcpy(frame.at(read->first) + sizeof lane * lane, &lane, sizeof lane);
  kernel::Step step = *event->context->step;
  step.row = frame.row.data();
  exec::WarpContext warp = *event->context->warp;
  warp.rows = frame.bytes.data();
  step.form->full(warp, step, exec::all_lanes);
  std::memcpy(lanes, frame.at(to->first), 32 * sizeof *lanes);
  return 0;
}

}  // namespace wedjat::hooks
