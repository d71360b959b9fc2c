// What whoever asks for a lowered kernel says beside the program: where it lies, and what tools need to know.
#pragma once
#include <cstdint>

#include "emulator/ptx/module/link.h"

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

}  // namespace wedjat::kernel
