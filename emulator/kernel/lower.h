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
  /// Of one that a body of `module` declares.
  virtual std::uint64_t variable(std::uint32_t module, const ptx::Variable& declared) const = 0;
  /// What a function pointer to it holds; never 0.
  virtual std::uint64_t function(ptx::SymbolId id) const = 0;
};

/// What is kept of the registers, for tools. The same steps run in any case but the last.
enum class Registers : std::uint8_t {
  shared,    ///< registers that are never live together share rows
  named,     ///< and Function::registers, Origin::registers say what they are called
  kept,      ///< each has a row of its own, whether it is live or not
  writable,  ///< and no step relies on what another instruction computed from one
};

/// Bytes of a kernel's parameter buffer, and where each parameter lies in it.
std::vector<std::uint64_t> parameter_offsets(const ptx::Function& entry, std::uint64_t& total);

/// The kernel `entry` with all functions it may call. Throws Refusal (refusal.h) naming the instruction if it
/// cannot run, ptx::Error if a body is no PTX. `contracts`: by module of the program; empty: none.
std::shared_ptr<const Kernel> lower(const ptx::Program& program, ptx::SymbolId entry,
                                    const Addresses& addresses, std::span<const Contract> contracts = {},
                                    const FormTable& table = FormTable::generated(),
                                    Registers registers = Registers::shared);

}  // namespace wedjat::kernel
