// What `wedjat info FILE.ptx` says.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

namespace wedjat::cli {

// Throws ptx::Error. Bodies are parsed too, so that errors in them are told.
nlohmann::json describe_ptx(const std::string& path);
void print_ptx(const nlohmann::json& info);

// The whole file. Throws traces::FormatError if it cannot be read.
std::string read_file(const std::string& path);

}  // namespace wedjat::cli
