// wedjat fuzz --seeds FIRST..LAST
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <atomic>
#include <cerrno>
#include <charconv>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <limits>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>
#include <stdexcept>
#include <thread>

#include "cli/commands/commands.h"
#include "cli/fuzz/campaign.h"
#include "cli/fuzz/reduced.h"
#include "cli/fuzz/search.h"
#include "cli/options/interruption.h"
#include "cli/options/jit_option.h"
#include "cli/options/numbers.h"
#include "cli/terminal/exit_codes.h"
#include "cli/terminal/terminal.h"
#include "emulator/compile/tier/tier.h"
#include "emulator/programs/families.h"
#include "traces/format/error.h"

namespace wedjat::cli {
namespace {

namespace fs = std::filesystem;

struct FuzzOptions {
  std::string seeds = "1..100", folder, journal;
  std::vector<std::string> weights;
  fuzz::Settings settings;
  unsigned threads = 0, contexts = 2;
  double kernel_seconds = 20;
  double seconds = std::numeric_limits<double>::infinity();
  bool no_tiers = false, no_check = false, no_known = false, print = false, json = false, judge = false;
  std::string open;  // what programs leave open
  gpu::Verdicts verdicts;
};

std::uint32_t parse_seed(std::string_view text) {
  std::uint32_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size())
    throw std::invalid_argument(fmt::format("'{}' is not a seed, a number below 2^32", text));
  return number;
}

fuzz::Seeds parse_seeds(const std::string& text) {
  const auto dots = text.find("..");
  fuzz::Seeds seeds;
  seeds.first = parse_seed(std::string_view(text).substr(0, dots));
  seeds.last = dots == std::string::npos ? seeds.first : parse_seed(std::string_view(text).substr(dots + 2));
  if (seeds.last < seeds.first)
    throw std::invalid_argument("'" + text + "': the last seed is less than the first");
  return seeds;
}

std::set<std::string> known_opcodes() {
  std::set<std::string> known;
  for (unsigned use = 0; use < programs::uses; ++use)
    for (const programs::Family& family : programs::families(static_cast<programs::Use>(use)))
      known.emplace(family.opcode);
  return known;
}

void parse_weights(const FuzzOptions& options, programs::Options& to) {
  if (options.weights.empty()) return;
  const std::set<std::string> known = known_opcodes();
  for (const std::string& text : options.weights) {
    const auto equals = text.find('=');
    if (equals == std::string::npos) throw std::invalid_argument("'" + text + "' is not OPCODE=WEIGHT");
    const std::uint32_t weight = parse_seed(std::string_view(text).substr(equals + 1));
    if (weight > 1000) throw std::invalid_argument("'" + text + "': a weight is at most 1000");
    const std::string opcode = text.substr(0, equals);
    if (!known.contains(opcode))
      throw std::invalid_argument(
          fmt::format("'{}': programs hold no {}, but {}", text, opcode, fmt::join(known, " ")));
    to.weights[opcode] = weight;
  }
}

// Of all threads together; the rest is waiting.
nlohmann::json shares(const fuzz::Outcome& outcome) {
  const auto seconds = [](const std::atomic<std::uint64_t>& nanoseconds) {
    return static_cast<double>(nanoseconds) * 1e-9;
  };
  return {{"generating", seconds(outcome.spent.generating)},
          {"interpreting", seconds(outcome.spent.interpreting)},
          {"others", seconds(outcome.spent.others)},
          {"gpu", seconds(outcome.spent.gpu)}};
}

nlohmann::json told(std::uint32_t seed, const fuzz::Disagreement& disagreement) {
  return {{"seed", seed}, {"kind", fuzz::name_of(disagreement.kind)}, {"message", disagreement.message}};
}

// A line for each disagreement as it is found, and every second how far it is: a machine may not come back.
class Journal {
 public:
  explicit Journal(const std::string& path) {
    if (path.empty()) return;
    out_.open(path, std::ios::binary);
    if (!out_) throw traces::FormatError(path, std::string("cannot be written: ") + std::strerror(errno));
  }
  void add(std::uint32_t seed, const fuzz::Disagreement* found, const fuzz::Outcome& outcome) {
    if (found != nullptr) out_ << told(seed, *found).dump() << std::endl;
    if (outcome.seconds < next_) return;
    out_ << nlohmann::json{{"seeds", outcome.tried},
                           {"disagreements", outcome.found.size()},
                           {"seconds", outcome.seconds},
                           {"spent", shares(outcome)}}
                .dump()
         << std::endl;
    next_ = outcome.seconds + 1;
  }

 private:
  std::ofstream out_;
  double next_ = 1;
};

constexpr traces::Judged all_verdicts[] = {traces::Judged::agrees, traces::Judged::open,
                                           traces::Judged::unknown, traces::Judged::machine_code};

nlohmann::json to_json(gpu::Verdicts& verdicts) {
  nlohmann::json counts = nlohmann::json::object();
  for (const traces::Judged judged : all_verdicts)
    counts[traces::judged_name(judged)] = verdicts.of(judged).load();
  return counts;
}

// Checkers and other ways to run a program need not agree about what it leaves open.
void choose_open(FuzzOptions& options) {
  programs::Options& program = options.settings.program;
  program.races = options.open == "races";
  program.unwritten = options.open == "unwritten";
  program.payloads = options.open == "payloads";
  program.unrounded = options.open == "contraction";
  options.settings.open = !options.open.empty();
  if (!options.settings.open) return;
  if (!options.judge && !options.print)
    throw std::invalid_argument("--leave-open: only a judge can be asked about such programs (--judge)");
  options.no_tiers = options.no_check = options.no_known = true;
}

// Each to a folder of its own. What has the same instructions in the end as one before is likely to be the
// same fault, and its folder goes: that is told, by seed.
nlohmann::json reduce_all(const FuzzOptions& options, const std::map<std::string, std::uint32_t>& distinct,
                          const std::map<std::uint32_t, fuzz::Disagreement>& found, unsigned threads) {
  std::map<std::string, std::uint32_t> left;  // by the instructions
  nlohmann::json again = nlohmann::json::object();
  for (const auto& [signature, seed] : distinct) {
    fuzz::Settings settings = options.settings;
    settings.program.seed = seed;
    const fs::path folder = fs::path(options.folder) / std::to_string(seed);
    const std::string instructions = fuzz::write_reduced(folder, settings, found.at(seed), threads);
    const auto [same, fresh] = left.try_emplace(instructions, seed);
    if (fresh) continue;
    fs::remove_all(folder);
    again[std::to_string(seed)] = same->second;
    if (!options.json)
      fmt::print("seed {}: reduced it has the instructions of seed {}\n", seed, same->second);
  }
  return again;
}

int run(FuzzOptions& options) {
  end_launches_on_signals(Then::keep);
  const fuzz::Seeds seeds = parse_seeds(options.seeds);
  parse_weights(options, options.settings.program);
  choose_open(options);
  if (options.judge && options.settings.levels.empty() && !options.print)
    throw std::invalid_argument("--judge: what a GPU leaves is judged, so --gpu has to say at which levels");
  if (options.judge) options.settings.verdicts = &options.verdicts;
  options.settings.check = !options.no_check;
  options.settings.tiers = !options.no_tiers;
  options.settings.known = !options.no_known;
  if (!options.folder.empty() && !options.print) {
    std::error_code error;
    fs::create_directories(options.folder, error);
    if (error) throw traces::FormatError(options.folder, "cannot be made: " + error.message());
  }
  if (options.print) {
    options.settings.program.seed = seeds.first;
    fmt::print("{}", fuzz::file_of(options.settings.program));
    return all_well;
  }
  const unsigned threads =
      options.threads != 0 ? options.threads : std::max(1u, std::thread::hardware_concurrency());
  if (options.settings.tiers) require_native_code("without --no-tiers", compile::Tier({}).missing());
  std::optional<gpu::Gpu> gpu;
  if (!options.settings.levels.empty())
    options.settings.gpu =
        &gpu.emplace(gpu::Options{options.settings.ptxas, options.kernel_seconds, options.contexts});
  fuzz::Outcome outcome;
  Progress progress("seeds");
  Journal journal(options.journal);
  fuzz::search(
      options.settings, seeds, threads, options.seconds,
      [&](std::uint32_t seed, const fuzz::Disagreement* found) {
        journal.add(seed, found, outcome);
        check_interruption();
        progress.update(outcome.tried, seeds.count());
      },
      outcome);
  const auto& found = outcome.found;

  std::map<std::string, std::uint32_t> distinct;  // by signature, the first seed
  for (const auto& [seed, disagreement] : found) distinct.try_emplace(disagreement.signature(), seed);
  nlohmann::json list = nlohmann::json::array();
  for (const auto& [seed, disagreement] : found) {
    list.push_back(told(seed, disagreement));
    if (!options.json)
      fmt::print("seed {}: {}: {}\n", seed, fuzz::name_of(disagreement.kind), disagreement.message);
  }
  const nlohmann::json again =
      options.folder.empty() ? nlohmann::json::object() : reduce_all(options, distinct, found, threads);
  if (options.json)
    print_json({{"seeds", outcome.tried},
                {"disagreements", std::move(list)},
                {"distinct", distinct.size() - again.size()},
                {"again", again},
                {"seconds", outcome.seconds},
                {"spent", shares(outcome)},
                {"verdicts", options.judge ? to_json(options.verdicts) : nlohmann::json()}});
  else
    fmt::print("{} programs, {} disagreements, {} distinct; {:.1f} programs a second\n",
               grouped(outcome.tried), grouped(found.size()), grouped(distinct.size() - again.size()),
               static_cast<double>(outcome.tried) / outcome.seconds);
  if (options.judge && !options.json)
    for (const traces::Judged judged : all_verdicts)
      fmt::print("{}: {}\n", traces::judged_name(judged), grouped(options.verdicts.of(judged)));
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
      "checker, and given to ptxas, or the GPU, if there is one. With --output each distinct disagreement "
      "is\n"
      "reduced. Seeds done are those from the first one on.\n"
      "Exit codes: 0 all agree, 1 some do not, 2 wrong arguments, 3 a file cannot be written.");
  command->add_option("--seeds", options->seeds, "FIRST..LAST, or one")->capture_default_str();
  command
      ->add_option("--statements", options->settings.program.statements,
                   "about so many on the outermost level")
      ->check(CLI::Range(1, 1000))
      ->capture_default_str();
  command->add_option("--weight", options->weights, "OPCODE=WEIGHT of a family of instructions; 0: never")
      ->allow_extra_args(false);
  command->add_option(
      "--ptxas", options->settings.ptxas,
      "a ptxas that has to accept every kernel; with --gpu it compiles them, and not the driver");
  command->add_flag("--no-tiers", options->no_tiers, "without native code");
  command->add_flag("--no-check", options->no_check, "without checkers");
  command->add_flag("--no-known", options->no_known, "without what ptxas is known to do to values");
  command->add_option("-o,--output", options->folder, "folder for disagreements, reduced");
  CLI::Option* const gpu =
      command
          ->add_option("--gpu", options->settings.levels,
                       "run each on the GPU of this machine, at these levels of the driver's compiler: 0,4")
          ->delimiter(',')
          ->check(CLI::Range(0u, gpu::levels - 1));
  command->add_option("--contexts", options->contexts, "so many processes that run kernels on the GPU")
      ->needs(gpu)
      ->check(CLI::Range(1, 64))
      ->capture_default_str();
  command
      ->add_option("--kernel-seconds", options->kernel_seconds,
                   "that a kernel may take on the GPU, with its compilation by the driver")
      ->needs(gpu)
      ->check(above_zero)
      ->capture_default_str();
  command
      ->add_option("--together", options->settings.together,
                   "with --gpu: so many kernels are compiled and loaded in one file")
      ->needs(gpu)
      ->check(CLI::Range(1, 64))
      ->capture_default_str();
  command->add_flag(
      "--judge", options->judge,
      "with --gpu: say of each kernel, at each level, what wedjat judge says; a verdict that is "
      "not true of such\nprograms is a disagreement");
  command
      ->add_option("--leave-open", options->open,
                   "with --judge: programs leave something open, so no machine code may be blamed for it")
      ->check(CLI::IsMember({"races", "unwritten", "payloads", "contraction"}));
  command->add_option("--journal", options->journal,
                      "a file for disagreements as they are found, and how far it is, a line of JSON each");
  command->add_option("--seconds", options->seconds, "begin with no seed after so many seconds")
      ->check(above_zero);
  command->add_flag("--print", options->print, "print the kernel of the first seed, and do nothing else");
  command->add_option("--threads", options->threads, "kernels at the same time (default: all cores)")
      ->check(thread_counts);
  command->add_flag("--json", options->json, "print disagreements as JSON");
  command->callback([options, &exit_code] { exit_code = run(*options); });
}

}  // namespace wedjat::cli
