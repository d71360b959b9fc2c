// Steps without an executor: what a kernel asks of the system around it.
#include <fmt/format.h>

#include <cstring>

#include "emulator/exec/access/assertion.h"
#include "emulator/exec/cta/report.h"
#include "emulator/exec/cta/special_registers.h"
#include "emulator/exec/warp/device_printf.h"
#include "emulator/exec/warp/rows.h"
#include "emulator/exec/warp/warp.h"

namespace wedjat::exec {

using kernel::SystemOp;

namespace {

DeviceReader reader_of(WarpContext& warp, const kernel::Step& step, int lane) {
  return {[&warp, &step, lane](std::uint64_t address, void* to, std::size_t bytes) {
    std::uint64_t all[lanes];
    std::uintptr_t host[lanes];
    all[lane] = address;
    reach_each(warp, step, kernel::Space::Generic, {all, 1u << lane, static_cast<std::uint32_t>(bytes)},
               Use::read, host);
    std::memcpy(to, reinterpret_cast<const void*>(host[lane]), bytes);
  }};
}

template <class Each>
void each_lane(std::uint32_t mask, Each each) {
  for (; mask != 0; mask &= mask - 1) each(__builtin_ctz(mask));
}

std::string thread_of(const Dim3& block, std::uint32_t number) {
  return fmt::format("[{},{},{}]", number % block.x, number / block.x % block.y, number / block.x / block.y);
}

}  // namespace

void Warp::system(const kernel::Step& step, std::uint32_t mask) {
  const Launch& launch = *cta_.launch;
  switch (static_cast<SystemOp>(step.flags >> 8)) {
    case SystemOp::Refresh:
      return refresh(step, mask);
    case SystemOp::Vprintf:
      return each_lane(mask, [&](int lane) {
        const Formatted out =
            format_device(reader_of(context_, step, lane), operand<std::uint64_t>(step, 1)[lane],
                          operand<std::uint64_t>(step, 2)[lane]);
        if (launch.print) launch.print(out.text);
        operand<std::uint32_t>(step, 0)[lane] = static_cast<std::uint32_t>(out.arguments);
      });
    case SystemOp::AssertFail: {
      std::vector<std::string> told;  // a line a thread, as the driver prints them
      each_lane(mask, [&](int lane) {
        const DeviceReader reader = reader_of(context_, step, lane);
        auto text = [&](int which) { return reader.string(operand<std::uint64_t>(step, which)[lane]); };
        told.push_back(fmt::format(
            "{}:{}: {}: block: [{},{},{}], thread: {} Assertion `{}` failed.", text(1),
            operand<std::uint32_t>(step, 2)[lane], text(3), cta_.ctaid.x, cta_.ctaid.y, cta_.ctaid.z,
            thread_of(launch.block, index_ * lanes + static_cast<std::uint32_t>(lane)), text(0)));
      });
      fail_assertion(context_, step.id, mask, told);
    }
    case SystemOp::Malloc:
      return each_lane(mask, [&](int lane) {
        const std::uint64_t bytes = operand<std::uint64_t>(step, 1)[lane];
        const std::uint64_t address = launch.heap == nullptr ? 0 : launch.heap->allocate(bytes);
        operand<std::uint64_t>(step, 0)[lane] = address;
        if (address != 0 && launch.observer != nullptr) launch.observer->allocates(address, bytes);
      });
    case SystemOp::Free:
      each_lane(mask, [&](int lane) {
        const std::uint64_t address = operand<std::uint64_t>(step, 0)[lane];
        if (address != 0 && (launch.heap == nullptr || !launch.heap->free(address)))
          fail(context_, step.id, 1u << lane, FaultKind::bad_free,
               fmt::format("free({:#x}), but malloc gave no such block; {}", address,
                           launch.memory.describe(address)));
        if (address != 0 && launch.observer != nullptr) launch.observer->frees(address);
      });
      return context_.memory->refresh();
    case SystemOp::Alloca:
      return allocate_local(step, mask);
    case SystemOp::StackSave:
      return each_lane(mask, [&](int lane) { operand<std::uint64_t>(step, 0)[lane] = top_[lane]; });
    case SystemOp::StackRestore:
      return each_lane(mask, [&](int lane) {
        raise_top(static_cast<std::uint32_t>(lane), operand<std::uint64_t>(step, 0)[lane], step.id);
      });
    case SystemOp::Nanosleep: {
      std::uint32_t longest = 0;
      each_lane(mask, [&](int lane) { longest = std::max(longest, operand<std::uint32_t>(step, 0)[lane]); });
      cta_.slept += longest;
      *budget_ = 0;  // others go on
      current().yielded = true;
      return;
    }
    case SystemOp::Breakpoint:
      fail(context_, step.id, mask, FaultKind::breakpoint, "brkpt");
  }
}

void Warp::refresh(const kernel::Step& step, std::uint32_t mask) {
  const std::uint64_t value =
      special_register(static_cast<kernel::SpecialRegister>(step.row[1]), cta_, index_, 0);
  std::byte* const target = context_.rows + step.row[0];
  const std::uint32_t bytes = step.row[2];
  each_lane(mask,
            [&](int lane) { std::memcpy(target + static_cast<std::uint32_t>(lane) * bytes, &value, bytes); });
}

void Warp::allocate_local(const kernel::Step& step, std::uint32_t mask) {
  // Frames begin at multiples of 16, so the top stays one.
  const std::uint64_t alignment = std::max<std::uint64_t>(16, step.row[2]);
  each_lane(mask, [&](int lane) {
    const std::uint64_t at = (top_[lane] + alignment - 1) / alignment * alignment;
    const std::uint64_t bytes = operand<std::uint64_t>(step, 1)[lane];
    if (bytes > local_.bytes) raise_top(static_cast<std::uint32_t>(lane), bytes, step.id);
    raise_top(static_cast<std::uint32_t>(lane), at + (bytes + 15) / 16 * 16, step.id);
    operand<std::uint64_t>(step, 0)[lane] = at;
  });
}

}  // namespace wedjat::exec
