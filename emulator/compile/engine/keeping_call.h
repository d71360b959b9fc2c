// Calls that keep all registers, for places that are seldom come to: what lives across an ordinary call is in
// memory, and LLVM puts it there on the way that is taken often.
#pragma once

namespace wedjat::compile {

class Engine;

/// Calls the function in rax, with arguments in registers; all other registers are as before afterwards, as
/// far as the engine's code uses them. Lets through what the function throws.
const void* keeping_call(const Engine& engine);

}  // namespace wedjat::compile
