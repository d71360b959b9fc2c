// Test vectors as text: what each form gives on corners and random values, in the words of the examples.
#pragma once
#include <map>
#include <string>

#include "semcc/ir/form.h"

namespace semcc::emit {

// `<chapter>/<family>.txt` -> one case a line: `add.s32 0x7fffffff, 0x1 -> 0x80000000`. Bits the semantics
// leave open follow as a mask: `0x7fffffff ?0x807fffff`. Only forms of one lane that touch no memory: their
// cases need nothing but registers. The judge computed the results; whoever runs PTX, an emulator or a GPU,
// can be held against them.
std::map<std::string, std::string> emit_tests(const ir::Program& program);

}  // namespace semcc::emit
