#include "cli/fuzz/hardware.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <cstring>
#include <map>

namespace wedjat::fuzz {
namespace {

using Memory = std::vector<std::byte>;

std::uint32_t word_of(const Memory& memory, std::size_t index) {
  std::uint32_t word = 0;
  std::memcpy(&word, memory.data() + 4 * index, 4);
  return word;
}

// The register that a program stores there in the end.
std::string register_at(const std::string& ptx, std::size_t word) {
  if (word < programs::private_words) return fmt::format("private word {}", word);
  static constexpr std::string_view before = "[%base+";
  for (std::size_t at = ptx.rfind(before); at != std::string::npos && at != 0;
       at = ptx.rfind(before, at - 1)) {
    std::size_t offset = 0;
    const char* const digits = ptx.data() + at + before.size();
    const auto [end, error] = std::from_chars(digits, ptx.data() + ptx.size(), offset);
    const std::string_view rest(end, ptx.data() + ptx.size());
    if (error == std::errc() && offset / 4 <= word && rest.substr(0, 3) == "], ")
      return std::string(rest.substr(3, rest.find(';') - 3));
  }
  return "nothing";
}

std::string difference(const std::string& ptx, const Memory& got, const Memory& emulated) {
  std::size_t count = 0, first = 0;
  for (std::size_t i = emulated.size() / 4; i-- > 0;)
    if (word_of(got, i) != word_of(emulated, i)) ++count, first = i;
  return fmt::format("{} words differ, the first is {} of thread {}: {:08x} instead of {:08x}", count,
                     register_at(ptx, first % programs::words), first / programs::words, word_of(got, first),
                     word_of(emulated, first));
}

}  // namespace

std::optional<Disagreement> ask_gpu(gpu::Gpu& gpu, const std::vector<unsigned>& levels,
                                    const expect::Inputs& inputs, const expect::Results& emulated) {
  std::map<std::string, std::vector<unsigned>> said;  // levels by what is wrong
  unsigned first = gpu::levels;
  const Memory& expected = emulated.memory.begin()->second;
  std::vector<unsigned> asked = levels;
  for (std::size_t i = 0; i < asked.size(); ++i) {
    const unsigned level = asked[i];
    const expect::Results results = gpu.results(inputs, level);
    if (results.memory == emulated.memory) continue;
    WedjatRunOptions run = run_options(WEDJAT_JIT_OFF);
    run.contract = WEDJAT_CONTRACT_NONE;
    const bool as_written = results.memory == expect::results(inputs, run).memory;
    if (as_written && level == 0) continue;
    std::string what = results.failure.empty()
                           ? difference(inputs.ptx, results.memory.begin()->second, expected)
                           : results.failure.substr(0, results.failure.find('\n'));
    if (as_written) what += ", as the PTX says";
    said[what].push_back(level);
    first = std::min(first, level);
    for (unsigned other = 0; other < gpu.levels(); ++other)
      if (std::find(asked.begin(), asked.end(), other) == asked.end()) asked.push_back(other);
  }
  if (said.empty()) return std::nullopt;
  std::string message;
  for (auto& [what, where] : said) std::sort(where.begin(), where.end());
  for (const auto& [what, where] : said)
    message += fmt::format("{}level {}: {}", message.empty() ? "" : "; ", fmt::join(where, ", "), what);
  return Disagreement{Disagreement::Kind::gpu, message, first};
}

}  // namespace wedjat::fuzz
