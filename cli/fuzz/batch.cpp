#include "cli/fuzz/batch.h"

#include <fmt/format.h>

#include <filesystem>
#include <fstream>
#include <stdexcept>

#include "cli/fuzz/campaign.h"

namespace wedjat::fuzz {

extern const char* const batch_program;
extern const char* const batch_makefile;

namespace {

void write(const std::filesystem::path& path, const std::string& text) {
  std::ofstream out(path, std::ios::binary);
  out << text;
  out.close();
  if (!out) throw std::runtime_error(path.string() + ": cannot be written");
}

}  // namespace

// FNV-1a.
std::uint64_t result_hash(const programs::Options& options) {
  WedjatRunOptions run{};
  run.size = sizeof run;
  run.threads = 1;
  run.jit = WEDJAT_JIT_OFF;
  run.contract = WEDJAT_CONTRACT_NONE;  // what the PTX says
  const expect::Results results = expect::results(inputs_of(options), run);
  if (!results.failure.empty())
    throw std::runtime_error(fmt::format("seed {}: {}", options.seed, results.failure));
  std::uint64_t hash = 0xcbf29ce484222325u;
  for (const auto& [name, bytes] : results.memory)
    for (const std::byte byte : bytes) hash = (hash ^ std::to_integer<std::uint64_t>(byte)) * 0x100000001b3u;
  return hash;
}

void begin_batch(const std::string& folder) {
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  if (error) throw std::runtime_error(folder + ": cannot be made: " + error.message());
  write(std::filesystem::path(folder) / "batch.c", batch_program);
  write(std::filesystem::path(folder) / "Makefile", batch_makefile);
}

std::string add_to_batch(const std::string& folder, const programs::Options& options) {
  write(std::filesystem::path(folder) / fmt::format("{}.ptx", options.seed), file_of(options));
  return fmt::format("{} {:016x}\n", options.seed, result_hash(options));
}

void end_batch(const std::string& folder, const std::string& list) {
  write(std::filesystem::path(folder) / "list.txt",
        fmt::format("{} {} {}\n", programs::ctas, programs::threads, programs::words) + list);
}

}  // namespace wedjat::fuzz
