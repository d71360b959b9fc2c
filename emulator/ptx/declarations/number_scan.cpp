// The fast way through `{1, 2, -3, ...}`: nvcc writes tables of hundreds of kilobytes.
#include <algorithm>
#include <cctype>

#include "emulator/ptx/declarations/initializer.h"

namespace wedjat::ptx {
namespace {

constexpr bool is_space(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }
constexpr bool is_number_character(char c) {
  return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '.';
}

}  // namespace

/// Fills a one-dimensional variable from integer or float literals with an optional minus. False, with data
/// in any state, if anything else stands there: errors and all other shapes are left to the grammar.
bool Initializer::scan_numbers(std::size_t begin, std::size_t end) {
  if (levels() != 1 || is_opaque(variable_.type)) return false;
  const std::string_view text = source_.text().substr(begin, end - begin);
  const unsigned size = size_of(variable_.type);
  const auto commas = static_cast<std::uint64_t>(std::count(text.begin(), text.end(), ','));
  if (!variable_.is_unsized() && commas >= count_at(0)) return false;
  variable_.data.reserve((commas + 1) * size);
  std::uint64_t count = 0;
  std::size_t at = 0;
  const auto skip_spaces = [&] {
    while (at < text.size() && is_space(text[at])) ++at;
  };
  for (;;) {
    skip_spaces();
    const bool is_negative = at < text.size() && text[at] == '-';
    if (is_negative) ++at;
    const std::size_t first = at;
    while (at < text.size() && is_number_character(text[at])) ++at;
    auto constant = parse_literal(text.substr(first, at - first));
    skip_spaces();
    const bool is_last = at == text.size();
    if (!constant || (!is_last && text[at] != ',')) return false;
    if (is_negative && apply_prefix('-', *constant) != Outcome::fine) return false;
    store_constant(*constant, count++ * size, begin + first);
    if (is_last) break;
    ++at;
  }
  settle_open_extent(count, begin);
  return true;
}

}  // namespace wedjat::ptx
