// Where the files lie that belong to this code: tools, the tool host, the compiler's library.
#pragma once
#include <filesystem>

namespace wedjat {

/// The executable or shared library that holds this code; empty if the system does not tell.
std::filesystem::path own_file();

/// The folder that has `lib/wedjat` of this code. $WEDJAT_INSTALLATION says it otherwise.
std::filesystem::path installation();

/// The same for a file of ours: one of bin or lib, of lib/wedjat, or of a folder there.
std::filesystem::path installation_of(const std::filesystem::path& file);

}  // namespace wedjat
