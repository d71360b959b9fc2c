// wedjat reduce FILE.ptx -o FOLDER
#include <fmt/format.h>

#include <filesystem>
#include <fstream>
#include <memory>
#include <nlohmann/json.hpp>
#include <stdexcept>

#include "cli/commands/commands.h"
#include "cli/options/interruption.h"
#include "cli/options/jit_option.h"
#include "cli/options/kernel_options.h"
#include "cli/reduce/bundled.h"
#include "cli/reduce/reduce.h"
#include "cli/terminal/exit_codes.h"
#include "cli/terminal/terminal.h"
#include "traces/format/error.h"
#include "traces/format/file.h"

namespace wedjat::cli {
namespace {

namespace fs = std::filesystem;

struct ReduceOptions {
  std::string file, directives, folder, ptxas;
  reduce::Question question;
  bool check = false, json = false;
  unsigned threads = 0;
  kernel::Contract contract = kernel::Contract::ptxas;
  device::LaunchLimits limits;
  JitOption jit;
};

void write_file(const fs::path& path, const std::string& text) {
  std::ofstream out(path, std::ios::binary);
  out << text;
  out.close();
  if (!out) throw traces::FormatError(path.string(), "cannot be written");
}

void choose_for_candidates(const ReduceOptions& options, WedjatRunOptions& run) {
  run.size = sizeof run;
  run.threads = 1;  // candidates run beside each other
  choose(options.jit, run);
  choose(options.contract, options.limits, run);
  run.check = options.check;
}

nlohmann::json to_json(const reduce::Sizes& sizes) {
  return {{"statements", sizes.statements},
          {"bytes", sizes.bytes},
          {"input_bytes", sizes.input_bytes},
          {"threads", sizes.threads}};
}

int run(ReduceOptions& options) {
  const reduce::Question& question = options.question;
  if ((question.test.empty() ? 0 : 1) + (question.keeps.empty() ? 0 : 1) + question.differs + question.tiers +
          question.known + question.level.has_value() !=
      1)
    throw std::invalid_argument(
        "say what is to stay: one of --test, --keeps, --differs, --tiers, --known, --gpu");
  end_launches_on_signals();
  choose_for_candidates(options, options.question.run);
  std::optional<gpu::Gpu> gpu;
  if (question.level)
    options.question.gpu =
        &gpu.emplace(gpu::Options{.ptxas = options.ptxas, .seconds = question.seconds, .contexts = 4});
  const std::string ptx = traces::read_file(options.file);
  const std::string& beside = options.directives.empty() ? options.file : options.directives;
  reduce::Case original{
      reduce::split(ptx),
      expect::parse(beside, options.directives.empty() ? ptx : traces::read_file(beside), true)};
  reduce::Case best = original;
  const reduce::Verdict verdict(question, best);
  std::error_code error;
  fs::create_directories(options.folder, error);
  if (error) throw traces::FormatError(options.folder, "cannot be made: " + error.message());
  write_file(fs::path(options.folder) / "original.ptx", original.text());

  Progress progress("reducing");
  reduce::Search search(verdict, options.threads,
                        [&](const std::string&, std::uint64_t done, std::uint64_t all) {
                          check_interruption();
                          progress.update(done, all);
                        });
  const auto finish = [&](bool to_its_end) {
    const reduce::Case done = verdict.finished(best);
    write_file(fs::path(options.folder) / "reduced.ptx", done.text());
    const std::string elsewhere = to_its_end ? reduce::write_bundle(fs::path(options.folder) / "bundle", done,
                                                                    options.contract, options.limits)
                                             : "";
    write_file(fs::path(options.folder) / "report.md",
               reduce::report(verdict, original, done, fs::path(options.file).filename().string(),
                              search.tried(), elsewhere));
  };
  try {
    reduce::reduce(best, search);
  } catch (...) {
    finish(false);  // as far as it came
    throw;
  }
  finish(true);
  const reduce::Sizes before = reduce::sizes_of(original), after = reduce::sizes_of(best);
  if (options.json)
    print_json({{"verdict", verdict.text()},
                {"original", to_json(before)},
                {"reduced", to_json(after)},
                {"tried", search.tried()},
                {"folder", options.folder}});
  else
    fmt::print(
        "{}\nfrom {} statements, {} bytes of inputs, {} threads\nto   {} statements, {} bytes of inputs, {} "
        "threads; {} candidates\n{}\n",
        verdict.text(), before.statements, grouped(before.input_bytes), grouped(before.threads),
        after.statements, grouped(after.input_bytes), grouped(after.threads), grouped(search.tried()),
        (fs::path(options.folder) / "reduced.ptx").string());
  return all_well;
}

}  // namespace

void add_reduce_command(CLI::App& app, int& exit_code) {
  auto options = std::make_shared<ReduceOptions>();
  options->limits.step_limit = 1u << 20;
  CLI::App* command =
      app.add_subcommand("reduce", "Make a PTX file and its inputs smaller while a fault stays");
  command->footer(
      "The file says by comments how it is launched (`wedjat expect --help`). FOLDER gets original.ptx,\n"
      "reduced.ptx, which has launches and inputs in its comments, report.md, a text for a bug report, and\n"
      "bundle, where it is one launch that ends: PTX, inputs, expected bytes, a program in C and a Makefile, "
      "to\n"
      "show the fault on any machine with the toolkit. The result does not depend on --threads. Exit codes: "
      "0 reduced, 2 the file does not show the fault, or "
      "wrong\n"
      "arguments, 3 broken input, 130 interrupted: what was reached is written.");
  reduce::Question& question = options->question;
  command->add_option("file", options->file, "PTX text with directives")->required();
  command->add_option("--directives", options->directives, "the file whose comments are the directives");
  command->add_option("-o,--output", options->folder, "folder for the result")->required();
  command->add_option("--test", question.test,
                      "stays: this program, called with the file's name, ends with exit code 0");
  command->add_option(
      "--keeps", question.keeps,
      "stays: this text is in an error (loading, launching, running), or with --check in a finding");
  command->add_flag("--differs", question.differs,
                    "stays: the first value that is not as expected is what it is, where it is");
  command->add_flag("--tiers", question.tiers,
                    "stays: the interpreter and native code come to different results");
  command->add_flag("--known", question.known,
                    "stays: what ptxas is known to do to values (--contract) changes results");
  command
      ->add_option("--gpu", question.level,
                   "stays: the GPU of this machine leaves other values, its driver compiling at this level;\n"
                   "and if it does not at level 0, that stays too")
      ->check(CLI::Range(0u, gpu::levels - 1));
  command->add_option("--ptxas", options->ptxas, "for --gpu: this ptxas compiles, and not the driver");
  command->add_flag("--well-defined", question.defined, "and besides: no checker finds anything");
  command->add_flag("--check", options->check, "with every checker");
  command
      ->add_option("--timeout", question.seconds, "seconds that --test or --gpu may take for one candidate")
      ->check(CLI::PositiveNumber)
      ->capture_default_str();
  command->add_option("--threads", options->threads, "candidates at the same time (default: all cores)")
      ->check(thread_counts);
  command->add_flag("--json", options->json, "print sizes and verdict as JSON");
  add_jit_option(*command, options->jit);
  add_contract_option(*command, options->contract);
  add_limit_options(*command, options->limits);
  command->callback([options, &exit_code] { exit_code = run(*options); });
}

}  // namespace wedjat::cli
