#include "emulator/kernel/ptxas/literal_functions.h"

#include <bit>

#include "emulator/kernel/forms/compute.h"
#include "emulator/kernel/forms/instruction_lists.h"
#include "emulator/kernel/forms/profile_rows.h"

namespace wedjat::kernel {
namespace {

// So many bits that rounding them once more, to f32, is as good as rounding the exact result.
constexpr mpfr_prec_t precision = 160;

}  // namespace

const LiteralFunctions& LiteralFunctions::generated() {
  static const LiteralFunctions functions;
  return functions;
}

LiteralFunctions::LiteralFunctions() {
  for (const LiteralFunction& row : profile_rows<LiteralFunction>()) steps_[row.function] = {row.exact};
  for (const LiteralFunctionInDouble& row : profile_rows<LiteralFunctionInDouble>())
    steps_[row.function] = {row.widen, row.first, row.second, row.narrow};
  add("literal_power_of_2", mpfr_exp2);
  add("literal_logarithm", mpfr_log2);
  add("literal_sine", mpfr_sin);
  add("literal_cosine", mpfr_cos);
}

void LiteralFunctions::add(const char* list, Exact function) {
  for (const Form* form : instructions(list)) exact_.emplace(form, function);
}

std::uint32_t LiteralFunctions::of(const Form* form, std::uint32_t x) const {
  if (const auto steps = steps_.find(form); steps != steps_.end()) {
    std::uint64_t value = x;
    for (const Form* step : steps->second) value = compute(*step, {{value}});
    return static_cast<std::uint32_t>(value);
  }
  mpfr_t value;
  mpfr_init2(value, precision);
  mpfr_set_flt(value, std::bit_cast<float>(x), MPFR_RNDN);
  exact_.at(form)(value, value, MPFR_RNDN);
  const float result = mpfr_get_flt(value, MPFR_RNDN);
  mpfr_clear(value);
  return std::bit_cast<std::uint32_t>(result);
}

}  // namespace wedjat::kernel
