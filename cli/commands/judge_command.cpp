// wedjat judge RECORDING, FOLDER or FILE.ptx
#include <fmt/format.h>

#include <cstdio>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "cli/commands/commands.h"
#include "cli/expect/bundle.h"
#include "cli/foreign/program.h"
#include "cli/options/given.h"
#include "cli/options/interruption.h"
#include "cli/options/kernel_options.h"
#include "cli/options/launch_capture.h"
#include "cli/options/numbers.h"
#include "cli/options/reading_options.h"
#include "cli/terminal/exit_codes.h"
#include "cli/terminal/terminal.h"
#include "emulator/device/error.h"
#include "emulator/hooks/report/names.h"
#include "traces/format/error.h"
#include "traces/format/file.h"
#include "traces/judge/answers.h"
#include "traces/judge/report.h"

namespace wedjat::cli {
namespace {

struct JudgeOptions {
  std::string what, answer, output;
  bool json = false;
  double gpu_seconds = 120;
  PtxLaunch launch;
  traces::ReadLimits limits;
  traces::ReplayOptions replay;
};

int exit_code_of(traces::Judged verdict) {
  switch (verdict) {
    case traces::Judged::agrees:
      return all_well;
    case traces::Judged::machine_code:
      return differs;
    case traces::Judged::open:
      return checker_findings;
    case traces::Judged::unknown:
      break;
  }
  return not_compared;
}

std::string coloured(traces::Judged verdict) {
  const auto name = traces::judged_name(verdict);
  return verdict == traces::Judged::agrees ? good(name) : bad(name);
}

void print(const std::vector<std::string>& lines) {
  for (const std::string& line : lines) fmt::print("{}\n", line);
}

int judge_recording(const JudgeOptions& options) {
  const traces::Trace trace = traces::open_trace(options.what, options.limits);
  Progress progress("replaying");
  traces::ReplayOptions replay = options.replay;
  prepare_replay(replay, options.limits, progress);
  const traces::Judgement judgement = traces::judge_recording(trace, replay);
  if (options.json) {
    print_json(to_json(judgement));
  } else {
    for (const auto& kernel : judgement.kernels) {
      fmt::print("{}: {} ({} launch{})\n", hooks::demangled(kernel.kernel), coloured(kernel.verdict),
                 grouped(kernel.launches), kernel.launches == 1 ? "" : "es");
      print(lines_of(kernel.evidence, kernel.fault));
    }
    for (const std::string& note : judgement.notes) fmt::print("note: {}\n", note);
  }
  return exit_code_of(judgement.verdict());
}

int judge_hardware(const JudgeOptions& options) {
  const traces::Bundle bundle = traces::read_bundle(options.what, options.limits.memory);
  if (!bundle.hardware)
    throw traces::FormatError(options.what,
                              "does not say what hardware computed: `make answers` in it, on a machine "
                              "with a GPU, and wedjat judge --answer");
  const traces::LaunchJudged judged = traces::LaunchJudge(bundle, options.replay).judge(*bundle.hardware);
  if (options.json) {
    nlohmann::json out = to_json(judged);
    out["kernel"] = bundle.kernel;
    print_json(out);
  } else {
    fmt::print("{}: {}; {} of {} bytes differ\n", bundle.kernel, coloured(judged.verdict),
               grouped(judged.differing), grouped(judged.compared));
    print(lines_of(judged.evidence, judged.fault));
  }
  return exit_code_of(judged.verdict);
}

int judge_answers(const JudgeOptions& options) {
  nlohmann::json out = nlohmann::json::array();
  traces::Judged worst = traces::Judged::agrees;
  for (const auto& [compiled, judged] : traces::judge_answers(options.answer, options.replay)) {
    worst = std::max(worst, judged.verdict);
    if (options.json) {
      out.push_back(to_json(judged));
      out.back()["compiled"] = compiled;
      continue;
    }
    fmt::print("{}: {}; {} of {} bytes differ\n", compiled, coloured(judged.verdict),
               grouped(judged.differing), grouped(judged.compared));
    print(lines_of(judged.evidence, judged.fault));
  }
  if (options.json) print_json({{"verdict", traces::judged_name(worst)}, {"answers", out}});
  return exit_code_of(worst);
}

// As the options say, or else the comments of the file (`wedjat expect`).
traces::Bundle captured(JudgeOptions& options) {
  options.launch.file = options.what;
  if (!options.launch.entry.empty())
    return capture_launch(options.launch, options.replay.contract, options.replay.launch_limits);
  const std::string ptx = traces::read_file(options.what);
  if (ptx.find("wedjat:") == std::string::npos)
    throw CLI::RequiredError(options.what +
                             " has no comments that say how it is launched (wedjat expect --help): --entry");
  const std::vector<expect::Launch> launches = expect::parse(options.what, ptx, true);
  if (launches.size() > 1)
    throw std::invalid_argument(fmt::format(
        "{}: its comments describe {} launches, and one is judged: say which by --entry and --arg",
        options.what, launches.size()));
  return expect::bundle_of(options.what, ptx, launches[0], options.replay.contract,
                           options.replay.launch_limits);
}

int prepare(JudgeOptions& options) {
  const traces::Bundle bundle = captured(options);
  traces::write_bundle(options.output, bundle);
  const std::uint64_t bytes = traces::bytes_of(bundle.expected);
  if (options.json)
    print_json({{"folder", options.output}, {"kernel", bundle.kernel}, {"expected_bytes", bytes}});
  else
    fmt::print(
        "{}: {} with {} bytes that it writes\n  on a machine with a GPU and a toolkit: make -C {} answers\n  "
        "then, anywhere: wedjat judge --answer {}\n",
        options.output, bundle.kernel, grouped(bytes), options.output, options.output);
  return all_well;
}

// The folder is made, answered by this machine, and judged.
int judge_here(JudgeOptions& options) {
  const foreign::Scratch scratch;
  const std::filesystem::path folder = scratch.path / "bundle";
  traces::write_bundle(folder, captured(options));
  std::string said;
  const std::vector<std::string> make = {"sh", "-c", "exec make -s -C \"$0\" answers 2>&1", folder.string()};
  foreign::says_yes(make, "", options.gpu_seconds, &said);
  std::vector<std::string> missing;
  for (const char* const compiled : {"O0", "O1", "O2", "O3", "driver"})
    if (!exists(folder / (std::string(compiled) + ".answer"))) missing.emplace_back(compiled);
  if (missing.size() == 5)
    throw device::Refused(fmt::format(
        "nothing here answers what the kernel leaves; a GPU, its driver, a toolkit (make CUDA=FOLDER) and a "
        "C "
        "compiler are needed. --output FOLDER makes a folder to carry to a machine that has them\n{}",
        said));
  options.answer = folder;
  const int code = judge_answers(options);
  for (const std::string& compiled : missing)
    std::fputs(fmt::format("{}: no answer\n", compiled).c_str(), stderr);
  if (!missing.empty()) std::fputs(said.c_str(), stderr);
  return code == all_well && !missing.empty() ? not_compared : code;
}

int chosen(JudgeOptions& options, const CLI::App& command) {
  if (options.answer.empty() == options.what.empty())
    throw CLI::RequiredError("Either a recording, a folder or a PTX file, or --answer");
  if (options.what.ends_with(".ptx") && !traces::is_bundle(options.what)) {
    if (options.launch.entry.empty())
      refuse_given(command, {"--grid", "--block", "--cluster", "--shared", "--arg"},
                   "without --entry the comments of the file say how it is launched");
    return options.output.empty() ? judge_here(options) : prepare(options);
  }
  refuse_given(
      command,
      {"--output", "--gpu-seconds", "--entry", "--grid", "--block", "--cluster", "--shared", "--arg"},
      "is of FILE.ptx, which " + (options.answer.empty() ? options.what : options.answer) + " is not");
  if (!options.answer.empty()) return judge_answers(options);
  return traces::is_bundle(options.what) ? judge_hardware(options) : judge_recording(options);
}

int run(JudgeOptions& options, const CLI::App& command) {
  end_launches_on_signals();
  try {
    return chosen(options, command);
  } catch (const device::Failed& failure) {
    if (failure.fault != exec::FaultKind::step_limit) throw;
    throw device::Failed(
        fmt::format("{}\n  it may never end: whose fault that is cannot be judged. --step-limit {} lets "
                    "it run longer, --step-limit 0 for ever",
                    failure.what(), 10 * options.replay.launch_limits.step_limit),
        failure.fault, failure.place);
  }
}

}  // namespace

void add_judge_command(CLI::App& app, int& exit_code) {
  auto options = std::make_shared<JudgeOptions>();
  CLI::App* command = app.add_subcommand(
      "judge", "Whose is a wrong result: does the PTX leave it open, or is the machine code wrong?");
  command->add_option(
      "what", options->what,
      "a recording; a folder of wedjat extract that holds the hardware's values; or FILE.ptx, which is "
      "compiled by ptxas at every level and by the driver, and run on the GPU of this machine");
  command->add_option("--answer", options->answer,
                      "such a folder after `make answers`: judge what it answered");
  command->add_flag("--json", options->json, "print the verdicts as JSON");
  command->add_option("-o,--output", options->output,
                      "of FILE.ptx: do not run it here, but make a folder to carry to a machine with a GPU");
  command
      ->add_option("--gpu-seconds", options->gpu_seconds,
                   "that compiling and running FILE.ptx on this machine may take")
      ->check(above_zero)
      ->capture_default_str();
  command->add_option(
      "--entry", options->launch.entry,
      "of FILE.ptx: name of the kernel; without it the comments of the file say how it is launched (wedjat "
      "expect --help)");
  command->add_option("--grid", options->launch.grid, "CTAs: X, X,Y or X,Y,Z")->capture_default_str();
  command->add_option("--block", options->launch.block, "threads of a CTA: X, X,Y or X,Y,Z")
      ->capture_default_str();
  command->add_option("--cluster", options->launch.cluster, "CTAs of a cluster: X, X,Y or X,Y,Z")
      ->capture_default_str();
  command->add_option("--shared", options->launch.shared, "bytes of dynamic shared memory")
      ->check(word_numbers);
  command
      ->add_option("--arg", options->launch.arguments,
                   "kernel arguments in order, --arg before each, as of wedjat run, but no file is written: "
                   "in:FILE inout:FILE "
                   "out:NAME:BYTES zeros:BYTES "
                   "bytes:FILE u32:5 f32:1.5 ...")
      ->allow_extra_args(false)
      ->take_all();
  command->add_flag("--accept-flawed", options->replay.accept_flawed,
                    "replay a trace that lost events, as far as it goes");
  add_limit_options(*command, options->limits);
  add_contract_option(*command, options->replay.contract);
  options->replay.launch_limits.step_limit = 50'000'000;
  add_limit_options(*command, options->replay.launch_limits);
  command->get_option("--step-limit")
      ->description(
          "give up on a kernel when one CTA has run so many warp instructions (default: 50000000; 0: never)");
  command->footer(
      "Exit codes: 0 everything agrees, 1 the machine code is wrong, 6 the PTX leaves it open, 8 unknown;\n"
      "2 to 5 as everywhere. \"The machine code is wrong\" is said only where all else was excluded.");
  command->callback([options, command, &exit_code] { exit_code = run(*options, *command); });
}

}  // namespace wedjat::cli
