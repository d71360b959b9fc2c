// What `wedjat info FILE.ptx` says.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

namespace wedjat::cli {

// Throws ptx::Error, traces::FormatError. Bodies are parsed too, so that errors in them are told. `check`:
// functions that cannot be run get a `refusal` that says why.
nlohmann::json describe_ptx(const std::string& path, bool check);
bool has_refusals(const nlohmann::json& info);
void print_ptx(const nlohmann::json& info);

}  // namespace wedjat::cli
