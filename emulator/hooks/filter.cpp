#include "emulator/hooks/filter.h"

#include <fmt/format.h>

#include <charconv>

#include "emulator/hooks/session.h"

namespace wedjat::hooks {
namespace {

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
    kernel_ = value;
  else if (key == "launches")
    launches_ = range(value, spec);
  else if (key == "ctas")
    ctas_ = range(value, spec);
  else if (key == "warps")
    warps_ = range(value, spec);
  else if (key == "sample")
    sample_ = number(value, spec);
  else
    return false;
  if (sample_ == 0) throw ToolError(fmt::format("--tool {}: sample is 1 or more", spec));
  return true;
}

bool Filter::holds_kernel(std::string_view name) const { return matches(kernel_, name); }

}  // namespace wedjat::hooks
