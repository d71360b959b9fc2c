#include "traces/bundle/report.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

namespace wedjat::traces {

nlohmann::json to_json(const Bundle& bundle, const BundleRun& run) {
  nlohmann::json compared = nlohmann::json::array();
  for (const BundleDifference& one : run.compared) {
    nlohmann::json row = {{"what", one.what}, {"bytes", one.bytes}, {"differing_bytes", one.differing}};
    if (one.differing != 0)
      row["first"] = {{"address", one.first},
                      {"expected", std::to_integer<unsigned>(one.expected)},
                      {"got", std::to_integer<unsigned>(one.got)}};
    compared.push_back(std::move(row));
  }
  return {{"kernel", bundle.kernel},
          {"same", run.same()},
          {"compared", std::move(compared)},
          {"seconds", run.statistics.seconds},
          {"thread_instructions", run.statistics.thread_instructions},
          {"warp_instructions", run.statistics.warp_instructions}};
}

}  // namespace wedjat::traces
