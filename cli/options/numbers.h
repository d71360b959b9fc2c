// Numbers as options take them. What CLI11 itself makes of a sign or of too many digits is another number.
#pragma once
#include <CLI/CLI.hpp>
#include <cstdint>
#include <cstdlib>
#include <string>

#include "interposer/record/sizes.h"

namespace wedjat::cli {

inline const CLI::Validator whole_numbers{[](std::string& text) -> std::string {
                                            if (whole_number(text)) return {};
                                            return "'" + text + "' is no whole number from 0 to 2^64 - 1";
                                          },
                                          ""};

inline const CLI::Range word_numbers{std::uint32_t{0}, ~std::uint32_t{0}};

inline const CLI::Validator above_zero{[](std::string& text) -> std::string {
                                         char* end = nullptr;
                                         const double number = std::strtod(text.c_str(), &end);
                                         if (*end == 0 && number > 0) return {};
                                         return "'" + text + "' is no number above 0";
                                       },
                                       ""};

}  // namespace wedjat::cli
