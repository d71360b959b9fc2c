// What a family may say with `control …;`: what the emulator does for instructions that no body describes
// (LANGUAGE.md, Levels).
#pragma once
#include <string_view>

namespace semcc::ir {

inline constexpr std::string_view controls[] = {"branch", "branch_indexed", "call",          "return",
                                                "exit",   "trap",           "breakpoint",    "sleep",
                                                "event",  "stack_save",     "stack_restore", "alloca"};

}  // namespace semcc::ir
