// wedjat replay TRACE
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "cli/commands/commands.h"
#include "cli/commands/replay_page.h"
#include "cli/commands/replay_tiers.h"
#include "cli/library/replay_report.h"
#include "cli/options/interruption.h"
#include "cli/options/jit_option.h"
#include "cli/options/kernel_options.h"
#include "cli/options/numbers.h"
#include "cli/options/reading_options.h"
#include "cli/options/tool_options.h"
#include "cli/terminal/exit_codes.h"
#include "cli/terminal/output.h"
#include "cli/terminal/terminal.h"
#include "emulator/hooks/report/names.h"
#include "traces/explain/first_difference.h"
#include "traces/explain/racing.h"
#include "traces/order/as_hardware.h"
#include "traces/order/resolve.h"
#include "traces/order/summary.h"
#include "traces/replay/replay.h"

namespace wedjat::cli {
namespace {

struct ReplayOptions {
  std::string trace;
  bool json = false, explain = false;
  traces::ReadLimits limits;
  ToolOptions tools;
  PageOptions page;
  traces::ReplayOptions replay;
  JitOption jit;
  bool tiers = false;
};

// Of the verdict. `whose`: the bytes that it was compared with.
std::string meaning(const traces::ReplayReport& report, const std::string& whose) {
  switch (report.agreement()) {
    case traces::Agreement::exact:
      return report.compared_bytes() == 1
                 ? fmt::format("the one byte that {} brought back is the same", whose)
                 : fmt::format("all {} bytes {} brought back are the same", grouped(report.compared_bytes()),
                               whose);
    case traces::Agreement::only_hardware_failed:
      return fmt::format("{}; here no kernel failed", report.hardware_failed);
    case traces::Agreement::nothing_compared:
      if (report.left_bytes != 0)
        return fmt::format("none of the {} bytes that {} brought back could be compared: see above",
                           grouped(report.left_bytes), whose);
      return fmt::format(
          "the trace holds nothing that {} brought back, or left in its memory, to compare with", whose);
    case traces::Agreement::not_all_compared:
      return fmt::format("{} the same, but not all could be compared that was recorded: see above",
                         counted(report.compared_bytes(), "byte is", "bytes are"));
    case traces::Agreement::differs:
      break;
  }
  return fmt::format("{} of {} {} not {}'s", grouped(report.differing_bytes()),
                     counted(report.compared_bytes(), "byte", "bytes"),
                     report.differing_bytes() == 1 ? "is" : "are", whose);
}

std::string whose(const traces::Manifest& manifest) {
  return manifest.device && manifest.device->emulated ? "the emulated device" : "the hardware";
}

int exit_code_of(traces::Agreement agreement) {
  switch (agreement) {
    case traces::Agreement::exact:
      return all_well;
    case traces::Agreement::nothing_compared:
    case traces::Agreement::not_all_compared:
      return not_compared;
    default:
      return differs;
  }
}

void print_not_compared(const traces::ReplayReport& report) {
  constexpr std::size_t most = 20;
  const auto& lines = report.not_compared;
  for (std::size_t i = 0; i < std::min(lines.size(), most); ++i)
    fmt::print("\n{} {}", bad("not compared:"), lines[i]);
  if (lines.size() > most) fmt::print("\nand {} more, which --json tells", grouped(lines.size() - most));
  if (!lines.empty()) fmt::print("\n");
}

void print_table(const traces::Trace& trace, const traces::ReplayReport& report, const PageOptions& names) {
  std::string program;
  for (const auto& argument : trace.manifest.argv) program += (program.empty() ? "" : " ") + argument;
  fmt::print("{}, recorded on {}\n\n", program, trace.manifest.device_text());
  fmt::print("{:>8}  {:<34} {:>12} {:>12}  {}\n", "seq", "copy", "bytes", "differ", "kernels before it");
  for (const auto& checked : report.checked) {
    const auto& difference = checked.difference;
    const std::string count = fmt::format("{:>12}", grouped(difference.differing_bytes));
    fmt::print("{:>8}  {:<34} {:>12} {}  {}\n", checked.sequence, checked.call, grouped(difference.bytes),
               difference.same() ? good(count) : bad(count), names.names(checked.kernels));
  }
  for (const auto& checked : report.checked) {
    const auto& difference = checked.difference;
    if (difference.same()) continue;
    fmt::print(
        "\nfirst difference: {} (seq {}), byte {} at address {:#x}, as {}\n  expected {}\n  got      {}\n"
        "  {} elements differ, by at most {} {}\n",
        checked.call, checked.sequence, grouped(difference.element_offset),
        checked.address + difference.element_offset, traces::element_name(difference.element),
        difference.expected, difference.got, grouped(difference.differing_elements),
        grouped(difference.largest_ulps),
        difference.element == traces::Element::f32 || difference.element == traces::Element::f64 ? "ulps"
                                                                                                 : "units");
    break;
  }
  if (!report.stepped_over.empty())
    fmt::print("\nstepped over, by what the hardware did, for want of PTX:\n");
  for (const auto& text : report.stepped_over) fmt::print("  {}\n", text);
  print_not_compared(report);
  const double seconds = report.kernel_seconds();
  fmt::print("\n{}, {} in {:.3f} s ({:.2f} G/s)\n", counted(report.launched.size(), "launch", "launches"),
             counted(report.thread_instructions(), "thread instruction", "thread instructions"), seconds,
             seconds > 0 ? static_cast<double>(report.thread_instructions()) / seconds * 1e-9 : 0.0);
  if (report.addresses())
    fmt::print(
        "{} words hold addresses that the driver chose (functions, device heap …): ours stand for the same\n",
        grouped(report.addresses()));
  const traces::Agreement agreement = report.agreement();
  const std::string verdict(traces::agreement_name(agreement));
  fmt::print("{}: {}\n", agreement == traces::Agreement::exact ? good(verdict) : bad(verdict),
             meaning(report, whose(trace.manifest)));
}

// Kernels by the names that people read.
void demangle(std::vector<std::string>& lines) {
  for (std::string& line : lines) line = hooks::demangled_in(line);
}

// Why it differs: what is open on the hardware, the first instruction that is not as there, and what races
// besides.
struct Why {
  std::vector<std::string> open, first, racing;
};

Why why_it_differs(const traces::Trace& trace, const traces::ReplayOptions& from) {
  traces::ReplayOptions options = from;
  options.hooks = nullptr;
  options.progress = {};
  options.print = {};
  const traces::Resolution resolution = traces::resolve_order(trace, options);
  return {traces::summaries(resolution.open), traces::explain_first_difference(trace, options, resolution),
          traces::racing_before(trace, options, resolution)};
}

void print_why(const Why& why) {
  for (const std::string& line : why.open) fmt::print("\nopen on the hardware, {}\n", line);
  if (!why.open.empty() && why.first.empty()) fmt::print("\nnothing else differs\n");
  for (const auto* lines : {&why.first, &why.racing})
    if (!lines->empty()) fmt::print("\n{}\n", fmt::join(*lines, "\n"));
}

int run(ReplayOptions& options) {
  options.tools.check_files(options.trace, options.page.file);
  options.tools.supervise();
  const traces::Trace trace = traces::open_trace(options.trace, options.limits);
  end_launches_on_signals();
  Progress progress("replaying");
  prepare_replay(options.replay, options.limits, progress);
  const bool json = options.json;
  options.replay.print = [json](std::string_view text) { print_device(json ? stderr : stdout, text); };
  const std::unique_ptr<hooks::Hooks> tools = options.tools.start(options.json);
  options.replay.hooks = tools.get();
  options.replay.native = make_tier(options.jit);
  traces::Granted granted;
  try {
    granted = traces::replay_as_hardware(trace, options.replay);
  } catch (const std::exception& failure) {
    report_failure(tools.get(), json, options.page, page_of(trace), failure.what());
    throw;
  }
  if (!options.page.mangled) demangle(granted.notes);
  const traces::ReplayReport& report = granted.report;
  const int exit_code = exit_code_of(report.agreement());
  nlohmann::json out = library::to_json(trace, report);
  out["native"] = tiers_json(options.replay.native.get());
  hooks::Page page = page_of(trace, report, out["verdict"], options.page);
  page.notes.insert(page.notes.end(), granted.notes.begin(), granted.notes.end());
  Why why;
  if (options.explain && report.differing_bytes() != 0) why = why_it_differs(trace, granted.options);
  if (!options.page.mangled)
    for (auto* lines : {&why.open, &why.first, &why.racing}) demangle(*lines);
  ReportTo to{.page = options.page.wanted() ? &page : nullptr, .mangled = options.page.mangled};
  int with_tools;
  if (!json) {
    print_table(trace, report, options.page);
    if (options.tiers) print_tiers(report, options.replay.native.get(), options.page);
    for (const std::string& note : granted.notes) fmt::print("\n{}\n", note);
    print_why(why);
    with_tools = report_tools(tools.get(), to, exit_code);
  } else {
    out["notes"] = granted.notes;
    if (options.explain && report.differing_bytes() != 0)
      out["explanation"] = {{"open", why.open}, {"first_difference", why.first}, {"racing", why.racing}};
    to.json = &out;
    with_tools = report_tools(tools.get(), to, exit_code);
    print_json(out);
  }
  if (options.page.wanted()) {
    page.notes.insert(page.notes.end(), why.open.begin(), why.open.end());
    page.notes.insert(page.notes.end(), why.first.begin(), why.first.end());
    page.notes.insert(page.notes.end(), why.racing.begin(), why.racing.end());
    options.page.write(std::move(page));
  }
  return with_tools;
}

}  // namespace

void add_replay_command(CLI::App& app, int& exit_code) {
  auto options = std::make_shared<ReplayOptions>();
  CLI::App* command = app.add_subcommand(
      "replay", "Replay a recording on the CPU and compare every result with the hardware's");
  command->add_option("trace", options->trace, "folder written by wedjat record, or a packed trace")
      ->required();
  command->add_flag("--json", options->json, "print the report as JSON");
  command->add_flag("--explain", options->explain,
                    "where it differs: what the hardware leaves open, the first instruction that is not as "
                    "there, what races");
  command
      ->add_option("--threads", options->replay.threads,
                   "host threads (default: all cores); results never depend on it")
      ->check(thread_counts);
  CLI::Option* const together = command->add_flag(
      "--side-by-side", options->replay.side_by_side,
      "warps and CTAs advance together, as on hardware, from the start: without it only where bytes differ");
  command
      ->add_option("--shuffle", options->replay.shuffle,
                   "warps and CTAs in another order, which the number says: what changes then depends on it")
      ->check(word_numbers)
      ->excludes(together);
  add_jit_option(*command, options->jit);
  command->add_flag("--tiers", options->tiers,
                    "of each kernel, which share of its steps ran as native code, what making it took, and "
                    "where it is left");
  add_limit_options(*command, options->limits);
  command->add_flag_callback(
      "--time", [options] { options->tools.tools.push_back("launch_time"); },
      "of each launch, the cycles and microseconds that a model of an H200 foretells, and what bounds it: "
      "the tool launch_time");
  command->add_flag("--accept-flawed", options->replay.accept_flawed,
                    "replay a trace that lost events, as far as it goes");
  options->tools.add_to(*command);
  options->tools.add_fidelity_to(*command);
  options->page.add_to(*command);
  add_contract_option(*command, options->replay.contract);
  add_limit_options(*command, options->replay.launch_limits);
  command->callback([options, &exit_code] { exit_code = run(*options); });
}

}  // namespace wedjat::cli
