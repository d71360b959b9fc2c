#include "cli/commands/run_bundle.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "cli/terminal/exit_codes.h"
#include "cli/terminal/output.h"
#include "cli/terminal/terminal.h"
#include "emulator/device/error.h"
#include "traces/bundle/bundle.h"
#include "traces/bundle/report.h"

namespace wedjat::cli {
namespace {

void print(const traces::Bundle& bundle, const traces::BundleRun& run, const PageOptions& names) {
  fmt::print("{}: {} thread instructions, {} warp instructions, {:.6f} s\n", names.name(bundle.kernel),
             grouped(run.statistics.thread_instructions), grouped(run.statistics.warp_instructions),
             run.statistics.seconds);
  for (const traces::BundleDifference& one : run.compared) {
    const std::string count = grouped(one.differing);
    fmt::print("{}: {} of {} bytes differ\n", one.what, one.differing == 0 ? good(count) : bad(count),
               grouped(one.bytes));
    if (one.differing != 0)
      fmt::print("  the first at {:#x}: expected {:#04x}, got {:#04x}\n", one.first,
                 std::to_integer<unsigned>(one.expected), std::to_integer<unsigned>(one.got));
  }
}

}  // namespace

int run_bundle_folder(const std::string& folder, bool elsewhere, std::uint64_t most,
                      device::DeviceOptions device_options, const ToolOptions& tools,
                      const PageOptions& page_options, bool json) {
  const traces::Bundle bundle = traces::read_bundle(folder, most);
  const std::unique_ptr<hooks::Hooks> watching = tools.start(json);
  device_options.hooks = watching.get();
  device_options.surroundings = bundle.surroundings;
  device_options.print = [json](std::string_view text) { print_device(json ? stderr : stdout, text); };
  device::Device device(std::move(device_options));
  hooks::Page page;
  page.title = "run of " + page_options.name(bundle.kernel);
  page.facts = {{"bundle", folder}};
  traces::BundleRun run;
  try {
    run = elsewhere ? traces::run_elsewhere(device, bundle) : traces::run_bundle(device, bundle);
  } catch (const device::Failed& failure) {
    report_failure(watching.get(), json, page_options, std::move(page), failure.what());
    throw;
  }
  const int exit_code = run.same() ? all_well : differs;
  page.facts.emplace_back("verdict", run.same() ? "the same bits" : "differs");
  nlohmann::json out = traces::to_json(bundle, run);
  if (!json) print(bundle, run, page_options);
  const int code = report_tools(watching.get(),
                                {.json = json ? &out : nullptr,
                                 .page = page_options.wanted() ? &page : nullptr,
                                 .mangled = page_options.mangled},
                                exit_code);
  if (json) print_json(out);
  if (page_options.wanted()) page_options.write(std::move(page));
  return code;
}

}  // namespace wedjat::cli
