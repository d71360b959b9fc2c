// wedjat regress [DIR…]
#include <fmt/format.h>

#include <algorithm>

#include "cli/commands/commands.h"
#include "cli/options/jit_option.h"
#include "cli/options/reading_options.h"
#include "cli/terminal/exit_codes.h"
#include "cli/terminal/terminal.h"
#include "emulator/hooks/report/written.h"
#include "traces/format/file.h"
#include "traces/order/summary.h"
#include "traces/regress/report.h"

namespace wedjat::cli {
namespace {

namespace fs = std::filesystem;

struct RegressOptions {
  std::vector<std::string> folders;
  std::string expectations, junit, html, contract = "ptxas";
  JitOption jit;
  bool json = false;
  traces::RegressOptions regress;
};

// Our own set: below the current folder, or beside the build that this command lies in.
std::string own_set() {
  const fs::path relative = "traces/regression";
  std::error_code error;
  const fs::path here = fs::read_symlink("/proc/self/exe", error).parent_path();
  for (const fs::path& folder : {relative, here / "../.." / relative}) {
    if (fs::is_directory(folder, error)) return folder.lexically_normal().string();
  }
  throw std::invalid_argument("name a folder of recordings: there is no traces/regression here");
}

void write(const std::string& path, const std::string& text) {
  if (!path.empty()) traces::write_file(path, text);
}

void print_row(const traces::Outcome& outcome, const traces::RegressOptions& options) {
  const traces::ReplayReport& report = outcome.report;
  const double seconds = report.kernel_seconds();
  const auto instructions = static_cast<double>(report.thread_instructions());
  const std::string verdict(traces::verdict_name(outcome.verdict));
  fmt::print("{:<28} {:>7} {:>8} {:>16} {:>8.3f} {:>6.2f} {:>12}", outcome.recording.full_name(),
             outcome.kernels(), grouped(report.launched.size()), grouped(report.thread_instructions()),
             outcome.seconds, seconds > 0 ? instructions / seconds * 1e-9 : 0.0,
             grouped(report.differing_bytes()));
  if (options.without_contraction) fmt::print(" {:>12}", grouped(outcome.differing_without_contraction));
  fmt::print(" {:>10}  {}\n", grouped(outcome.largest_ulps), outcome.good() ? good(verdict) : bad(verdict));
}

void print_table(const std::vector<traces::Outcome>& outcomes, const traces::RegressOptions& options) {
  fmt::print("{:<28} {:>7} {:>8} {:>16} {:>8} {:>6} {:>12}", "program", "kernels", "launches",
             "thread instr.", "seconds", "G/s", "bytes differ");
  fmt::print("{} {:>10}  {}\n", options.without_contraction ? "   unfused  " : "", "ulps", "verdict");
  for (const traces::Outcome& outcome : outcomes) print_row(outcome, options);
  for (const traces::Outcome& outcome : outcomes) {
    if (!outcome.good()) {
      fmt::print("\n{}: {}\n", bad(outcome.recording.full_name()), traces::explanation(outcome));
      if (!outcome.open.empty())
        fmt::print(
            "  {} bytes differ for no such reason; lines for expectations.txt that allow what is open:\n",
            grouped(outcome.unexplained_bytes));
      for (const std::string& line : traces::suggested_expectations(outcome)) fmt::print("    {}\n", line);
    }
    for (const std::string& note : outcome.notes)
      fmt::print("\n{}: {}\n", outcome.recording.full_name(), note);
    for (const std::string& line : traces::summaries(outcome.open))
      fmt::print("\n{}: open on the hardware, {}\n", outcome.recording.full_name(), line);
    for (const traces::Allowed& allowed : outcome.allowed)
      fmt::print("\n{}: expected, copy {} bytes {}-{}: {}\n", outcome.recording.full_name(), allowed.sequence,
                 allowed.first, allowed.last, allowed.reason);
  }
  const auto as_wished = std::ranges::count_if(outcomes, &traces::Outcome::good);
  fmt::print("\n{} of {} as the hardware computed {}, or as expected\n", as_wished,
             counted(outcomes.size(), "program is", "programs are"), outcomes.size() == 1 ? "it" : "them");
}

// No report may go over another one, or over what is read.
void claim(const RegressOptions& options) {
  hooks::Written written;
  if (!options.expectations.empty()) written.claim(options.expectations, "--expect");
  if (!options.junit.empty()) written.claim(options.junit, "--junit");
  if (!options.html.empty()) written.claim(options.html, "--html");
}

int run(RegressOptions& options) {
  claim(options);
  if (options.folders.empty()) options.folders.push_back(own_set());
  options.regress.contract = options.contract == "none" ? kernel::Contract::none : kernel::Contract::ptxas;
  options.regress.native = make_tier(options.jit);
  options.regress.without_contraction = options.contract == "both";
  std::vector<traces::Recording> recordings;
  traces::Expectations expectations;
  for (const std::string& folder : options.folders) {
    std::ranges::copy(traces::find_recordings(folder), std::back_inserter(recordings));
    if (const fs::path file = fs::path(folder) / "expectations.txt"; fs::is_regular_file(file))
      traces::read_expectations(file, expectations);
  }
  if (!options.expectations.empty()) traces::read_expectations(options.expectations, expectations);
  Progress progress("replaying");
  options.regress.progress = [&](std::uint64_t done, std::uint64_t all) { progress.update(done, all); };
  const std::vector<traces::Outcome> outcomes = traces::regress(recordings, expectations, options.regress);
  write(options.junit, traces::junit_report(outcomes));
  write(options.html, traces::html_report(outcomes, options.regress));
  if (options.json)
    fmt::print("{}\n", traces::json_report(outcomes, options.regress));
  else
    print_table(outcomes, options.regress);
  int exit_code = all_well;
  for (const traces::Outcome& outcome : outcomes) {
    if (outcome.good() || exit_code == differs) continue;
    exit_code = outcome.verdict == traces::Verdict::not_compared ? not_compared : differs;
  }
  return exit_code;
}

}  // namespace

void add_regress_command(CLI::App& app, int& exit_code) {
  auto options = std::make_shared<RegressOptions>();
  CLI::App* command = app.add_subcommand(
      "regress", "Replay all recordings in folders and judge each against the hardware's results");
  command->add_option("folder", options->folders, "folders of recordings (default: ours, traces/regression)");
  command->add_option("--expect", options->expectations,
                      "file of bytes that may differ, beside expectations.txt in each folder");
  command->add_flag("--json", options->json, "print the report as JSON");
  command->add_option("--junit", options->junit, "write JUnit XML to this file");
  command->add_option("--html", options->html, "write an HTML page to this file");
  add_limit_options(*command, options->regress.limits);
  command->add_option("--jobs", options->regress.jobs, "recordings at a time (default: all cores)")
      ->check(thread_counts);
  add_jit_option(*command, options->jit);
  command
      ->add_option("--contract", options->contract,
                   "unmarked mul and add: fused where ptxas fuses them, none, or both to see the difference")
      ->check(CLI::IsMember({"none", "ptxas", "both"}))
      ->capture_default_str();
  command->callback([options, &exit_code] { exit_code = run(*options); });
}

}  // namespace wedjat::cli
