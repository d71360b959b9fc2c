// wedjat reduce FILE.ptx -o FOLDER
#include <fmt/format.h>

#include <exception>
#include <filesystem>
#include <map>
#include <memory>
#include <mutex>
#include <nlohmann/json.hpp>
#include <optional>
#include <stdexcept>
#include <thread>

#include "cli/commands/commands.h"
#include "cli/options/interruption.h"
#include "cli/options/jit_option.h"
#include "cli/options/kernel_options.h"
#include "cli/options/numbers.h"
#include "cli/reduce/files.h"
#include "cli/terminal/exit_codes.h"
#include "cli/terminal/terminal.h"
#include "emulator/compile/tier/tier.h"
#include "emulator/device/error.h"

namespace wedjat::cli {
namespace {

namespace fs = std::filesystem;

struct ReduceOptions {
  std::vector<std::string> files, avoided;
  std::string folder, ptxas;
  reduce::FileQuestion asked;
  bool check = false, json = false;
  unsigned threads = 0;
  JitOption jit;
};

void choose_for_candidates(const ReduceOptions& options, WedjatRunOptions& run) {
  run.size = sizeof run;
  run.threads = 1;  // candidates run beside each other
  choose(options.jit, run);
  choose(options.asked.running.contract, options.asked.running.limits, run);
  run.check = options.check;
}

nlohmann::json to_json(const reduce::Sizes& sizes) {
  return {{"statements", sizes.statements},
          {"bytes", sizes.bytes},
          {"input_bytes", sizes.input_bytes},
          {"threads", sizes.threads}};
}

nlohmann::json to_json(const reduce::Reduced& reduced, const fs::path& folder) {
  return {{"verdict", reduced.verdict},        {"original", to_json(reduced.before)},
          {"reduced", to_json(reduced.after)}, {"tried", reduced.tried},
          {"in_time", reduced.in_time},        {"folder", folder.string()}};
}

void print(const reduce::Reduced& reduced, const fs::path& folder) {
  const auto& [verdict, before, after, tried, in_time] = reduced;
  fmt::print(
      "{}\nfrom {} statements, {} bytes of inputs, {} threads\nto   {} statements, {} bytes of inputs, {} "
      "threads; {} candidates{}\n{}\n",
      verdict, before.statements, grouped(before.input_bytes), grouped(before.threads), after.statements,
      grouped(after.input_bytes), grouped(after.threads), grouped(tried),
      in_time ? "" : "; more may go, there was no more time", (folder / "reduced.ptx").string());
}

int reduce_one(const ReduceOptions& options) {
  Progress progress("reducing");
  const reduce::Reduced reduced =
      reduce::reduce_file(options.asked, options.files[0], options.folder, options.threads,
                          [&](const std::string&, std::uint64_t done, std::uint64_t all) {
                            check_interruption();
                            progress.update(done, all);
                          });
  if (options.json)
    print_json(to_json(reduced, options.folder));
  else
    print(reduced, options.folder);
  return all_well;
}

std::map<std::string, fs::path> folders_of(const ReduceOptions& options) {
  std::map<std::string, fs::path> folders;  // by file
  std::map<fs::path, std::string> taken;
  for (const std::string& file : options.files) {
    const fs::path folder = fs::path(options.folder) / fs::path(file).stem();
    const auto [other, fresh] = taken.try_emplace(folder, file);
    if (!fresh)
      throw std::invalid_argument(fmt::format("{} and {} have the same name: both would go to {}",
                                              other->second, file, folder.string()));
    folders[file] = folder;
  }
  return folders;
}

// Files beside each other, each by one thread: so no candidate is asked in vain. One that cannot be reduced
// is told, and does not keep the others.
int reduce_all(const ReduceOptions& options) {
  const std::map<std::string, fs::path> folders = folders_of(options);
  Progress progress("files");
  std::mutex mutex;
  std::size_t next = 0, done = 0, failed = 0;
  std::exception_ptr interruption;
  nlohmann::json list = nlohmann::json::array();
  const auto work = [&] {
    for (std::unique_lock lock(mutex); next < options.files.size() && !interruption;) {
      const std::string& file = options.files[next++];
      const fs::path& folder = folders.at(file);
      lock.unlock();
      std::optional<reduce::Reduced> reduced;
      std::string failure;
      std::exception_ptr ended;
      try {
        reduced = reduce::reduce_file(
            options.asked, file, folder, 1,
            [](const std::string&, std::uint64_t, std::uint64_t) { check_interruption(); });
      } catch (const device::Interrupted&) {
        ended = std::current_exception();
      } catch (const std::exception& error) {
        failure = error.what();
      }
      lock.lock();
      if (ended) {
        interruption = ended;
        break;
      }
      progress.update(++done, options.files.size());
      failed += !reduced.has_value();
      if (options.json) {
        list.push_back(reduced ? to_json(*reduced, folder) : nlohmann::json{{"error", failure}});
        list.back()["file"] = file;
      } else if (reduced) {
        print(*reduced, folder);
      } else {
        fmt::print("{}: {}\n", file, failure);
      }
    }
  };
  std::vector<std::thread> others;
  const std::size_t threads =
      options.threads != 0 ? options.threads : std::max(1u, std::thread::hardware_concurrency());
  for (std::size_t i = 1; i < std::min(threads, options.files.size()); ++i) others.emplace_back(work);
  work();
  for (std::thread& other : others) other.join();
  if (interruption) std::rethrow_exception(interruption);
  if (options.json) print_json(list);
  return failed == 0 ? all_well : wrong_arguments;
}

int run(ReduceOptions& options) {
  reduce::Question& question = options.asked.question;
  if ((question.test.empty() ? 0 : 1) + (question.keeps.empty() ? 0 : 1) + question.differs + question.tiers +
          question.known + question.level.has_value() !=
      1)
    throw std::invalid_argument(
        "say what is to stay: one of --test, --keeps, --differs, --tiers, --known, --gpu");
  for (const std::string& text : options.avoided) question.avoided.emplace_back(text);
  if (options.files.size() > 1 && !options.asked.directives.empty())
    throw std::invalid_argument("--directives is of one file, and several are given");
  // Else every candidate would keep the warning that there is none.
  if (question.tiers) require_native_code("--tiers", compile::Tier({}).missing());
  end_launches_on_signals(Then::keep);
  choose_for_candidates(options, question.run);
  std::optional<gpu::Gpu> gpu;
  if (question.level)
    question.gpu =
        &gpu.emplace(gpu::Options{.ptxas = options.ptxas, .seconds = question.seconds, .contexts = 4});
  return options.files.size() == 1 ? reduce_one(options) : reduce_all(options);
}

}  // namespace

void add_reduce_command(CLI::App& app, int& exit_code) {
  auto options = std::make_shared<ReduceOptions>();
  options->asked.running.limits.step_limit = 1u << 20;
  CLI::App* command =
      app.add_subcommand("reduce", "Make a PTX file and its inputs smaller while a fault stays");
  command->footer(
      "The file says by comments how it is launched (`wedjat expect --help`). FOLDER gets original.ptx,\n"
      "reduced.ptx, which has launches and inputs in its comments, report.md, a text for a bug report, and\n"
      "bundle, where it is one launch that ends: PTX, inputs, expected bytes, a program in C and a "
      "Makefile,\n"
      "to show the fault on any machine with the toolkit. The result does not depend on --threads, but for\n"
      "--seconds. A fault of ptxas, on a machine with a GPU: --gpu 3 --ptxas PTXAS --well-defined.\n"
      "Exit codes: 0 reduced, 2 the file does not show the fault, or wrong arguments, 3 broken input,\n"
      "130 interrupted (128 and the signal): what was reached is written, but for the bundle.");
  reduce::Question& question = options->asked.question;
  command
      ->add_option("file", options->files,
                   "PTX text with directives. Several are reduced beside each other, each to a folder of its "
                   "name in FOLDER")
      ->required();
  command->add_option("--directives", options->asked.directives,
                      "the file whose comments are the directives");
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
  CLI::Option* const gpu = command->add_option(
      "--gpu", question.level,
      "stays: the GPU of this machine leaves other values, its driver compiling at this level;\n"
      "and if it does not at level 0, that stays too");
  gpu->check(CLI::Range(0u, gpu::levels - 1));
  command->add_option("--ptxas", options->ptxas, "for --gpu: this ptxas compiles, and not the driver")
      ->needs(gpu);
  command->add_flag("--well-defined", question.defined,
                    "and besides: no checker finds anything, and with --gpu: the PTX does not leave it open");
  command
      ->add_option(
          "--avoid", options->avoided,
          "and besides: no more statements match this regular expression (as grep -E reads it) than\n"
          "do in FILE; any number")
      ->allow_extra_args(false);
  command
      ->add_option("--seconds", options->asked.seconds,
                   "begin with no candidate of a file after so many seconds: what was reached is the result")
      ->check(above_zero);
  command->add_flag("--check", options->check, "with every checker");
  command
      ->add_option("--timeout", question.seconds, "seconds that --test or --gpu may take for one candidate")
      ->check(above_zero)
      ->capture_default_str();
  command->add_option("--threads", options->threads, "candidates at the same time (default: all cores)")
      ->check(thread_counts);
  command->add_flag("--json", options->json, "print sizes and verdict as JSON");
  add_jit_option(*command, options->jit);
  add_contract_option(*command, options->asked.running.contract);
  add_limit_options(*command, options->asked.running.limits);
  command->get_option("--step-limit")
      ->description(
          "a candidate fails when one CTA has run so many warp instructions (default: 1048576; 0: never)");
  command->callback([options, &exit_code] { exit_code = run(*options); });
}

}  // namespace wedjat::cli
