// What became of native code, for machines: a part of what `replay --json` and `live --json` print.
#pragma once
#include <nlohmann/json.hpp>

#include "emulator/compile/tier/journal.h"

namespace wedjat::compile {

inline nlohmann::json to_json(const std::vector<KernelReport>& reports) {
  nlohmann::json kernels = nlohmann::json::array();
  for (const KernelReport& made : reports)
    kernels.push_back({{"kernel", made.kernel},
                       {"pieces", made.pieces},
                       {"kept", made.kept},
                       {"seconds", made.seconds},
                       {"left_at", made.left_at},
                       {"failures", made.failures}});
  return kernels;
}

}  // namespace wedjat::compile
