// What a family may say of its forms with `trait …;`, where no body shows it (LANGUAGE.md, Traits).
#pragma once
#include <string_view>

namespace semcc::ir {

inline constexpr std::string_view traits[] = {
    "address",      // the result is another address of the same place
    "braces",       // a scalar may be written {a}
    "elements",     // an operand may be an element of a variable, `a[2]`: its address
    "same_object",  // the result points into the variable that the first input points into
    "variables",    // a register operand may be the name of a variable: its address
};

}  // namespace semcc::ir
