// Which files a trace folder has (FORMAT.md): nothing else is packed or unpacked.
#pragma once

#include <filesystem>
#include <string_view>

namespace wedjat::traces {

// Whether this relative path is a file of a trace: manifest.json, state, events/…, blobs/packs/*.pack,
// blobs/files/XX/HASH.
bool is_trace_file(std::string_view name);

}  // namespace wedjat::traces
