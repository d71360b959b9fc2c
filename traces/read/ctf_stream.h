// From one stream file of a CTF trace to its events.
#pragma once

#include <filesystem>
#include <vector>

#include "traces/read/ctf_layout.h"
#include "traces/read/event.h"

namespace wedjat::traces {

// Appends the events of `file`. Throws FormatError naming file, offset and cause; `events` then holds what
// stood before.
void read_ctf_stream(const std::filesystem::path& file, const CtfLayout& layout, std::vector<Event>& events);

}  // namespace wedjat::traces
