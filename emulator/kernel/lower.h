// PTX kernel -> lowered kernel: the room's front door.
#pragma once
#include <memory>
#include <span>

#include "emulator/kernel/contract.h"
#include "emulator/kernel/form_table.h"
#include "emulator/kernel/kernel.h"
#include "emulator/ptx/link.h"

namespace wedjat::kernel {

/// Where the loaded program lies: the device knows.
class Addresses {
 public:
  virtual ~Addresses() = default;
  /// Device address of a .global or .const variable.
  virtual std::uint64_t variable(ptx::SymbolId id) const = 0;
  /// What a function pointer to it holds; never 0.
  virtual std::uint64_t function(ptx::SymbolId id) const = 0;
};

/// Bytes of a kernel's parameter buffer, and where each parameter lies in it.
std::vector<std::uint64_t> parameter_offsets(const ptx::Function& entry, std::uint64_t& total);

/// The kernel `entry` with all functions it may call. Throws Refusal (refusal.h) naming the instruction if it
/// cannot run, ptx::Error if a body is no PTX. `contracts`: by module of the program; empty: none.
std::shared_ptr<const Kernel> lower(const ptx::Program& program, ptx::SymbolId entry,
                                    const Addresses& addresses, std::span<const Contract> contracts = {},
                                    const FormTable& table = FormTable::generated());

}  // namespace wedjat::kernel
