// From the metadata file of a CTF trace to the layout of its streams.
#pragma once

#include <filesystem>

#include "traces/read/ctf_layout.h"

namespace wedjat::traces {

// Takes the part of TSDL that LTTng-UST 2 writes for our tracepoints and refuses everything else. Throws
// FormatError naming file, line and cause; `layout` then holds what stood before.
void read_ctf_metadata(const std::filesystem::path& file, CtfLayout& layout);

}  // namespace wedjat::traces
