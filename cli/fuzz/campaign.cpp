#include "cli/fuzz/campaign.h"

#include <fmt/format.h>

#include <cctype>
#include <chrono>

#include "cli/foreign/program.h"
#include "cli/fuzz/hardware.h"

namespace wedjat::fuzz {
namespace {

using Kind = Disagreement::Kind;

std::string first_line(const std::string& text) { return text.substr(0, text.find('\n')); }

std::optional<Disagreement> ask_ptxas(const Settings& settings) {
  std::string said;
  const std::vector<std::string> command = {settings.ptxas, "-arch=sm_90", "-O0", "-o", "/dev/null"};
  if (foreign::says_yes(command, file_of(settings.program), foreign::ptxas_seconds, &said))
    return std::nullopt;
  return Disagreement{Kind::ptxas, said.empty() ? "ptxas ended without a word" : first_line(said)};
}

std::optional<Disagreement> ask_others(const Settings& settings, const expect::Inputs& inputs,
                                       const expect::Results& interpreted) {
  if (settings.known) {
    WedjatRunOptions run = run_options(WEDJAT_JIT_OFF);
    run.contract = WEDJAT_CONTRACT_NONE;
    if (expect::results(inputs, run) != interpreted)
      return Disagreement{Kind::known,
                          "what ptxas does to values on the way to hardware leaves others in memory"};
  }
  if (settings.tiers) {
    std::string warnings;
    WedjatRunOptions run = run_options(WEDJAT_JIT_ALL);
    run.warn = [](void* to, const char* text, std::size_t bytes) {
      static_cast<std::string*>(to)->append(text, bytes);
    };
    run.warn_user = &warnings;
    const expect::Results native = expect::results(inputs, run);
    if (!warnings.empty()) return Disagreement{Kind::tiers, first_line(warnings)};
    if (native != interpreted)
      return Disagreement{Kind::tiers, native.failure.empty() ? "native code leaves other values in memory"
                                                              : "native code: " + first_line(native.failure)};
  }
  if (settings.check) {
    WedjatRunOptions run = run_options(WEDJAT_JIT_OFF);
    run.check = 1;
    const auto complaints = expect::run(inputs, run);
    if (!complaints.empty()) return Disagreement{Kind::finding, first_line(complaints.front().message)};
  }
  return settings.ptxas.empty() || settings.gpu != nullptr ? std::nullopt : ask_ptxas(settings);
}

template <class What>
void timed(std::atomic<std::uint64_t>& spent, const What& what) {
  const auto begin = std::chrono::steady_clock::now();
  what();
  spent +=
      static_cast<std::uint64_t>((std::chrono::steady_clock::now() - begin) / std::chrono::nanoseconds(1));
}

}  // namespace

WedjatRunOptions run_options(std::uint32_t jit) {
  WedjatRunOptions run{};
  run.size = sizeof run;
  run.threads = 1;  // seeds run beside each other
  run.jit = jit;
  run.step_limit = 1u << 22;
  return run;
}

const char* name_of(Kind kind) {
  static constexpr const char* names[] = {"failure", "finding", "tiers", "known", "ptxas", "gpu", "verdict"};
  return names[static_cast<int>(kind)];
}

// Without numbers, which are those of lines, registers and values.
std::string Disagreement::signature() const {
  std::string text = name_of(kind);
  text += ' ';
  for (const char c : message)
    if (!std::isdigit(static_cast<unsigned char>(c))) text += c;
  return text;
}

std::string file_of(const programs::Options& options) {
  return fmt::format(
             "// seed {0}\n// wedjat: launch k{4} grid={1} block={2}\n// wedjat: inout p: b32[{3}] = random "
             "{0}\n"
             "// wedjat: ignore p: b32\n",
             options.seed, programs::ctas, programs::threads,
             programs::ctas * programs::threads * programs::words, options.suffix) +
         programs::random_program(options);
}

expect::Inputs inputs_of(const programs::Options& options) {
  expect::Inputs inputs;
  inputs.ptx_file = inputs.file = fmt::format("{}.ptx", options.seed);
  inputs.ptx = file_of(options);
  inputs.launches = expect::parse(inputs.file, inputs.ptx);
  return inputs;
}

std::optional<Disagreement> try_seed(const Settings& settings, Spent& spent) {
  const auto found = try_seeds(settings, 1, spent);
  if (found.empty()) return std::nullopt;
  return found.begin()->second;
}

std::map<std::uint32_t, Disagreement> try_seeds(const Settings& settings, unsigned count, Spent& spent) {
  std::map<std::uint32_t, Disagreement> all;
  std::vector<std::uint32_t> seeds;  // of those that agree without the GPU
  std::vector<expect::Inputs> inputs;
  std::vector<expect::Results> emulated;
  for (unsigned i = 0; i < count; ++i) {
    programs::Options options = settings.program;
    options.seed += i;
    if (count > 1) options.suffix = fmt::format("_{}", i);
    expect::Inputs made;
    timed(spent.generating, [&] { made = inputs_of(options); });
    expect::Results interpreted;
    timed(spent.interpreting, [&] { interpreted = expect::results(made, run_options(WEDJAT_JIT_OFF)); });
    std::optional<Disagreement> found;
    if (!interpreted.failure.empty())
      found = Disagreement{Kind::failure, first_line(interpreted.failure)};
    else
      timed(spent.others, [&] { found = ask_others(settings, made, interpreted); });
    if (found) {
      all[options.seed] = *found;
      continue;
    }
    seeds.push_back(options.seed);
    inputs.push_back(std::move(made));
    emulated.push_back(std::move(interpreted));
  }
  if (settings.gpu != nullptr)
    timed(spent.gpu, [&] {
      for (auto& [index, found] : ask_gpu(settings, inputs, emulated)) all[seeds[index]] = std::move(found);
    });
  return all;
}

}  // namespace wedjat::fuzz
