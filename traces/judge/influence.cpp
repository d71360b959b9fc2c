#include "traces/judge/influence.h"

#include <algorithm>
#include <map>
#include <span>
#include <string_view>

#include "emulator/kernel/forms/form.h"

namespace wedjat::traces {
namespace {

// What of the state beside registers it reads and writes: the carry flag.
std::uint32_t effects_of(const wedjat_instruction& at) {
  static const auto effects = [] {
    std::map<std::string_view, std::uint32_t> by_text;
    for (const kernel::Form& form : kernel::all_forms()) by_text[form.text] |= form.effects;
    return by_text;
  }();
  const auto found = effects.find(at.form);
  return found == effects.end() ? 0 : found->second;
}

class Closure {
 public:
  explicit Closure(const wedjat_kernel& kernel)
      : all_(kernel.instructions, kernel.instruction_count),
        needed_(kernel.register_count),
        taken_(kernel.instruction_count) {}

  void grow_from(const wedjat_instruction& store) {
    take(store);
    constexpr std::uint32_t decides = WEDJAT_BRANCH | WEDJAT_RETURN | WEDJAT_EXIT | WEDJAT_TRAP;
    for (const wedjat_instruction& at : all_)
      if ((at.what & decides) != 0) take(at);
    for (bool grows = true; grows;) {
      grows = false;
      for (const wedjat_instruction& at : all_) {
        if (taken_[at.id] || !writes_needed(at)) continue;
        take(at);
        grows = true;
      }
    }
  }
  bool has(const wedjat_instruction& at) const { return taken_[at.id]; }

 private:
  void take(const wedjat_instruction& at) {
    taken_[at.id] = true;
    const auto need = [&](std::uint32_t reg) {
      if (reg != WEDJAT_NO_REGISTER) needed_[reg] = true;
    };
    for (const wedjat_operand& operand : std::span(at.operands, at.operand_count))
      if (operand.in != 0 || operand.kind == WEDJAT_ADDRESS)
        std::ranges::for_each(std::span(operand.registers, operand.count), need);
    need(at.guard_register);
    needs_carry_ = needs_carry_ || (effects_of(at) & kernel::effect::reads_state) != 0;
  }
  bool writes_needed(const wedjat_instruction& at) const {
    if (needs_carry_ && (effects_of(at) & kernel::effect::writes_state) != 0) return true;
    return std::ranges::any_of(std::span(at.operands, at.operand_count), [&](const wedjat_operand& operand) {
      return operand.out != 0 &&
             std::ranges::any_of(std::span(operand.registers, operand.count), [&](std::uint32_t reg) {
               return reg != WEDJAT_NO_REGISTER && needed_[reg];
             });
    });
  }

  std::span<const wedjat_instruction> all_;
  std::vector<bool> needed_;  // registers
  std::vector<bool> taken_;   // instructions
  bool needs_carry_ = false;
};

// What the thread, or others, stored or hold may come out of it: memory that the launch writes, or lanes.
bool takes_what_was_computed(const ThreadLog::Step& step, const Runs& here) {
  const wedjat_instruction& at = *step.at;
  if ((at.what & (WEDJAT_OTHER_LANES | WEDJAT_HAS_PIECES)) != 0) return true;
  return std::ranges::any_of(std::span(at.accesses, at.access_count), [&](const wedjat_access& access) {
    if (access.reads == 0 || access.space == WEDJAT_PARAM || access.space == WEDJAT_CONST) return false;
    return access.space != WEDJAT_GLOBAL ||
           std::ranges::any_of(here, [&](const Run& run) { return step.address - run.address < run.bytes; });
  });
}

}  // namespace

std::vector<const wedjat_instruction*> influences(const ThreadLog& log, const wedjat_instruction& store,
                                                  const Runs& here) {
  const std::span<const wedjat_instruction> all(log.kernel()->instructions, log.kernel()->instruction_count);
  Closure closure(*log.kernel());
  closure.grow_from(store);
  // What a call passes and gives back are no operands of it.
  const bool everything =
      std::ranges::any_of(all, [](const wedjat_instruction& at) { return (at.what & WEDJAT_CALL) != 0; }) ||
      std::ranges::any_of(log.steps(), [&](const ThreadLog::Step& step) {
        return closure.has(*step.at) && takes_what_was_computed(step, here);
      });
  std::vector<const wedjat_instruction*> found;
  for (const wedjat_instruction& at : all)
    if (everything || closure.has(at)) found.push_back(&at);
  return found;
}

}  // namespace wedjat::traces
