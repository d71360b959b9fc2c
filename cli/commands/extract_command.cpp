// wedjat extract TRACE --launch N -o FOLDER
#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "cli/commands/commands.h"
#include "cli/options/interruption.h"
#include "cli/options/jit_option.h"
#include "cli/options/kernel_options.h"
#include "cli/options/numbers.h"
#include "cli/options/reading_options.h"
#include "cli/terminal/exit_codes.h"
#include "cli/terminal/terminal.h"
#include "traces/extract/extract.h"
#include "traces/format/error.h"

namespace wedjat::cli {
namespace {

struct ExtractOptions {
  std::string trace, folder, kernel;
  std::uint64_t launch = 0;
  bool json = false, no_hardware = false, whole = false;
  traces::ReadLimits limits;
  traces::ReplayOptions replay;
  JitOption jit;
};

std::uint64_t ptx_bytes(const traces::Bundle& bundle) {
  std::uint64_t bytes = 0;
  for (const auto& source : bundle.sources) bytes += source.text.size();
  return bytes;
}

int run(ExtractOptions& options, bool by_name) {
  const traces::Trace trace = traces::open_trace(options.trace, options.limits);
  options.replay.native = make_tier(options.jit);
  end_launches_on_signals();
  Progress progress("replaying");
  prepare_replay(options.replay, options.limits, progress);
  traces::WantedLaunch wanted{options.launch, {}};
  if (by_name) wanted.kernel = options.kernel;
  traces::Bundle bundle = traces::extract(trace, options.replay, wanted, !options.no_hardware);
  const std::uint64_t recorded_ptx = ptx_bytes(bundle);
  const std::string whole_because = options.whole ? "" : traces::trim_ptx(bundle, options.replay);
  traces::write_bundle(options.folder, bundle);
  const std::uint64_t known = bundle.hardware ? traces::bytes_of(*bundle.hardware) : 0;
  if (options.json) {
    print_json({{"folder", options.folder},
                {"kernel", bundle.kernel},
                {"launch", bundle.origin.launch},
                {"seq", bundle.origin.sequence},
                {"input_bytes", traces::bytes_of(bundle.input)},
                {"expected_bytes", traces::bytes_of(bundle.expected)},
                {"hardware_bytes", known},
                {"ptx_bytes", ptx_bytes(bundle)},
                {"recorded_ptx_bytes", recorded_ptx},
                {"whole_ptx_because", whole_because},
                {"arrays", bundle.arrays.size()},
                {"notes", bundle.notes}});
    return all_well;
  }
  fmt::print(
      "{}: launch {} (seq {}) of {}\n  {} bytes that it reads, {} that it writes; of {} of these the "
      "recording "
      "says what the hardware computed\n",
      options.folder, bundle.origin.launch, bundle.origin.sequence, bundle.kernel,
      grouped(traces::bytes_of(bundle.input)), grouped(traces::bytes_of(bundle.expected)), grouped(known));
  fmt::print("  {} of {} bytes of PTX\n", grouped(ptx_bytes(bundle)), grouped(recorded_ptx));
  if (!whole_because.empty()) fmt::print("  the PTX is whole: {}\n", whole_because);
  for (const std::string& note : bundle.notes) fmt::print("  note: {}\n", note);
  return all_well;
}

}  // namespace

void add_extract_command(CLI::App& app, int& exit_code) {
  auto options = std::make_shared<ExtractOptions>();
  CLI::App* command = app.add_subcommand(
      "extract",
      "Make one launch of a recording a folder that runs by itself: PTX, parameters, memory, results");
  command->add_option("trace", options->trace, "folder written by wedjat record, or a packed trace")
      ->required();
  CLI::Option* const number = command->add_option(
      "--launch", options->launch, "which one: 0 is the first that the replay runs, as tools count them");
  number->check(whole_numbers);
  CLI::Option* const kernel = command->add_option(
      "--kernel", options->kernel,
      "instead: the first launch of this kernel, named as people read it or as the linker knows it");
  number->excludes(kernel);
  command->add_option("-o,--output", options->folder, "the folder to make; it must be empty or not exist")
      ->required();
  command->add_flag("--json", options->json, "print what was kept as JSON");
  command->add_flag("--no-hardware", options->no_hardware,
                    "do not look in the rest of the recording for what the hardware computed");
  command->add_flag("--whole", options->whole,
                    "keep the module's PTX as it is, not only what the kernel can reach");
  command->add_option("--threads", options->replay.threads, "host threads of the run that proves the folder")
      ->check(thread_counts);
  add_jit_option(*command, options->jit);
  add_limit_options(*command, options->limits);
  command->add_flag("--accept-flawed", options->replay.accept_flawed,
                    "replay a trace that lost events, as far as it goes");
  add_contract_option(*command, options->replay.contract);
  add_limit_options(*command, options->replay.launch_limits);
  command->footer(
      "The folder runs by `wedjat run FOLDER`, by `make run` in it on a machine with a GPU, and in Python "
      "by\n"
      "wedjat.run_bundle(FOLDER). Exit codes: 0 made, 2 no such launch, 3 the trace is broken or the folder "
      "cannot\n"
      "be written, 4 the launch cannot be held by a bundle, 5 the kernel failed.");
  command->callback([options, kernel, number, &exit_code] {
    if (kernel->count() == 0 && number->count() == 0) throw CLI::RequiredError("--launch or --kernel");
    exit_code = run(*options, kernel->count() != 0);
  });
}

}  // namespace wedjat::cli
