// What a run of a bundle found, as JSON.
#pragma once

#include <nlohmann/json_fwd.hpp>

#include "traces/bundle/bundle.h"

namespace wedjat::traces {

nlohmann::json to_json(const Bundle& bundle, const BundleRun& run);

}  // namespace wedjat::traces
