// How a program was linked, as far as its file tells before it is started.
#pragma once

#include <filesystem>
#include <string>

namespace wedjat::live {

// The file that running `program` would start: looked for in $PATH if it has no '/'. Empty if there is none.
std::filesystem::path program_file(const std::string& program);

// It holds device code that nvcc put there, but needs no shared runtime: the static one is in it.
bool has_static_runtime(const std::filesystem::path& file);

}  // namespace wedjat::live
