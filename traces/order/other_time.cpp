#include "traces/order/other_time.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <span>

#include "emulator/hooks/hooks.h"
#include "emulator/kernel/lowered/special_registers.h"
#include "traces/order/attach.h"

namespace wedjat::traces {
namespace {

bool shows_time(const wedjat_operand& operand) {
  const kernel::SpecialName* const special = kernel::special_register_named(operand.text);
  return special != nullptr && !special->is_constant && kernel::changes_while_running(special->which);
}

// Time runs on, but from another beginning and faster.
template <class Word>
Word other_time(Word time) {
  return time / 2 * 5 + 100003;
}

class OtherTime : public Tool {
 public:
  void kernel(const wedjat_kernel& kernel) override {
    for (const wedjat_instruction& at : instructions(kernel)) {
      const std::span operands(at.operands, at.operand_count);
      if (operands.empty() || !operands[0].out || (at.what & WEDJAT_HAS_ROWS) == 0) continue;
      if (!std::ranges::any_of(operands, shows_time)) continue;
      after<&OtherTime::has_read>(at, WEDJAT_ROWS);
      readers_.push_back(
          {kernel.name, fmt::format("'{}' at {}:{} of {} reads a time that is another in every run", at.text,
                                    kernel.ptx_file, at.ptx_line, kernel.name)});
    }
  }

 private:
  void has_read(const wedjat::Event& event) {
    const wedjat_operand& to = event.instruction->operands[0];
    each_lane(event.executed, [&](unsigned lane) {
      if (to.bits == 64)
        row<std::uint64_t>(event, 0, 0)[lane] = other_time(row<std::uint64_t>(event, 0, 0)[lane]);
      if (to.bits == 32)
        row<std::uint32_t>(event, 0, 0)[lane] = other_time(row<std::uint32_t>(event, 0, 0)[lane]);
    });
  }

  std::vector<Cause>& readers_ = *attaching<std::vector<Cause>>;
};

}  // namespace

void let_time_differ(hooks::Hooks& hooks, std::vector<Cause>& readers) {
  attach_tool<OtherTime>(hooks, readers, "other_time", "clocks and timers show another time", WEDJAT_MUTATES);
}

}  // namespace wedjat::traces
