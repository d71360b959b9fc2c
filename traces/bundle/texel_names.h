// Arrays, textures and surfaces as the manifest of a bundle has them.
#pragma once

#include <nlohmann/json_fwd.hpp>

#include "traces/bundle/bundle.h"

namespace wedjat::traces {

nlohmann::json texels_to_json(const Bundle& bundle);
// Contents of arrays are not among it. Throws nlohmann::json::exception, std::invalid_argument.
void texels_from_json(Bundle& bundle, const nlohmann::json& from);

}  // namespace wedjat::traces
