// The store that left the first wrong byte of a launch, and what its value was computed from.
#pragma once

#include <functional>
#include <optional>

#include "emulator/hooks/hooks.h"
#include "traces/judge/judge.h"
#include "traces/order/write_log.h"

namespace wedjat::traces {

struct FoundStore {
  FirstFault fault;                // but for what hardware left
  Place place;                     // that it wrote
  std::vector<std::string> forms;  // of all instructions that may have a part in it (influence.h)
};

// `run`: runs the launch on a new device that these hooks watch, always in the same way. None: no thread
// wrote the byte.
std::optional<FoundStore> find_first_store(const std::function<void(hooks::Hooks&)>& run,
                                           std::uint64_t address, const Runs& here);

// The bytes there, the highest first; "??" where nobody knows them.
std::string number_at(const Runs& runs, Place place);

}  // namespace wedjat::traces
