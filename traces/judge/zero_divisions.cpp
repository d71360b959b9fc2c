#include "traces/judge/zero_divisions.h"

#include <algorithm>
#include <cstring>
#include <string_view>

#include "emulator/hooks/hooks.h"
#include "emulator/kernel/forms/form_table.h"
#include "emulator/kernel/forms/traits.h"
#include "traces/order/attach.h"

namespace wedjat::traces {
namespace {

bool divides(std::string_view text) {
  const auto rows = kernel::FormTable::generated().of_opcode(text.substr(0, text.find('.')));
  const auto found = std::ranges::find(rows, text, &kernel::Form::text);
  return found != rows.end() && kernel::traits_of(*found).has(kernel::trait::divides);
}

class DivisionWatcher : public Tool {
 public:
  void kernel(const wedjat_kernel& kernel) override {
    for (const wedjat_instruction& at : instructions(kernel))
      if (divides(at.form)) before<&DivisionWatcher::on_division>(at, WEDJAT_ROWS);
  }

 private:
  void on_division(const wedjat::Event& event) {
    const wedjat_operand& divisor = event.instruction->operands[2];
    const std::size_t bytes = divisor.bits / 8;
    const auto* const row = static_cast<const std::byte*>(event.rows[divisor.first]);
    wedjat::each_lane(event.executed, [&](unsigned lane) {
      std::uint64_t value = 0;
      std::memcpy(&value, row + bytes * lane, bytes);
      if (value == 0) found_.emplace(event.instruction->form);
    });
  }

  std::set<std::string>& found_ = *attaching<std::set<std::string>>;
};

}  // namespace

std::set<std::string> zero_divisions_of(const LaunchRunner& runner) {
  std::set<std::string> found;
  hooks::Hooks hooks;
  attach_tool<DivisionWatcher>(hooks, found, "zero_divisions", "integer divisions by zero");
  runner.run(hooks);
  hooks.finish();
  return found;
}

}  // namespace wedjat::traces
