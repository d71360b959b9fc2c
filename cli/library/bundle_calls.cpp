// Launches that were extracted.
#include <nlohmann/json.hpp>

#include "cli/library/errors.h"
#include "cli/library/running.h"
#include "emulator/device/error.h"
#include "traces/bundle/bundle.h"
#include "traces/bundle/report.h"
#include "traces/format/error.h"

using namespace wedjat;
using namespace wedjat::library;

namespace {

nlohmann::json ran(const traces::Bundle& bundle, const RunParts& parts) {
  const Interruptible interruptible;
  device::Device device({.threads = parts.threads,
                         .launch_limits = parts.limits,
                         .contract = parts.contract,
                         .surroundings = bundle.surroundings,
                         .print = parts.print,
                         .native = parts.native,
                         .hooks = parts.hooks.get()});
  nlohmann::json report = traces::to_json(bundle, traces::run_bundle(device, bundle));
  report_tools(parts.hooks.get(), report);
  return report;
}

}  // namespace

extern "C" WedjatStatus wedjat_bundle_run(const char* folder, const WedjatRunOptions* options, char** json) {
  return guarded(__func__, [&] {
    need(folder, "folder");
    need(json, "json");
    const RunParts parts = run_parts(options);
    try {
      *json = json_for_caller(ran(traces::read_bundle(folder), parts));
    } catch (const traces::FormatError& error) {
      throw WrongTrace{WEDJAT_BROKEN_INPUT, error.what(), folder};
    }
  });
}
