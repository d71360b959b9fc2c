// Whole files, and all files of a folder.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace wedjat::traces {

// Throws FormatError naming the file and the system's cause, also for a folder or a device (which may have no
// end).
std::string read_file(const std::filesystem::path& path);

// The regular files below `folder`, in the order of their names; links to folders are not followed. Throws
// FormatError naming the folder that cannot be read and the system's cause.
std::vector<std::filesystem::path> files_below(const std::filesystem::path& folder);

}  // namespace wedjat::traces
