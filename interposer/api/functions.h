// The functions half of the API table.
#pragma once

#include <nlohmann/json.hpp>

#include "interposer/api/clang_index.h"

namespace wedjat::interposer {

// Every driver entry point as {"name", "base", "version", "flavour", "parameters": [{"name", "type"}]},
// sorted by name. The versions are those of the PFN_<base>_v<version> typedefs, which map to the exported
// names in version order; throws std::runtime_error if one has no partner or their types differ.
nlohmann::ordered_json describe_functions(CXCursor root);

// Every function of the runtime API as {"name", "result", "parameters": [{"name", "type"}]}, sorted by name.
nlohmann::ordered_json describe_runtime_functions(CXCursor root);

}  // namespace wedjat::interposer
