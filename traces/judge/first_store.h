// The store that left the first wrong byte of a launch, and what its value was computed from.
#pragma once

#include <functional>
#include <optional>

#include "emulator/hooks/hooks.h"
#include "traces/judge/judge.h"

namespace wedjat::traces {

// `run`: runs the launch on a new device that these hooks watch, always in the same way. None: no thread
// wrote the byte. `forms`: gets those of all instructions that may
// have a part in it (influence.h).
std::optional<FirstFault> find_first_store(const std::function<void(hooks::Hooks&)>& run,
                                           std::uint64_t address, const Runs& hardware, const Runs& here,
                                           std::vector<std::string>& forms);

}  // namespace wedjat::traces
