// pointers.bin of a bundle. FORMAT.md describes it.
#pragma once

#include <filesystem>

#include "traces/bundle/bundle.h"

namespace wedjat::traces {

// Both throw FormatError.
void write_pointers(const std::filesystem::path& file, const Bundle::Pointers& pointers);
Bundle::Pointers read_pointers(const std::filesystem::path& file);

}  // namespace wedjat::traces
