#include "traces/explain/thread_log.h"

#include <algorithm>
#include <cstring>
#include <set>
#include <span>

#include "traces/order/attach.h"

namespace wedjat::traces {
namespace {

class Watcher : public Tool {
 public:
  void kernel(const wedjat_kernel& kernel) override {
    for (const wedjat_instruction& i : instructions(kernel))
      after<&Watcher::executed>(
          i, (i.what & WEDJAT_HAS_ROWS) != 0 ? WEDJAT_ROWS | WEDJAT_ADDRESSES : WEDJAT_MASKS);
  }
  bool launch_begin(const wedjat_launch& launch) override {
    if (!log_.wants(launch.index)) return false;
    log_.begin(*launch.kernel);
    return true;
  }

 private:
  void executed(const wedjat::Event& event) {
    if (!log_.wants(event.cta, event.warp) || (event.executed >> log_.lane() & 1) == 0) return;
    ThreadLog::Step step{.at = event.instruction};
    for (const wedjat_operand& operand : operands(*event.instruction)) {
      if (!operand.out || event.rows == nullptr || event.row_count == 0 ||
          event.rows[operand.first] == nullptr)
        continue;
      const auto* row = static_cast<const std::byte*>(event.rows[operand.first]);
      if (operand.bits < 8) {
        std::uint32_t mask = 0;
        std::memcpy(&mask, row, sizeof mask);
        step.result = mask >> log_.lane() & 1;
      } else {
        const std::size_t bytes = operand.bits / 8;
        std::memcpy(&step.result, row + bytes * log_.lane(), std::min(bytes, sizeof step.result));
      }
      step.has_result = true;
      break;
    }
    if (event.addresses != nullptr && event.instruction->access_count != 0)
      step.address = event.addresses[0][log_.lane()];
    log_.add(step);
  }

  ThreadLog& log_ = *attaching<ThreadLog>;
};

using Registers = std::set<std::uint32_t>;  // by number: functions have names of their own

void add_registers(const wedjat_operand& operand, Registers& to) {
  for (const std::uint32_t reg : std::span(operand.registers, operand.count))
    if (reg != WEDJAT_NO_REGISTER) to.insert(reg);
}

Registers read_by(const wedjat_instruction& at) {
  Registers all;
  for (const wedjat_operand& operand : operands(at))
    if (operand.in || operand.kind == WEDJAT_ADDRESS) add_registers(operand, all);
  if (at.guard_register != WEDJAT_NO_REGISTER) all.insert(at.guard_register);
  return all;
}

Registers written_by(const wedjat_instruction& at) {
  Registers all;
  for (const wedjat_operand& operand : operands(at))
    if (operand.out && operand.kind != WEDJAT_ADDRESS) add_registers(operand, all);
  return all;
}

}  // namespace

ThreadLog::ThreadLog(std::uint64_t launch, std::uint64_t cta, std::uint32_t thread)
    : launch_(launch), cta_(cta), thread_(thread) {}

void ThreadLog::attach(hooks::Hooks& hooks) {
  attach_tool<Watcher>(hooks, *this, "thread_log", "what one thread executes");
}

std::vector<const ThreadLog::Step*> ThreadLog::producers(const wedjat_instruction& store) const {
  const auto last =
      std::find_if(steps_.rbegin(), steps_.rend(), [&](const Step& s) { return s.at->id == store.id; });
  if (last == steps_.rend()) return {};
  std::vector<const Step*> found = {&*last};
  Registers needed;
  for (const wedjat_operand& operand : operands(store))
    if (operand.kind != WEDJAT_ADDRESS && operand.in) add_registers(operand, needed);
  for (auto step = std::next(last); step != steps_.rend() && !needed.empty(); ++step) {
    const Registers written = written_by(*step->at);
    if (std::ranges::none_of(written, [&](std::uint32_t reg) { return needed.contains(reg); })) continue;
    found.push_back(&*step);
    // A guarded write leaves lanes as they were, but this lane was written.
    for (const std::uint32_t reg : written) needed.erase(reg);
    // What a load's address was computed from says nothing of the value.
    if ((step->at->what & (WEDJAT_LOAD | WEDJAT_ATOMIC)) == 0) needed.merge(read_by(*step->at));
  }
  std::ranges::reverse(found);
  return found;
}

}  // namespace wedjat::traces
