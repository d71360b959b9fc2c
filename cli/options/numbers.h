// Numbers as options take them. What CLI11 itself makes of a sign or of too many digits is another number.
#pragma once
#include <CLI/CLI.hpp>
#include <charconv>
#include <cstdint>
#include <cstdlib>
#include <optional>
#include <string>
#include <string_view>

namespace wedjat::cli {

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

inline const CLI::Validator whole_numbers{[](std::string& text) -> std::string {
                                            if (whole_number(text)) return {};
                                            return "'" + text + "' is no whole number from 0 to 2^64 - 1";
                                          },
                                          ""};

inline const CLI::Range word_numbers{std::uint32_t{0}, ~std::uint32_t{0}};

/// Bytes, perhaps with a unit: 8GB, 100 MiB.
inline const CLI::Validator sizes{[](std::string& text) -> std::string {
                                    const std::string digits =
                                        text.substr(0, text.find_first_not_of("0123456789"));
                                    if (!whole_number(digits)) return "'" + text + "' is no number of bytes";
                                    return CLI::AsSizeValue(false)(text);
                                  },
                                  "SIZE [b, kb(=1024b), ...]"};

inline const CLI::Validator above_zero{[](std::string& text) -> std::string {
                                         char* end = nullptr;
                                         const double number = std::strtod(text.c_str(), &end);
                                         if (*end == 0 && number > 0) return {};
                                         return "'" + text + "' is no number above 0";
                                       },
                                       ""};

}  // namespace wedjat::cli
