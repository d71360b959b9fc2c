// wedjat export TRACE --to FORMAT -o FILE
#include <fmt/format.h>

#include <optional>

#include "cli/commands/commands.h"
#include "cli/options/interruption.h"
#include "cli/options/kernel_options.h"
#include "cli/options/reading_options.h"
#include "cli/terminal/exit_codes.h"
#include "cli/terminal/terminal.h"
#include "emulator/device/error.h"
#include "emulator/hooks/report/written.h"
#include "emulator/hooks/wanted.h"
#include "traces/export/write.h"

namespace wedjat::cli {
namespace {

struct ExportOptions {
  std::string trace, to, what = "launches", file;
  std::vector<std::string> tools;
  bool check = false;
  traces::ReadLimits limits;
  traces::ReplayOptions replay;
};

void check(const ExportOptions& options) {
  const bool lines = options.to == "csv" || options.to == "ndjson";
  if (!lines && options.what != "launches")
    throw CLI::ValidationError("--what", "memory and registers are exported to csv or ndjson");
  if (options.to != "sqlite" && (!options.tools.empty() || options.check))
    throw CLI::ValidationError("--tool", "tables of tools are exported to sqlite");
}

void write(const ExportOptions& options, const traces::Trace& trace, traces::ReplayOptions replay) {
  hooks::Hooks hooks;
  traces::Activity activity;
  activity.watch(replay, hooks);
  hooks::add_wanted(hooks, {options.tools, options.check, {}});
  const traces::Lines format = options.to == "csv" ? traces::Lines::csv : traces::Lines::ndjson;
  std::optional<traces::LineWriter> writer;
  if (options.what != "launches") {
    using What = traces::LineWriter::What;
    writer.emplace(options.file, format, options.what == "memory" ? What::memory : What::registers);
    writer->attach(hooks);
  }
  traces::replay(trace, replay);
  const std::vector<hooks::Report> reports = hooks.finish();
  if (writer)
    writer->finish();
  else if (options.to == "sqlite")
    traces::write_sqlite(options.file, activity, trace.manifest.device ? trace.manifest.device->name : "",
                         reports);
  else if (options.to == "perfetto")
    traces::write_perfetto(options.file, activity);
  else
    traces::write_launches(options.file, activity, format);
  fmt::print("{}: {}, {}, {}\n", options.file, counted(activity.kernels.size(), "launch", "launches"),
             counted(activity.copies.size(), "copy", "copies"),
             counted(activity.calls.size(), "call", "calls"));
}

// No output may go over another one, or over the recording.
void claim(const ExportOptions& options) {
  hooks::Written written;
  written.claim(options.trace, "the recording");
  written.claim(options.file, "--output");
  for (const std::string& tool : options.tools) written.claim_of_tool(tool);
}

int run(ExportOptions& options) {
  check(options);
  claim(options);
  const traces::Trace trace = traces::open_trace(options.trace, options.limits);
  end_launches_on_signals();
  Progress progress("replaying");
  prepare_replay(options.replay, options.limits, progress);
  try {
    write(options, trace, options.replay);
  } catch (const device::Failed& failure) {
    // As in replays: the hardware's kernel did not fail where memory beside its allocations was mapped.
    if (!failure.out_of_bounds()) throw;
    traces::ReplayOptions replay = options.replay;
    replay.surroundings = true;
    if (replay.again) replay.again();
    write(options, trace, replay);
    fmt::print(
        "note: a kernel reaches beside its memory, where the hardware had something that was not "
        "recorded; here it is zero\n");
  }
  return all_well;
}

}  // namespace

void add_export_command(CLI::App& app, int& exit_code) {
  auto options = std::make_shared<ExportOptions>();
  CLI::App* command =
      app.add_subcommand("export", "Replay a recording and write what happens for other programs to read");
  command->add_option("trace", options->trace, "folder written by wedjat record, or a packed trace")
      ->required();
  command
      ->add_option("--to", options->to, "sqlite (names of Nsight Systems' export), perfetto, csv or ndjson")
      ->required()
      ->check(CLI::IsMember({"sqlite", "perfetto", "csv", "ndjson"}));
  command->add_option("-o,--output", options->file, "the file to write")->required();
  command
      ->add_option("--what", options->what, "of csv and ndjson: launches, memory (every access) or registers")
      ->check(CLI::IsMember({"launches", "memory", "registers"}))
      ->capture_default_str();
  command
      ->add_option("--tool", options->tools,
                   "of sqlite: a tool, whose tables become tables (as of wedjat replay)")
      ->allow_extra_args(false)
      ->take_all();
  command->add_flag("--check", options->check, "of sqlite: every checker");
  add_limit_options(*command, options->limits);
  add_contract_option(*command, options->replay.contract);
  add_limit_options(*command, options->replay.launch_limits);
  command->add_flag("--accept-flawed", options->replay.accept_flawed,
                    "replay a trace that lost events, as far as it goes");
  command->footer(
      "Times are those of this replay on this host, not a GPU's. Columns: README.md of traces/export.");
  command->callback([options, &exit_code] { exit_code = run(*options); });
}

}  // namespace wedjat::cli
