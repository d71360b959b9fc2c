// What a family may say of its forms with `trait …;`, where no body shows it (LANGUAGE.md, Traits).
#pragma once
#include <string_view>

namespace semcc::ir {

inline constexpr std::string_view traits[] = {
    "address",       // the result is another address of the same place
    "approximate",   // the result is near the exact one: how near the target says
    "arrives",       // at an mbarrier
    "asynchronous",  // what it does to memory may happen later
    "braces",        // a scalar may be written {a}
    "bulk_copies",   // a group, see `groups`
    "commits",       // closes a group
    "copies",        // a group
    "divides",       // integers, the first input by the second: by zero the machine gives what it wants
    "elements",      // an operand may be an element of a variable, `a[2]`: its address
    "group_fence",   // what stands before it is done when those of its group begin that stand behind it
    "mbarrier",      // counts in the phase of an mbarrier, whose address comes first
    "products",      // a group
    "proxy_fence",   // orders what threads and asynchronous instructions do to memory
    "read_only",     // what it reads nobody writes while the kernel runs
    "reduction",     // where nobody uses its result, it has none, and its order among others is open
    "relaxed",       // arrives or waits without releasing or acquiring
    "same_object",   // the result points into the variable that the first input points into
    "undocumented",  // ptxas takes it, the manual does not have it
    "variables",     // a register operand may be the name of a variable: its address
    "waits",         // for groups
};

// Those of the traits that say which asynchronous instructions are started, closed as a group, or waited for.
inline constexpr std::string_view groups[] = {"bulk_copies", "copies", "products"};

}  // namespace semcc::ir
