// Which functions a kernel may run, and which of its program's shared variables they use.
#pragma once
#include <vector>

#include "emulator/ptx/module/link.h"

namespace wedjat::kernel {

class FormTable;

struct ReachedFunction {
  ptx::SymbolId id;
  const ptx::Function* function = nullptr;
  bool address_taken = false;
  bool called = false;  ///< by direct calls from the entry on: if it cannot be lowered the kernel cannot run
  std::vector<std::uint32_t> callees;  ///< direct ones, into Reached::functions
  bool calls_unknown = false;          ///< it has an indirect call
};

struct SharedVariable {
  const ptx::Variable* variable = nullptr;
  const ptx::Module* module = nullptr;  ///< that declares it
  std::uint32_t offset = 0;
};

struct Reached {
  std::vector<ReachedFunction> functions;  ///< the entry first
  std::vector<SharedVariable> shared;      ///< sorted by variable
  std::uint32_t shared_bytes = 0;          ///< where dynamic shared memory begins
  /// What ptxas says that the variables take: with those that the functions declare and do not use.
  std::uint64_t declared_shared_bytes = 0;
  /// The largest .param variable of any body: what a call can hand to a variadic function's array.
  std::uint64_t variadic_bytes = 0;

  const ReachedFunction* find(ptx::SymbolId id) const;
  std::uint32_t shared_offset(const ptx::Variable& variable) const;
};

/// Functions whose address is taken are reached only if some reached function calls indirectly.
Reached reach(const ptx::Program& program, ptx::SymbolId entry, const FormTable& table);

}  // namespace wedjat::kernel
