// The report of a replay as JSON: that of the command and of the library.
#pragma once
#include <nlohmann/json.hpp>

#include "traces/read/trace.h"
#include "traces/replay/state/report.h"

namespace wedjat::library {

nlohmann::json to_json(const traces::Trace& trace, const traces::ReplayReport& report);

}  // namespace wedjat::library
