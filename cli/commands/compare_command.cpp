// wedjat compare A B
#include <fmt/format.h>

#include <filesystem>
#include <nlohmann/json.hpp>

#include "cli/commands/commands.h"
#include "cli/options/arguments.h"
#include "cli/options/given.h"
#include "cli/options/interruption.h"
#include "cli/options/kernel_options.h"
#include "cli/options/launch_capture.h"
#include "cli/options/numbers.h"
#include "cli/options/reading_options.h"
#include "cli/terminal/exit_codes.h"
#include "cli/terminal/terminal.h"
#include "traces/compare/compare.h"
#include "traces/extract/extract.h"
#include "traces/format/error.h"
#include "traces/format/file.h"

namespace wedjat::cli {
namespace {

struct CompareOptions {
  std::string a, b, kernel;
  std::uint64_t number = 0, seed = 1;
  bool json = false;
  PtxLaunch launch, other;  // of other, what is not given is as in launch
  traces::ReadLimits limits;
  traces::ReplayOptions replay;
};

bool is_ptx(const std::string& file) { return file.ends_with(".ptx"); }

traces::Bundle first_launch(CompareOptions& options) {
  options.replay.memory_limit = options.limits.memory;
  if (traces::is_bundle(options.a)) return traces::read_bundle(options.a, options.limits.memory);
  if (is_ptx(options.a)) {
    if (options.launch.entry.empty()) throw CLI::RequiredError("--entry");
    options.launch.file = options.a;
    return capture_launch(options.launch, options.replay.contract, options.replay.launch_limits);
  }
  const traces::Trace trace = traces::open_trace(options.a, options.limits);
  Progress progress("replaying");
  prepare_replay(options.replay, options.limits, progress);
  traces::WantedLaunch wanted{options.number, {}};
  if (!options.kernel.empty()) wanted.kernel = options.kernel;
  return traces::extract(trace, options.replay, wanted, false);
}

void shape_of(const std::string& text, std::uint32_t (&to)[3]) {
  if (!text.empty()) parse_shape(text, to);
}

traces::Bundle second_launch(CompareOptions& options, const traces::Bundle& first) {
  PtxLaunch& other = options.other;
  if (!is_ptx(options.b)) {
    if (!std::filesystem::is_regular_file(options.b))
      return traces::read_bundle(options.b, options.limits.memory);
    throw traces::FormatError(options.b,
                              "is neither FILE.ptx nor a folder of a launch: `wedjat extract` makes one of a "
                              "recording");
  }
  if (other.entry.empty()) other.entry = first.kernel;
  if (is_ptx(options.a)) {
    PtxLaunch launch = options.launch;
    launch.file = options.b;
    launch.entry = other.entry;
    if (!other.grid.empty()) launch.grid = other.grid;
    if (!other.block.empty()) launch.block = other.block;
    if (!other.cluster.empty()) launch.cluster = other.cluster;
    if (other.shared != 0) launch.shared = other.shared;
    return capture_launch(launch, options.replay.contract, options.replay.launch_limits);
  }
  device::LaunchConfig config = first.config;
  shape_of(other.grid, config.grid);
  shape_of(other.block, config.block);
  shape_of(other.cluster, config.cluster);
  if (other.shared != 0) config.shared_bytes = other.shared;
  return with_ptx(first, {options.b, traces::read_file(options.b), options.replay.contract}, other.entry,
                  config, options.replay);
}

nlohmann::json to_json(const traces::Comparison& comparison) {
  nlohmann::json out = {{"verdict", name_of(comparison.equality)},
                        {"bytes", comparison.bytes},
                        {"differing_bytes", comparison.differing},
                        {"rounded_otherwise", comparison.rounded},
                        {"different", comparison.different},
                        {"largest_relative_difference", comparison.largest},
                        {"decisions_on_rounded_values", comparison.decisions},
                        {"not_followed", comparison.not_followed}};
  if (comparison.first)
    out["first"] = {{"address", comparison.first->address},
                    {"memory", comparison.first->memory},
                    {"offset", comparison.first->offset},
                    {"a", comparison.first->a},
                    {"b", comparison.first->b}};
  return out;
}

void print(const traces::Comparison& comparison) {
  const bool well =
      comparison.equality == traces::Equality::bits || comparison.equality == traces::Equality::rounding;
  const std::string verdict = name_of(comparison.equality);
  fmt::print("{}: {} of {} bytes differ\n", well ? good(verdict) : bad(verdict),
             grouped(comparison.differing), grouped(comparison.bytes));
  if (comparison.rounded != 0)
    fmt::print(
        "  {} numbers are exactly the same expression, rounded otherwise; they differ by at most {:.3g} of "
        "their size\n",
        grouped(comparison.rounded), comparison.largest);
  if (comparison.different != 0)
    fmt::print("  {} numbers, and bytes that are none, are not shown to be the same expression\n",
               grouped(comparison.different));
  if (comparison.first)
    fmt::print("  the first at {:#x} ({} + {}): {} and {}\n", comparison.first->address,
               comparison.first->memory, comparison.first->offset, comparison.first->a, comparison.first->b);
  if (comparison.decisions != 0)
    fmt::print(
        "  {} instructions compare rounded values or make integers of them: each launch as its own values "
        "say\n",
        grouped(comparison.decisions));
  if (comparison.bytes == 0) fmt::print("  neither launch touches memory: there is nothing to compare\n");
  for (const std::string& form : comparison.not_followed) fmt::print("  not followed: {}\n", form);
}

void check(const CompareOptions& options, const CLI::App& command) {
  if (traces::is_bundle(options.a) || is_ptx(options.a))
    refuse_given(command, {"--launch", "--kernel"}, "is of a recording, not of " + options.a);
  if (traces::is_bundle(options.a) || !is_ptx(options.a))
    refuse_given(command, {"--entry", "--grid", "--block", "--cluster", "--shared", "--arg"},
                 "is of FILE.ptx, not of " + options.a);
  if (!is_ptx(options.b))
    refuse_given(command,
                 {"--other-entry", "--other-grid", "--other-block", "--other-cluster", "--other-shared"},
                 "is of FILE.ptx, not of " + options.b);
}

int run(CompareOptions& options, const CLI::App& command) {
  check(options, command);
  end_launches_on_signals();
  const traces::Bundle first = first_launch(options), second = second_launch(options, first);
  const traces::Comparison comparison = compare(first, second, options.replay, options.seed);
  if (options.json)
    print_json(to_json(comparison));
  else
    print(comparison);
  switch (comparison.equality) {
    case traces::Equality::bits:
    case traces::Equality::rounding:
      return all_well;
    case traces::Equality::undecided:
      return not_compared;
    case traces::Equality::different:
      break;
  }
  return differs;
}

void add_shape(CLI::App& command, const std::string& before, const std::string& what, PtxLaunch& to) {
  command.add_option("--" + before + "entry", to.entry, what + "name of the kernel");
  command.add_option("--" + before + "grid", to.grid, what + "CTAs: X, X,Y or X,Y,Z");
  command.add_option("--" + before + "block", to.block, what + "threads of a CTA: X, X,Y or X,Y,Z");
  command.add_option("--" + before + "cluster", to.cluster, what + "CTAs of a cluster: X, X,Y or X,Y,Z");
  command.add_option("--" + before + "shared", to.shared, what + "bytes of dynamic shared memory")
      ->check(word_numbers);
}

}  // namespace

void add_compare_command(CLI::App& app, int& exit_code) {
  auto options = std::make_shared<CompareOptions>();
  options->other.grid = options->other.block = options->other.cluster = "";
  CLI::App* command = app.add_subcommand(
      "compare", "Two kernels, the same inputs: the same bits, the same but for rounding, or different?");
  command->add_option("a", options->a, "FILE.ptx, a folder that wedjat extract makes, or a recording")
      ->required();
  command->add_option("b", options->b, "FILE.ptx, which gets the inputs of the first, or a folder")
      ->required();
  CLI::Option* const number = command->add_option("--launch", options->number, "of a recording: which one")
                                  ->check(whole_numbers)
                                  ->capture_default_str();
  command
      ->add_option("--kernel", options->kernel,
                   "of a recording: the first launch of this kernel, named as people read it or as the "
                   "linker knows it")
      ->excludes(number);
  add_shape(*command, "", "the first, FILE.ptx: ", options->launch);
  add_shape(*command, "other-", "the second, if it is not launched as the first: ", options->other);
  command
      ->add_option(
          "--arg", options->launch.arguments,
          "of FILE.ptx: arguments of both in order, as of wedjat run, but no file is written: in:FILE "
          "inout:FILE out:NAME:BYTES zeros:BYTES bytes:FILE u32:5 f32:1.5 ...")
      ->allow_extra_args(false)
      ->take_all();
  command->add_option("--seed", options->seed, "chooses the primes that exact values are kept modulo")
      ->check(whole_numbers)
      ->capture_default_str();
  command->add_flag("--json", options->json, "print the verdict as JSON");
  add_limit_options(*command, options->limits);
  add_contract_option(*command, options->replay.contract);
  add_limit_options(*command, options->replay.launch_limits);
  command->footer(
      "Beside each floating-point number its exact value is kept, modulo two primes: sums, differences, "
      "products and\n"
      "fused ones without any rounding, all else as functions of which nothing is known. Numbers of other "
      "bits and the\n"
      "same exact value are \"the same but for rounding\": reassociated or contracted. "
      "traces/compare/README.md says how\n"
      "likely an error is, and what cannot be decided.\n"
      "Exit codes: 0 the same bits, or but for rounding; 1 different; 8 undecided; 2 to 5 as everywhere.");
  command->callback([options, command, &exit_code] { exit_code = run(*options, *command); });
}

}  // namespace wedjat::cli
