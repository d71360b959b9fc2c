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

bool is_as_written(const expect::Inputs& inputs, const expect::Results& results) {
  WedjatRunOptions run = run_options(WEDJAT_JIT_OFF);
  run.contract = WEDJAT_CONTRACT_NONE;
  return results.memory == expect::results(inputs, run).memory;
}

std::string words_of(const std::string& ptx, const expect::Results& results, const Memory& expected) {
  return results.failure.empty() ? difference(ptx, results.memory.begin()->second, expected)
                                 : results.failure.substr(0, results.failure.find('\n'));
}

// What was left at each level, and, by what is wrong, at which.
struct Asked {
  std::map<unsigned, expect::Results> left;
  std::map<std::string, std::vector<unsigned>> said;
};

Asked ask_levels(const Settings& settings, const expect::Inputs& inputs, const expect::Results& emulated) {
  Asked all;
  const Memory& expected = emulated.memory.begin()->second;
  std::vector<unsigned> asked = settings.levels;
  for (std::size_t i = 0; i < asked.size(); ++i) {
    const unsigned level = asked[i];
    const expect::Results& results = all.left[level] = settings.gpu->results(inputs, level);
    if (results.memory == emulated.memory) continue;
    const bool as_written = is_as_written(inputs, results);
    if (as_written && level == 0) continue;
    std::string what = words_of(inputs.ptx, results, expected);
    if (as_written) what += ", as the PTX says";
    all.said[what].push_back(level);
    for (unsigned other = 0; other < settings.gpu->levels(); ++other)
      if (std::find(asked.begin(), asked.end(), other) == asked.end()) asked.push_back(other);
  }
  for (auto& [what, where] : all.said) std::sort(where.begin(), where.end());
  return all;
}

struct Alone {
  bool differs = false;               // at some level, whosever it is
  std::optional<Disagreement> found;  // where that is a disagreement
};

Alone ask_alone(const Settings& settings, const expect::Inputs& inputs, const expect::Results& emulated) {
  const Asked asked = ask_levels(settings, inputs, emulated);
  if (asked.said.empty()) {
    if (settings.verdicts != nullptr) settings.verdicts->of(traces::Judged::agrees) += asked.left.size();
    return {};
  }
  std::string message;
  unsigned first = gpu::levels;
  for (const auto& [what, where] : asked.said) {
    message += fmt::format("{}level {}: {}", message.empty() ? "" : "; ", fmt::join(where, ", "), what);
    first = std::min(first, where.front());
  }
  if (settings.verdicts == nullptr) return {true, Disagreement{Disagreement::Kind::gpu, message, first}};
  const gpu::Opinion opinion = gpu::judge(inputs, asked.left);
  settings.verdicts->add(opinion);
  if (settings.open && opinion.worst != traces::Judged::machine_code) return {true, {}};
  // Of a program that leaves nothing open only the machine code can be wrong, and not at level 0.
  const bool blamed = opinion.worst == traces::Judged::machine_code;
  return {true, Disagreement{settings.open || !blamed || first == 0 ? Disagreement::Kind::verdict
                                                                    : Disagreement::Kind::gpu,
                             message + "; judged " + opinion.text, first}};
}

// Whether no machine code can be to blame for what a kernel that leaves something open left beside others:
// then nothing has to be compiled again.
bool is_open(const Settings& settings, const expect::Inputs& inputs,
             const std::map<unsigned, expect::Results>& left) {
  if (!settings.open || settings.verdicts == nullptr) return false;
  if (std::ranges::any_of(left, [](const auto& each) { return !each.second.failure.empty(); })) return false;
  const gpu::Opinion opinion = gpu::judge(inputs, left);
  if (opinion.worst > traces::Judged::open) return false;
  settings.verdicts->add(opinion);
  return true;
}

std::string in_one_file(const std::vector<expect::Inputs>& all) {
  static constexpr std::string_view end = ".address_size 64\n";  // of what a file has once
  std::string text;
  for (const expect::Inputs& each : all)
    text += text.empty() ? each.ptx : each.ptx.substr(each.ptx.find(end) + end.size());
  return text;
}

}  // namespace

std::map<std::size_t, Disagreement> ask_gpu(const Settings& settings, const std::vector<expect::Inputs>& all,
                                            const std::vector<expect::Results>& emulated) {
  std::map<std::size_t, Disagreement> found;
  if (all.empty()) return found;
  if (all.size() == 1) {
    if (const Alone alone = ask_alone(settings, all[0], emulated[0]); alone.found) found[0] = *alone.found;
    return found;
  }
  const std::string text = in_one_file(all);
  std::vector<std::map<unsigned, expect::Results>> left(all.size());
  for (const unsigned level : settings.levels) {
    std::vector<expect::Results> results = settings.gpu->results(all, text, level);
    for (std::size_t i = 0; i < all.size(); ++i) left[i][level] = std::move(results[i]);
  }
  for (std::size_t i = 0; i < all.size(); ++i) {
    const auto differs = std::ranges::find_if(
        left[i], [&](const auto& each) { return each.second.memory != emulated[i].memory; });
    if (differs == left[i].end()) {
      if (settings.verdicts != nullptr) settings.verdicts->of(traces::Judged::agrees) += left[i].size();
      continue;
    }
    if (is_open(settings, all[i], left[i])) continue;
    const auto& [level, results] = *differs;
    const Alone alone = ask_alone(settings, all[i], emulated[i]);
    if (alone.found) found[i] = *alone.found;
    // A failure was another one's, and what is left open may be decided otherwise beside others.
    else if (!alone.differs && !settings.open && results.failure.empty() && !is_as_written(all[i], results))
      found[i] = {Disagreement::Kind::gpu,
                  fmt::format("level {}, only together with others: {}", level,
                              words_of(all[i].ptx, results, emulated[i].memory.begin()->second)),
                  level};
  }
  return found;
}

}  // namespace wedjat::fuzz
