// A lane function as one straight run of instructions.
#pragma once

namespace llvm {
class Function;
}

namespace wedjat::compile {

/// Turns branches into selects. False if the function has to branch: it loops, or does under a condition what
/// may only be done under it.
bool flatten(llvm::Function& function);

}  // namespace wedjat::compile
