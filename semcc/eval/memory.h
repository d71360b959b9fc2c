// Bytes of the judge's memory.
#pragma once
#include "semcc/eval/eval.h"

namespace semcc::eval {

std::uint64_t address_of(const Word& word);  // its low 64 bits

// The element a memory statement speaks of.
Word load(const Memory& memory, const ir::Stmt& statement, std::uint64_t where);
void store(Memory& memory, const ir::Stmt& statement, std::uint64_t where, const Word& word);

}  // namespace semcc::eval
