// For the command, which shows more of what tools report than the library's JSON: text and pages.
#pragma once
#include "cli/library/wedjat.h"
#include "emulator/hooks/hooks.h"

namespace wedjat::library {

// The tools of a device; null if it has none. They are whoever asks's to end. Throws WrongArgument.
hooks::Hooks* tools_of(const WedjatDevice* device);

}  // namespace wedjat::library
