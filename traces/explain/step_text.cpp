#include "traces/explain/step_text.h"

#include <fmt/format.h>

#include <bit>
#include <cstdint>
#include <span>

namespace wedjat::traces {

std::string result_text(const ThreadLog::Step& step) {
  if (!step.has_result) return {};
  for (const wedjat_operand& operand : std::span(step.at->operands, step.at->operand_count)) {
    if (!operand.out) continue;
    if (operand.bits < 8) return step.result != 0 ? "true" : "false";
    const bool is_float = operand.value == WEDJAT_FLOAT && operand.parts == 1;
    if (operand.bits == 32 && is_float)
      return fmt::format("{:.9g} ({:#010x})", std::bit_cast<float>(static_cast<std::uint32_t>(step.result)),
                         step.result & 0xffffffffu);
    if (operand.bits == 64 && is_float)
      return fmt::format("{:.17g} ({:#018x})", std::bit_cast<double>(step.result), step.result);
    return fmt::format("{:#x}", step.result);
  }
  return {};
}

std::string_view remark(const wedjat_instruction& at) {
  if ((at.what & WEDJAT_APPROXIMATE) != 0) return "approximate";
  if ((at.what & WEDJAT_CONTRACTED) == 0) return {};
  return at.operation == WEDJAT_PRODUCT ? "may be contracted into a sum" : "may be contracted with a product";
}

}  // namespace wedjat::traces
