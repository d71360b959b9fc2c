// What `wedjat info FILE.ptx` says.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

namespace wedjat::cli {

// Throws ptx::Error, traces::FormatError. Bodies are parsed too, so that errors in them are told.
nlohmann::json describe_ptx(const std::string& path);
void print_ptx(const nlohmann::json& info);

}  // namespace wedjat::cli
