// A whole file.
#pragma once

#include <filesystem>
#include <string>

namespace wedjat::traces {

// Throws FormatError naming the file and the system's cause, also for a folder.
std::string read_file(const std::filesystem::path& path);

}  // namespace wedjat::traces
