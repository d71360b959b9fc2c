// Reads the events LTTng-UST wrote (CTF 1.8).
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "traces/read/event.h"

namespace wedjat::traces {

// Every event below `events`, in no particular order. Damage ends the reading of the file it is in: what
// stood before is returned and the cause (file, place, what) is added to `damage`. Throws FormatError if
// there is no trace below `events`.
std::vector<Event> read_ctf(const std::filesystem::path& events, std::vector<std::string>& damage);

}  // namespace wedjat::traces
