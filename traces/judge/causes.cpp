#include "traces/judge/causes.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <set>

#include "emulator/fidelity/fidelity_tool.h"
#include "emulator/hooks/hooks.h"
#include "emulator/hooks/wanted.h"
#include "emulator/kernel/forms/form_table.h"
#include "emulator/kernel/forms/traits.h"
#include "emulator/kernel/ptxas/contraction_rules.h"

namespace wedjat::traces {
namespace {

constexpr std::uint32_t shuffles = 4;

// The byte at the address, where it is held.
std::optional<std::byte> byte_at(const Runs& runs, std::uint64_t address) {
  for (const Run& run : runs)
    if (address - run.address < run.bytes) return run.pattern[(address - run.address) % run.pattern.size()];
  return {};
}

// A format of floats, by the bits of a NaN's exponent.
struct Format {
  std::size_t digits;  // hexadecimal ones, of a number
  std::uint64_t exponent, sign;
};
constexpr Format formats[] = {{16, 0x7ff0000000000000u, std::uint64_t{1} << 63},
                              {8, 0x7f800000u, 0x80000000u},
                              {4, 0x7c00u, 0x8000u},   // f16
                              {4, 0x7f80u, 0x8000u}};  // bf16

std::optional<std::uint64_t> number_of(std::string_view digits) {
  std::uint64_t bits = 0;
  const auto parsed = std::from_chars(digits.data(), digits.data() + digits.size(), bits, 16);
  if (parsed.ec != std::errc() || parsed.ptr != digits.data() + digits.size()) return {};
  return bits;
}

// Whether two stores, as numbers of as many hexadecimal digits, differ in NaNs only: of the size of the
// store, or smaller ones beside each other, as packed halves are.
bool nans_alone(std::string_view a, std::string_view b) {
  a.remove_prefix(2);
  b.remove_prefix(2);
  return a.size() == b.size() && std::ranges::any_of(formats, [&](const Format& format) {
           if (a.size() < format.digits || a.size() % format.digits != 0) return false;
           const auto is_nan = [&](std::string_view digits) {
             const auto bits = number_of(digits);
             return bits && (*bits & ~format.sign) > format.exponent;
           };
           for (std::size_t at = 0; at < a.size(); at += format.digits) {
             const std::string_view mine = a.substr(at, format.digits), other = b.substr(at, format.digits);
             if (mine != other && !(is_nan(mine) && is_nan(other))) return false;
           }
           return true;
         });
}

}  // namespace

std::vector<Evidence> findings_of(const LaunchRunner& runner) {
  std::vector<Evidence> to;
  hooks::Hooks hooks;
  hooks::add_wanted(hooks, {{"race_check", "memory_check", "sync_check"}, false, {}});
  try {
    runner.run(hooks);
  } catch (const std::exception& error) {
    to.push_back({"failure", fmt::format("watched by the checkers, the kernel fails: {}", error.what())});
  }
  std::set<std::string> told;
  for (const hooks::Report& report : hooks.finish()) {
    for (const hooks::Finding& finding : report.findings) {
      // What is of no instruction (memory that is never freed) says nothing of a value.
      if (finding.severity == "info" || finding.ptx_line == 0 || !told.insert(finding.kind).second) continue;
      to.push_back({finding.kind, fmt::format("{}: '{}', line {} of the PTX, CTA {} thread {}: {}",
                                              report.tool, finding.instruction, finding.ptx_line, finding.cta,
                                              finding.thread, finding.message)});
    }
    if (!report.detached.empty())
      to.push_back({"checker", fmt::format("{} did not come to its end: {}", report.tool, report.detached),
                    Judged::unknown});
  }
  return to;
}

std::vector<Inexact> inexact_of(const LaunchRunner& runner) {
  std::vector<Inexact> all;
  hooks::Hooks hooks;
  hooks.add(fidelity::fidelity_tool());
  runner.run(hooks);
  for (const hooks::Report& report : hooks.finish())
    for (const hooks::Table& table : report.tables)
      for (std::size_t row = 0; row < table.rows() && table.columns.size() > 2; ++row) {
        const auto* const form = std::get_if<std::string>(&table.cells[row * table.columns.size() + 1]);
        const auto* const status = std::get_if<std::string>(&table.cells[row * table.columns.size() + 2]);
        if (form != nullptr && status != nullptr) all.push_back({*form, *status});
      }
  return all;
}

void add_choices(LaunchRunner& runner, const Runs& hardware, std::uint64_t address,
                 std::vector<Evidence>& to) {
  const auto ours = byte_at(runner.left(), address);
  const auto changes = [&](const LaunchRunner::Choice& choice) {
    const std::optional<Runs>& left = runner.left(choice);
    return !left || byte_at(*left, address) != ours;  // or it even fails
  };
  for (std::uint32_t shuffle = 0; shuffle <= shuffles; ++shuffle) {
    if (!changes({.shuffle = shuffle, .side_by_side = shuffle == 0})) continue;
    to.push_back({"order of threads",
                  shuffle == 0 ? "the value is another one when warps advance side by side"
                               : fmt::format("the value is another one in another order of warps and CTAs "
                                             "(--shuffle {})",
                                             shuffle)});
    break;
  }
  if (changes({.unwritten = std::byte{0xa5}}))
    to.push_back({"unwritten memory",
                  "the value changes with what shared, local or heap memory holds that nobody wrote"});
  const std::optional<Runs>& other = runner.left({.other_contract = true});
  const char* const setting = runner.contracts() ? "none" : "ptxas";
  if (other && byte_at(*other, address) == byte_at(hardware, address))
    to.push_back(
        {"contraction", fmt::format("with --contract={} this is the hardware's value; {} bytes differ "
                                    "in all: products and sums may be fused or not (-fmad)",
                                    setting, compare_runs("hardware", hardware, *other).differing)});
}

namespace {

// Calls `each` for the rows of the form table with one of these texts, until it says true.
template <class Each>
bool any_row(const std::vector<std::string>& forms, const Each& each) {
  const kernel::FormTable& table = kernel::FormTable::generated();
  return std::ranges::any_of(forms, [&](const std::string& text) {
    return std::ranges::any_of(table.of_opcode(text.substr(0, text.find('.'))),
                               [&](const kernel::Form& form) { return form.text == text && each(form); });
  });
}

// The first that ptxas takes and the manual does not have; or empty.
std::string_view undocumented(const std::vector<std::string>& forms) {
  std::string_view found;
  any_row(forms, [&](const kernel::Form& form) {
    if (kernel::traits_of(form).has(kernel::trait::undocumented)) found = form.text;
    return !found.empty();
  });
  return found;
}

// Whether a product and a sum are among them that ptxas may make one instruction.
bool may_be_fused(const std::vector<std::string>& forms) {
  using Kind = kernel::ContractionRules::Kind;
  const kernel::ContractionRules& rules = kernel::ContractionRules::generated();
  bool product = false, sum = false;
  return any_row(forms, [&](const kernel::Form& form) {
    const Kind kind = rules.kind(&form);
    product |= kind == Kind::product;
    sum |= kind == Kind::sum || kind == Kind::difference;
    return product && sum;
  });
}

}  // namespace

void add_limits(const FirstFault& fault, const std::vector<std::string>& forms,
                const std::vector<Inexact>& inexact, const std::set<std::string>& by_zero,
                std::vector<Evidence>& to) {
  if (!fault.approximate.empty())
    to.push_back({"approximation", fmt::format("{}: how near its result is the manual bounds, and no more",
                                               fault.approximate)});
  for (const std::string& form : by_zero)
    if (std::ranges::find(forms, form) != forms.end())
      to.push_back(
          {"division by zero",
           fmt::format("{} divides by zero: what that gives the manual leaves to the machine", form)});
  if (fault.floats && nans_alone(fault.hardware, fault.here))
    to.push_back({"NaN payload", fmt::format("{} and {} differ in NaNs alone: which ones PTX does not say",
                                             fault.hardware, fault.here)});
  if (may_be_fused(forms) &&
      std::ranges::none_of(to, [](const Evidence& one) { return one.cause == "contraction"; }))
    to.push_back(
        {"contraction",
         "products and sums that do not say how they round may be fused, each by itself: not all ways "
         "were tried",
         Judged::unknown});
  if (const std::string_view form = undocumented(forms); !form.empty())
    to.push_back({"undocumented",
                  fmt::format("{}: ptxas takes it and the PTX manual does not have it, so nobody says what "
                              "it should compute",
                              form),
                  Judged::unknown});
  if (fault.slice.empty())
    to.push_back({"slice", "the thread executes too much to be followed", Judged::unknown});
  for (const auto& [form, status] : inexact)
    if (std::ranges::find(forms, form) != forms.end())
      to.push_back({"not measured",
                    fmt::format("{} is {}: this emulator may be wrong about it", form, status),
                    Judged::unknown});
}

}  // namespace wedjat::traces
