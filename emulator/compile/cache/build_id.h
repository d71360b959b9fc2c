// The build ids that linkers give to what they make: other contents have another one.
#pragma once
#include <filesystem>
#include <string>

namespace wedjat::compile {

/// Of the executable or shared library that holds this code, as it was loaded; empty if it has none.
std::string own_build_id();
/// Of a file; empty if it cannot be read, is no program or library of this kind of processor, or has none.
std::string build_id_of(const std::filesystem::path& file);

}  // namespace wedjat::compile
