// Judgements as text and JSON.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "traces/judge/judge.h"

namespace wedjat::traces {

nlohmann::json to_json(const Judgement& judgement);
nlohmann::json to_json(const LaunchJudged& judged);
// Evidence, the first store and its slice; indented lines.
std::vector<std::string> lines_of(const std::vector<Evidence>& evidence,
                                  const std::optional<FirstFault>& fault);

}  // namespace wedjat::traces
