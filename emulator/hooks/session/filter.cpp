#include "emulator/hooks/session/filter.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <vector>

#include "emulator/hooks/report/names.h"
#include "emulator/hooks/session/session.h"

namespace wedjat::hooks {
namespace {

constexpr std::size_t most_names = 8;  // for a message

std::uint64_t number(std::string_view text, const std::string& spec) {
  std::uint64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size())
    throw ToolError(fmt::format("--tool {}: '{}' is no number", spec, text));
  return value;
}

Range range(const std::string& text, const std::string& spec) {
  const std::size_t dash = text.find('-');
  Range range;
  range.first = number(text.substr(0, dash), spec);
  range.last = dash == std::string::npos ? range.first : number(text.substr(dash + 1), spec);
  if (range.first > range.last) throw ToolError(fmt::format("--tool {}: '{}' is empty", spec, text));
  return range;
}

}  // namespace

bool Filter::take(const std::string& key, const std::string& value, const std::string& spec) {
  if (key == "kernel")
    kernel_ = kernel_asked_ = value;
  else if (key == "launches")
    launches_ = range(launches_asked_ = value, spec);
  else if (key == "ctas")
    ctas_ = range(ctas_asked_ = value, spec);
  else if (key == "warps")
    warps_ = range(warps_asked_ = value, spec);
  else if (key == "sample")
    sample_ = number(value, spec);
  else
    return false;
  if (!taken_.insert(key).second) throw ToolError(fmt::format("--tool {}: {} is given twice", spec, key));
  if (value.empty()) throw ToolError(fmt::format("--tool {}: {} is empty", spec, key));
  if (sample_ == 0) throw ToolError(fmt::format("--tool {}: sample is 1 or more", spec));
  return true;
}

bool Filter::holds_kernel(const std::string& name) const { return means_kernel(kernel_, name); }

void Filter::saw(const std::string& kernel, std::uint64_t launch, std::uint64_t ctas, std::uint64_t warps) {
  if (passed_ == Passed::warp) return;
  ++seen_launches_;
  if (seen_kernels_.size() < most_names) seen_kernels_.insert(demangled(kernel));
  if (!holds_kernel(kernel)) return;
  passed_ = std::max(passed_, Passed::kernel);
  if (!holds_launch(launch)) return;
  passed_ = std::max(passed_, Passed::launch);
  most_ctas_ = std::max(most_ctas_, ctas);
  if (ctas_.first >= ctas) return;
  passed_ = std::max(passed_, Passed::cta);
  most_warps_ = std::max(most_warps_, warps);
  if (warps_.first < warps) passed_ = Passed::warp;
}

std::string Filter::chose_nothing() const {
  const bool chooses =
      !(kernel_asked_.empty() && launches_asked_.empty() && ctas_asked_.empty() && warps_asked_.empty());
  if (!chooses || passed_ == Passed::warp) return {};
  if (seen_launches_ == 0) return "no kernel was launched";
  switch (passed_) {
    case Passed::nothing:
      return fmt::format("kernel={}: no kernel of that name was launched; these were: {}{}", kernel_asked_,
                         fmt::join(seen_kernels_, ", "), seen_kernels_.size() == most_names ? " …" : "");
    case Passed::kernel:
      return fmt::format("launches={}: none of its kernels was launched then; there were launches 0 to {}",
                         launches_asked_, seen_launches_ - 1);
    case Passed::launch:
      return fmt::format("ctas={}: the launches it watches have CTAs 0 to {}", ctas_asked_, most_ctas_ - 1);
    default:
      return fmt::format("warps={}: the CTAs it watches have warps 0 to {}", warps_asked_, most_warps_ - 1);
  }
}

}  // namespace wedjat::hooks
