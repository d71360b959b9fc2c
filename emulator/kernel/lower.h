// PTX kernel -> lowered kernel: the room's front door.
#pragma once
#include <memory>
#include <span>

#include "emulator/kernel/forms/form_table.h"
#include "emulator/kernel/lower/parameters.h"
#include "emulator/kernel/lower/request.h"
#include "emulator/kernel/lowered/kernel.h"
#include "emulator/kernel/ptxas/contract.h"
#include "emulator/ptx/module/link.h"

namespace wedjat::kernel {

/// The kernel `entry` with all functions it may call. Throws Refusal (refusal.h) naming the instruction if it
/// cannot run, ptx::Error if a body is no PTX. `contracts`: by module of the program; empty: none.
std::shared_ptr<const Kernel> lower(const ptx::Program& program, ptx::SymbolId entry,
                                    const Addresses& addresses, std::span<const Contract> contracts = {},
                                    const FormTable& table = FormTable::generated(),
                                    Registers registers = Registers::shared);

}  // namespace wedjat::kernel
