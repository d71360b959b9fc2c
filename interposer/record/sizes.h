// Numbers of bytes as options take them. What CLI11 itself makes of a sign or of too many digits is another
// number.
#pragma once
#include <CLI/CLI.hpp>
#include <charconv>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace wedjat {

/// The number that the digits are, decimal or 0x…; none if they are no number below 2^64.
inline std::optional<std::uint64_t> whole_number(std::string_view digits) {
  const bool hexadecimal = digits.starts_with("0x") || digits.starts_with("0X");
  if (hexadecimal) digits.remove_prefix(2);
  std::uint64_t number = 0;
  const auto [end, error] =
      std::from_chars(digits.data(), digits.data() + digits.size(), number, hexadecimal ? 16 : 10);
  if (error != std::errc() || end != digits.data() + digits.size()) return std::nullopt;
  return number;
}

/// Bytes, perhaps with a unit: 8GB, 100 MiB.
inline const CLI::Validator sizes{[](std::string& text) -> std::string {
                                    const std::string digits =
                                        text.substr(0, text.find_first_not_of("0123456789"));
                                    if (!whole_number(digits)) return "'" + text + "' is no number of bytes";
                                    return CLI::AsSizeValue(false)(text);
                                  },
                                  "SIZE [b, kb(=1024b), ...]"};

}  // namespace wedjat
