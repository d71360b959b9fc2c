// What native code did for a replay: `--tiers`, and a part of `--json`.
#pragma once
#include <nlohmann/json.hpp>

#include "cli/options/page_options.h"
#include "emulator/compile/tier/tier.h"
#include "traces/replay/state/report.h"

namespace wedjat::cli {

/// `tier`: null: everything was interpreted.
void print_tiers(const traces::ReplayReport& report, const compile::Tier* tier, const PageOptions& names);
nlohmann::json tiers_json(const compile::Tier* tier);

}  // namespace wedjat::cli
