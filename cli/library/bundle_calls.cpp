// Launches that were extracted.
#include <nlohmann/json.hpp>

#include "cli/library/errors.h"
#include "cli/library/running.h"
#include "emulator/device/error.h"
#include "traces/bundle/bundle.h"
#include "traces/bundle/report.h"
#include "traces/format/error.h"
#include "traces/read/limits.h"

using namespace wedjat;
using namespace wedjat::library;

namespace {

using Run = traces::BundleRun(device::Device&, const traces::Bundle&);

nlohmann::json ran(const traces::Bundle& bundle, const RunParts& parts, Run* run) {
  const Interruptible interruptible;
  device::Device device({.threads = parts.threads,
                         .launch_limits = parts.limits,
                         .contract = parts.contract,
                         .surroundings = bundle.surroundings,
                         .print = parts.print,
                         .native = parts.native,
                         .hooks = parts.hooks.get()});
  nlohmann::json report = traces::to_json(bundle, run(device, bundle));
  report_tools(parts.hooks.get(), report);
  return report;
}

WedjatStatus run_folder(const char* call, const char* folder, const WedjatRunOptions* options, char** json,
                        Run* run) {
  return guarded(call, [&] {
    need(folder, "folder");
    need(json, "json");
    const RunParts parts = run_parts(options);
    try {
      *json = json_for_caller(ran(traces::read_bundle(folder, traces::default_memory_limit()), parts, run));
    } catch (const traces::FormatError& error) {
      throw WrongFile{WEDJAT_BROKEN_INPUT, error.what(), folder};
    }
  });
}

}  // namespace

extern "C" WedjatStatus wedjat_bundle_run(const char* folder, const WedjatRunOptions* options, char** json) {
  return run_folder(__func__, folder, options, json, traces::run_bundle);
}

extern "C" WedjatStatus wedjat_bundle_run_elsewhere(const char* folder, const WedjatRunOptions* options,
                                                    char** json) {
  return run_folder(__func__, folder, options, json, traces::run_elsewhere);
}
