// wedjat expect FILE.ptx… [--directives FILE]
#include <fmt/format.h>

#include <memory>
#include <nlohmann/json.hpp>
#include <stdexcept>

#include "cli/commands/commands.h"
#include "cli/expect/runner.h"
#include "cli/options/interruption.h"
#include "cli/options/jit_option.h"
#include "cli/options/kernel_options.h"
#include "cli/options/tool_options.h"
#include "cli/terminal/exit_codes.h"
#include "cli/terminal/terminal.h"
#include "traces/format/file.h"

namespace wedjat::cli {
namespace {

struct ExpectOptions {
  std::vector<std::string> files;
  std::string directives;
  unsigned threads = 0;
  bool json = false, check = false;
  kernel::Contract contract = kernel::Contract::ptxas;
  device::LaunchLimits limits;
  JitOption jit;
};

WedjatRunOptions run_options(const ExpectOptions& options) {
  WedjatRunOptions run{};
  run.size = sizeof run;
  run.threads = options.threads;
  choose(options.jit, run);
  choose(options.contract, options.limits, run);
  run.check = options.check;
  return run;
}

nlohmann::json to_json(const expect::Complaint& complaint) {
  static constexpr const char* kinds[] = {"value", "text", "failure", "finding"};
  return {{"file", complaint.file},
          {"line", complaint.line},
          {"kernel", complaint.launch},
          {"kind", kinds[static_cast<int>(complaint.kind)]},
          {"message", complaint.message}};
}

int run(const ExpectOptions& options) {
  if (!options.directives.empty() && options.files.size() != 1)
    throw std::invalid_argument("--directives speaks of one PTX file");
  end_launches_on_signals();
  const WedjatRunOptions how = run_options(options);
  nlohmann::json files = nlohmann::json::array();
  int exit_code = all_well;
  for (const std::string& file : options.files) {
    expect::Inputs inputs;
    inputs.ptx_file = file;
    inputs.ptx = traces::read_file(file);
    inputs.file = options.directives.empty() ? file : options.directives;
    inputs.launches = expect::parse(
        inputs.file, options.directives.empty() ? inputs.ptx : traces::read_file(options.directives));
    const auto complaints = expect::run(inputs, how);
    if (!complaints.empty()) exit_code = differs;
    nlohmann::json told = nlohmann::json::array();
    for (const auto& complaint : complaints) {
      told.push_back(to_json(complaint));
      if (!options.json)
        fmt::print("{}:{}: {} {}\n", complaint.file, complaint.line, complaint.launch, complaint.message);
    }
    if (!options.json)
      fmt::print("{}: {} {}, {}\n", file, inputs.launches.size(),
                 inputs.launches.size() == 1 ? "launch" : "launches",
                 complaints.empty() ? good("as expected")
                                    : bad(fmt::format("{} not as expected", complaints.size())));
    files.push_back({{"file", file}, {"launches", inputs.launches.size()}, {"complaints", std::move(told)}});
  }
  if (options.json) print_json({{"files", std::move(files)}});
  return exit_code;
}

}  // namespace

void add_expect_command(CLI::App& app, int& exit_code) {
  auto options = std::make_shared<ExpectOptions>();
  CLI::App* command = app.add_subcommand(
      "expect", "Run kernels whose inputs and expected results stand as comments beside them");
  command->footer(
      "Directives are comments of the file (//, ; or #); a whole example:\n"
      "  // wedjat: launch add grid=1 block=4\n"
      "  // wedjat: in a: u32 = 1 2 3 4\n"
      "  // wedjat: out y: u32[4]\n"
      "  // wedjat: scalar n: u32 = 10\n"
      "  // wedjat: expect y: u32 = 11 12 13 14\n"
      "then, inout, variable, args, ignore, prints, fails, finds, and values as range, fill, pattern, "
      "random,\n"
      "file and same: cli/expect/README.md. Exit codes: 0 as expected, 1 not, 2 wrong arguments, 3 a broken\n"
      "directive or file.");
  command->add_option("file", options->files, "PTX text with directives")->required();
  command->add_option("--directives", options->directives,
                      "the file whose comments are the directives, as the .ll that the PTX was made of");
  command->add_option("--threads", options->threads, "host threads (default: all cores)")
      ->check(thread_counts);
  add_jit_option(*command, options->jit);
  command->add_flag("--check", options->check, "with every checker: what one finds is not as expected");
  command->add_flag("--json", options->json, "print what is not as expected as JSON");
  add_contract_option(*command, options->contract);
  add_limit_options(*command, options->limits);
  command->callback([options, &exit_code] { exit_code = run(*options); });
}

}  // namespace wedjat::cli
