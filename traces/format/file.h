// A whole file.
#pragma once

#include <filesystem>
#include <string>

namespace wedjat::traces {

// Throws FormatError naming the file and the system's cause, also for a folder or a device (which may have no
// end).
std::string read_file(const std::filesystem::path& path);

}  // namespace wedjat::traces
