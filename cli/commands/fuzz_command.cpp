// wedjat fuzz --seeds FIRST..LAST
#include <fmt/format.h>

#include <atomic>
#include <charconv>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <map>
#include <memory>
#include <mutex>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <thread>

#include "cli/commands/commands.h"
#include "cli/fuzz/batch.h"
#include "cli/fuzz/campaign.h"
#include "cli/fuzz/reduced.h"
#include "cli/options/interruption.h"
#include "cli/terminal/exit_codes.h"
#include "cli/terminal/terminal.h"
#include "emulator/compile/tier/tier.h"
#include "emulator/device/error.h"
#include "traces/format/error.h"

namespace wedjat::cli {
namespace {

namespace fs = std::filesystem;
using Found = std::map<std::uint32_t, fuzz::Disagreement>;  // by seed

struct FuzzOptions {
  std::string seeds = "1..100", folder, batch;
  std::vector<std::string> weights;
  fuzz::Settings settings;
  unsigned threads = 0;
  bool no_tiers = false, no_check = false, print = false, json = false;
};

std::uint32_t parse_seed(std::string_view text) {
  std::uint32_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size())
    throw std::invalid_argument(fmt::format("'{}' is not a seed, a number below 2^32", text));
  return number;
}

struct Seeds {
  std::uint32_t first = 0, last = 0;
  std::uint64_t count() const { return std::uint64_t{last} - first + 1; }
};

Seeds parse_seeds(const std::string& text) {
  const auto dots = text.find("..");
  Seeds seeds;
  seeds.first = parse_seed(std::string_view(text).substr(0, dots));
  seeds.last = dots == std::string::npos ? seeds.first : parse_seed(std::string_view(text).substr(dots + 2));
  if (seeds.last < seeds.first)
    throw std::invalid_argument("'" + text + "': the last seed is less than the first");
  return seeds;
}

void parse_weights(const FuzzOptions& options, programs::Options& to) {
  for (const std::string& text : options.weights) {
    const auto equals = text.find('=');
    if (equals == std::string::npos) throw std::invalid_argument("'" + text + "' is not OPCODE=WEIGHT");
    const std::uint32_t weight = parse_seed(std::string_view(text).substr(equals + 1));
    if (weight > 1000) throw std::invalid_argument("'" + text + "': a weight is at most 1000");
    to.weights[text.substr(0, equals)] = weight;
  }
}

// Calls `each(seed)` for all seeds on so many threads; the first exception ends it.
template <class Each>
void for_all(const Seeds& seeds, unsigned threads, const Each& each) {
  std::atomic<std::uint64_t> next = 0;
  std::mutex mutex;
  std::exception_ptr error;
  Progress progress("seeds");
  const auto work = [&] {
    for (std::uint64_t i = next++; i < seeds.count(); i = next++) {
      try {
        check_interruption();
        each(static_cast<std::uint32_t>(seeds.first + i), mutex);
        const std::scoped_lock lock(mutex);
        progress.update(i, seeds.count());
      } catch (...) {
        const std::scoped_lock lock(mutex);
        if (!error) error = std::current_exception();
        next = seeds.count();
      }
    }
  };
  std::vector<std::thread> others;
  for (unsigned i = 1; i < threads; ++i) others.emplace_back(work);
  work();
  for (std::thread& other : others) other.join();
  if (error) std::rethrow_exception(error);
}

void write_batch(const FuzzOptions& options, const Seeds& seeds, unsigned threads) {
  fuzz::begin_batch(options.batch);
  std::map<std::uint32_t, std::string> lines;
  for_all(seeds, threads, [&](std::uint32_t seed, std::mutex& mutex) {
    programs::Options program = options.settings.program;
    program.seed = seed;
    const std::string line = fuzz::add_to_batch(options.batch, program);
    const std::scoped_lock lock(mutex);
    lines[seed] = line;
  });
  std::string list;
  for (const auto& [seed, line] : lines) list += line;
  fuzz::end_batch(options.batch, list);
  fmt::print("{} kernels in {}: `make` there runs them on a GPU\n", grouped(seeds.count()), options.batch);
}

Found search(const FuzzOptions& options, const Seeds& seeds, unsigned threads) {
  Found found;
  for_all(seeds, threads, [&](std::uint32_t seed, std::mutex& mutex) {
    fuzz::Settings settings = options.settings;
    settings.program.seed = seed;
    const auto disagreement = fuzz::try_seed(settings);
    if (!disagreement) return;
    const std::scoped_lock lock(mutex);
    found[seed] = *disagreement;
  });
  return found;
}

int run(FuzzOptions& options) {
  end_launches_on_signals();
  const Seeds seeds = parse_seeds(options.seeds);
  parse_weights(options, options.settings.program);
  options.settings.check = !options.no_check;
  options.settings.tiers = !options.no_tiers;
  if (options.print) {
    options.settings.program.seed = seeds.first;
    fmt::print("{}", fuzz::file_of(options.settings.program));
    return all_well;
  }
  const unsigned threads =
      options.threads != 0 ? options.threads : std::max(1u, std::thread::hardware_concurrency());
  if (!options.batch.empty()) {
    write_batch(options, seeds, threads);
    return all_well;
  }
  if (options.settings.tiers)
    if (const std::string missing = compile::Tier({}).missing(); !missing.empty())
      throw device::Refused("no native code: " + missing + " (--no-tiers does without)");
  const auto begin = std::chrono::steady_clock::now();
  const Found found = search(options, seeds, threads);
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();

  std::map<std::string, std::uint32_t> distinct;  // by signature, the first seed
  for (const auto& [seed, disagreement] : found) distinct.try_emplace(disagreement.signature(), seed);
  nlohmann::json list = nlohmann::json::array();
  for (const auto& [seed, disagreement] : found) {
    list.push_back(
        {{"seed", seed}, {"kind", fuzz::name_of(disagreement.kind)}, {"message", disagreement.message}});
    if (!options.json)
      fmt::print("seed {}: {}: {}\n", seed, fuzz::name_of(disagreement.kind), disagreement.message);
  }
  if (!options.folder.empty())
    for (const auto& [signature, seed] : distinct) {
      fuzz::Settings settings = options.settings;
      settings.program.seed = seed;
      fuzz::write_reduced(fs::path(options.folder) / std::to_string(seed), settings, found.at(seed), threads);
    }
  const double rate = static_cast<double>(seeds.count()) / seconds;
  if (options.json)
    print_json({{"seeds", seeds.count()},
                {"disagreements", std::move(list)},
                {"distinct", distinct.size()},
                {"seconds", seconds}});
  else
    fmt::print("{} programs, {} disagreements, {} distinct; {:.1f} programs a second\n",
               grouped(seeds.count()), grouped(found.size()), grouped(distinct.size()), rate);
  return found.empty() ? all_well : differs;
}

}  // namespace

void add_fuzz_command(CLI::App& app, int& exit_code) {
  auto options = std::make_shared<FuzzOptions>();
  CLI::App* command =
      app.add_subcommand("fuzz", "Run random well-defined kernels in every way that has to agree");
  command->footer(
      "A seed gives the same kernel everywhere. Each is interpreted, run as native code and watched by "
      "every\n"
      "checker, and given to ptxas if there is one. With --output each distinct disagreement is reduced.\n"
      "Exit codes: 0 all agree, 1 some do not, 2 wrong arguments, 3 a file cannot be written.");
  command->add_option("--seeds", options->seeds, "FIRST..LAST, or one")->capture_default_str();
  command
      ->add_option("--statements", options->settings.program.statements,
                   "about so many on the outermost level")
      ->check(CLI::Range(1, 1000))
      ->capture_default_str();
  command->add_option("--weight", options->weights, "OPCODE=WEIGHT of a family of instructions; 0: never")
      ->allow_extra_args(false);
  command->add_option("--ptxas", options->settings.ptxas, "a ptxas that has to accept every kernel");
  command->add_flag("--no-tiers", options->no_tiers, "without native code");
  command->add_flag("--no-check", options->no_check, "without checkers");
  command->add_option("-o,--output", options->folder, "folder for disagreements, reduced");
  command->add_option("--batch", options->batch,
                      "write the kernels, what they should compute, and a C program that runs them on a GPU");
  command->add_flag("--print", options->print, "print the kernel of the first seed, and do nothing else");
  command->add_option("--threads", options->threads, "kernels at the same time (default: all cores)")
      ->check(thread_counts);
  command->add_flag("--json", options->json, "print disagreements as JSON");
  command->callback([options, &exit_code] { exit_code = run(*options); });
}

}  // namespace wedjat::cli
