// What a tool's columns mean, as its README says.
#pragma once
#include <string>

namespace wedjat::hooks {

/// Markdown of the file NAME.md beside the tool's library NAME.so or NAME.py; empty without one.
std::string definitions_beside(const std::string& library);

}  // namespace wedjat::hooks
